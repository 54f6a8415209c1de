import { describe, expect, test } from 'vitest';
import { found, hit, own, webWorld } from '../../test/support/web-world.ts';
import type { Query } from '../search/query.ts';
import type { SearchResult } from '../search/search-index.ts';

describe('search page', () => {
  test('shows results with marks, site, times and snapshot', async () => {
    const { get, asked } = webWorld();
    const { status, text } = await get('/?q=install');
    expect(status).toBe(200);
    expect(text).toMatch(/^<!doctype html><html lang="en">/);
    expect(text).toContain('<ol class="results" start="1"');
    expect(text).toContain('<mark>Installing</mark> the guide</a>');
    expect(text).toContain('run the <mark>install</mark> script');
    expect(text).toContain('href="https://docs.example.org/guide/"');
    expect(text).toContain('docs.example.org/guide<span class="label">Docs</span>');
    expect(text).toMatch(/<time datetime="2026-01-07T12:00:00.000Z"[^>]*>Changed 3 days ago<\/time>/);
    expect(text).toContain('verified 2 hours ago');
    expect(text).toContain('href="/cache/7?q=install"');
    expect(text).toContain('1 result<');
    expect(text).toContain('<title>install – Example &lt;search&gt;</title>');
    expect(asked[0]).toEqual({ limit: 10, offset: 0, isUnfolded: false });
  });

  test('has pages, and keeps their number within bounds', async () => {
    const search = (_: Query, { offset = 0 } = {}): SearchResult => ({
      ...found([hit()], 25),
      hasMore: offset < 20,
    });
    const { get, asked } = webWorld({ search });
    const second = await get('/?q=a%26b&page=2');
    expect(second.text).toContain('href="/?q=a%26b"');
    expect(second.text).toContain('href="/?q=a%26b&amp;page=3"');
    expect(second.text).toContain('start="11"');
    expect((await get('/?q=a&page=3')).text).not.toContain('rel="next"');
    for (const page of ['0', '-1', 'x', '99999999999999999999', '1e9']) await get(`/?q=a&page=${page}`);
    await get('/?q=a&page=999999');
    expect(asked.map((options) => options?.offset)).toEqual([10, 20, 0, 0, 0, 0, 0, 1_000]);
  });

  test('leads to the pages with nearly the same text, and through them', async () => {
    const { get, asked } = webWorld({ result: found([hit({ similar: 2 })], 25) });
    expect((await get('/?q=a%26b')).text).toContain(
      '<a href="/?q=a%26b&amp;similar=all">+ 2 similar pages</a>',
    );
    expect((await get('/?q=a&similar=all')).text).toContain('href="/?q=a&amp;page=2&amp;similar=all"');
    await get('/api/v1/search?q=a&similar=all');
    expect(asked.map((options) => options?.isUnfolded)).toEqual([false, true, true]);
  });

  test('helps when nothing is found: what was searched, and wider searches', async () => {
    const { get } = webWorld({ result: found([]) });
    const { text } = await get(`/?q=${encodeURIComponent('"现代 搜索" linux site:docs.example.org')}`);
    expect(text).toContain('Nothing found');
    expect(text).toContain('<span dir="auto">linux</span>');
    expect(text).toContain('<a href="/?q=linux" dir="auto">linux</a>');
    expect(text).toContain('Search all sites');
    expect(text).toContain('Search without quotation marks');
    expect(text).toContain('freshet explain URL');
  });

  test('helps on the first visit', async () => {
    const { get } = webWorld({ status: { documents: 0, known: 3, lastFetchedAt: null } });
    const { text } = await get('/');
    expect(text).toContain('Nothing is indexed yet');
    expect(text).toContain('3 addresses are known');
    expect(text).toContain('freshet crawl https://docs.example.org/');
  });

  test('says when pages with only some of the words follow', async () => {
    const { get } = webWorld({ result: { ...found([hit()]), isTotalExact: false, isRelaxed: true } });
    expect((await get('/?q=a')).text).toContain('at least 1 results · Few pages have all the words.');
  });

  test('does not search for nothing', async () => {
    const { get, asked } = webWorld();
    const { text } = await get('/?q=%20');
    expect(asked).toEqual([]);
    expect(text).toContain('1,204 pages · last visit to a site 1 minute ago');
  });

  test('speaks the language asked for, and keeps it in links', async () => {
    const { get } = webWorld({ result: found([hit()], 25) });
    const chinese = await get('/?q=a&lang=zh-CN');
    expect(chinese.text).toContain('<html lang="zh-CN">');
    expect(chinese.text).toContain('3天前有更新');
    expect(chinese.text).toContain('/?q=a&amp;page=2&amp;lang=zh-CN');
    expect(chinese.text).toContain('<input type="hidden" name="lang" value="zh-CN"/>');
    const accepted = await get('/', { ...own, 'accept-language': 'fr;q=0.9, zh-TW;q=0.8, en;q=0.1' });
    expect(accepted.text).toContain('<html lang="zh-CN">');
    expect(accepted.header('vary')).toBe('Accept-Language');
  });
});

describe('JSON', () => {
  test('of the same URL and of the API agree', async () => {
    const { get } = webWorld();
    const page = await get('/?q=install&format=json');
    const api = await get('/api/v1/search?q=install');
    expect(page.text).toBe(api.text);
    expect(api.header('content-type')).toMatch('application/json');
    expect(JSON.parse(api.text)).toEqual({
      v: 1,
      query: 'install',
      total: 1,
      isTotalExact: true,
      isRelaxed: false,
      hasMore: false,
      limit: 10,
      offset: 0,
      hits: [
        {
          id: 7,
          url: 'https://docs.example.org/guide/',
          host: 'docs.example.org',
          title: 'Installing the guide',
          titleMarks: [[0, 10]],
          snippet: 'run the install script',
          marks: [[8, 15]],
          language: 'en',
          score: 1,
          verifiedAt: '2026-01-10T10:00:00.000Z',
          changedAt: '2026-01-07T12:00:00.000Z',
          snapshot: '/cache/7',
          duplicates: [],
          similar: 0,
        },
      ],
    });
  });

  test('limits are kept within bounds, a missing query is a problem', async () => {
    const { get, asked } = webWorld();
    await get('/api/v1/search?q=a&limit=5000&offset=99999999');
    await get('/api/v1/search?q=a&limit=0&offset=-3');
    expect(asked).toEqual([
      { limit: 100, offset: 1_000, isUnfolded: false },
      { limit: 1, offset: 0, isUnfolded: false },
    ]);
    for (const path of ['/api/v1/search', '/?format=json']) {
      const { status, text, header } = await get(path);
      expect(status).toBe(400);
      expect(header('content-type')).toBe('application/problem+json');
      expect(JSON.parse(text)).toMatchObject({ type: 'about:blank', status: 400 });
    }
  });

  test('healthz reads the store', async () => {
    const { get } = webWorld();
    expect(JSON.parse((await get('/healthz')).text)).toMatchObject({ status: 'ok', documents: 1_204 });
  });
});

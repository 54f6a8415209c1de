/** The examples do what they say. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crawlAndSearch } from '../examples/crawl-and-search.ts';
import { linksToFollow } from '../examples/links-to-follow.ts';
import { readAnyPage } from '../examples/read-any-page.ts';
import { safeToFetch } from '../examples/safe-to-fetch.ts';

const pages: Readonly<Record<string, string>> = {
  '/': '<title>Home</title><h1>Home</h1><p>Welcome to the garden. <a href="/rain">Rain gauges</a></p>',
  '/rain':
    '<title>Rain gauges</title><h1>Rain gauges</h1><p>A rain gauge counts how often its bucket tips.</p>',
};

test('crawl-and-search', async () => {
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    response.writeHead(page === undefined ? 404 : 200, { 'Content-Type': 'text/html' });
    response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const folder = mkdtempSync(join(tmpdir(), 'freshet-example-'));
  try {
    const found = await crawlAndSearch(`${origin}/`, 'bucket', folder, ['127.0.0.1']);
    expect(found).toEqual({ why: 'idle', urls: [`${origin}/rain`] });
  } finally {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  }
});

test('links-to-follow', () => {
  const html = `<a href="/b?utm_source=x">b</a> <a href="/b#part">b again</a> <a href="/private/c">c</a>
    <a href="https://docs.example.org/d">d</a> <a href="https://other.example/">other</a> <a href="/e" rel="nofollow">e</a>`;
  const robots = 'User-agent: *\nDisallow: /private/';
  expect(linksToFollow(html, 'https://www.example.org/a', robots)).toEqual([
    'https://www.example.org/b',
    'https://docs.example.org/d',
  ]);
});

test('read-any-page', () => {
  // 中文 in GB 2312, declared by the page alone.
  const body = Buffer.concat([
    Buffer.from('<meta charset="gb2312"><title>'),
    Uint8Array.of(0xd6, 0xd0, 0xce, 0xc4),
    Buffer.from('</title><p>text</p>'),
  ]);
  expect(readAnyPage(body, 'text/html', 'https://example.org/')).toEqual({
    title: '中文',
    text: 'text',
    encoding: 'gbk',
  });
});

test.each([
  ['https://example.org/', ['93.184.216.34'], { ok: true, addresses: ['93.184.216.34'] }],
  ['https://example.org/', ['93.184.216.34', '10.0.0.1'], { ok: false, why: 'private' }],
  ['https://example.org/', [], { ok: false, why: 'unknown host' }],
  ['http://127.0.0.1/', [], { ok: false, why: 'safety.private' }],
  ['file:///etc/passwd', [], { ok: false, why: 'safety.scheme' }],
])('safe-to-fetch: %s at %j', async (url, answers, expected) => {
  expect(await safeToFetch(url, () => Promise.resolve(answers))).toEqual(expected);
});

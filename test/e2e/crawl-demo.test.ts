/** A whole crawl over real sockets: the demo web, judged by what it expected and what its servers saw. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Config, defaultConfig } from '../../src/config.ts';
import type { CrawlEnd } from '../../src/crawl/crawler.ts';
import { siteNames } from '../../src/demo/page.ts';
import type { DemoRequest } from '../../src/demo/server.ts';
import { type DemoWeb, startDemoWeb } from '../../src/demo/site.ts';
import { type FreshetNode, openNode } from '../../src/node.ts';
import { parseQuery } from '../../src/search/query.ts';

/** Small, because loopback is patient. */
const DELAY_MS = 20;
/** Requests are sent at least their delay apart; servers in this busy process may note them late. */
const LATENCY_MS = 300;

let web: DemoWeb;
let folder: string;
let node: FreshetNode;
const problems: string[] = [];

beforeAll(async () => {
  web = await startDemoWeb({ slowMs: 500 });
  folder = mkdtempSync(join(tmpdir(), 'freshet-demo-'));
  const note = (message: string, fields = {}): void =>
    void problems.push(`${message} ${JSON.stringify(fields)}`);
  node = openNode(configOf(), true, {
    hasThreads: false,
    log: { debug() {}, info() {}, warn: note, error: note },
  });
});
afterAll(async () => {
  await node.close();
  await web.close();
  rmSync(folder, { recursive: true });
});

function configOf(): Config {
  const standard = defaultConfig();
  return {
    ...standard,
    sites: [{ start: web.startUrls, include: [], exclude: [], sitemaps: 'auto', label: null }],
    // The sites are so small that one lost page is more than a tenth; a person would be asked (docs/deletion.md).
    refresh: { ...standard.refresh, safety: { ...standard.refresh.safety, maxRemoved: 1 } },
    politeness: { ...standard.politeness, delayMs: DELAY_MS, jitter: 0 },
    security: { allowPrivate: ['127.0.0.1'] },
    storage: { ...standard.storage, dir: folder },
  };
}

function crawl(): Promise<CrawlEnd> {
  const never = new AbortController().signal;
  const budget = { maxPages: null, maxBytes: null, maxTimeMs: null };
  return node.crawl({ concurrency: 16, budget, isWatching: false, stop: never, abort: never });
}

const addressOf = ({ site, target }: DemoRequest): string => web.origins[site] + target;

function indexed(): string[] {
  return [...node.reports.urls({ state: 'indexed' })].map(({ url }) => url);
}

function found(words: string): string[] {
  return node.index.search(parseQuery(words), { limit: 50 }).hits.map(({ url }) => url);
}

describe('the first crawl', () => {
  test('ends by itself', async () => {
    expect((await node.seed()).refusedUrls).toEqual([]);
    expect(await crawl()).toMatchObject({ why: 'idle', limit: null });
    expect(problems).toEqual([]);
  }, 60_000);

  test('finds exactly what is expected', () => {
    const { folded, bounded } = web.expected;
    const wanted = [...web.expected.indexed, ...web.expected.listed];
    const known = new Set([...wanted, ...folded.map(({ url }) => url)]);
    const isEndless = (url: string): boolean => bounded.some(({ prefix }) => url.startsWith(prefix));
    expect(wanted.filter((url) => !indexed().includes(url))).toEqual([]);
    expect(indexed().filter((url) => !known.has(url) && !isEndless(url))).toEqual([]);
  });

  test('keeps out of the index what belongs out of it, each for its reason', () => {
    const states = new Map([...node.reports.urls()].map((row) => [row.url, row]));
    for (const { url, reason } of web.expected.keptOut) {
      const row = states.get(url);
      expect([url, row?.state === 'indexed', reason === null ? null : row?.reason]).toEqual([
        url,
        false,
        reason,
      ]);
    }
    for (const { url, into } of web.expected.folded) expect([url, into]).toEqual([url, ...standsFor(url)]);
  });

  /** The hit that a page is folded into. */
  function standsFor(url: string): string[] {
    const title = [...node.reports.urls()].find((row) => row.url === url)?.title ?? '';
    const hits = node.index.search(parseQuery(`"${title.split(',')[0]}"`), { limit: 50 }).hits;
    return hits.filter(({ duplicates }) => duplicates.includes(url)).map((hit) => hit.url);
  }

  test('never asks for what must not be asked for, and does not walk into the traps', () => {
    const asked = web.requests.map(addressOf);
    expect(web.expected.never.filter(({ url }) => asked.includes(url))).toEqual([]);
    expect(web.requests.filter(({ site }) => site === 'outside')).toEqual([]);
    for (const { prefix, atMost } of web.expected.bounded) {
      const different = new Set(asked.filter((url) => url.startsWith(prefix)));
      expect([prefix, different.size <= atMost]).toEqual([prefix, true]);
    }
  });

  test('asks robots.txt first, once, and leaves the site alone whose robots.txt fails', () => {
    for (const site of siteNames.filter((name) => name !== 'outside')) {
      const targets = web.requests.filter((request) => request.site === site).map(({ target }) => target);
      expect([site, targets[0]]).toEqual([site, '/robots.txt']);
      expect([site, targets.filter((target) => target === '/robots.txt').length]).toEqual([site, 1]);
    }
    expect(web.requests.filter(({ site }) => site === 'closed').map(({ target }) => target)).toEqual([
      '/robots.txt',
    ]);
  });

  test('has at most two requests and two connections open at a site, and keeps a Crawl-delay', () => {
    for (const site of siteNames) {
      const { requests, connections } = web.peak(site);
      expect([site, requests <= 2, connections <= 2]).toEqual([site, true, true]);
    }
    const starts = web.requests.filter(({ site }) => site === 'library').map(({ at }) => at);
    for (const [n, at] of starts.slice(1).entries())
      expect(at - (starts[n] ?? 0)).toBeGreaterThanOrEqual(2000 - LATENCY_MS);
  });

  test('makes it searchable, in English and in Chinese of every encoding', () => {
    expect(found('rain gauge').length).toBeGreaterThan(0);
    expect(found('marmalade')).toEqual([`${web.origins.odd}/plain`]);
    expect(found('停水').length).toBeGreaterThan(0);
    expect(found('青溪镇').length).toBeGreaterThan(5);
  });

  test('says who it is', () => {
    const agents = new Set(web.requests.map(({ headers }) => headers['user-agent']));
    expect([...agents]).toEqual([expect.stringMatching(/^freshet\/\d/i)]);
    expect(web.requests.every(({ headers }) => headers.cookie === undefined)).toBe(true);
  });
});

describe('later crawls', () => {
  test('R19 an unchanged web costs 304s', async () => {
    const before = web.requests.length;
    const forced = await node.add(fastPages(), { force: true });
    expect(forced.added).toBe(0);
    await crawl();
    const conditional = web.requests
      .slice(before)
      .filter(
        ({ headers }) => headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined,
      );
    expect(conditional.length).toBeGreaterThan(30);
    expect(conditional.filter(({ status }) => status !== 304)).toEqual([]);
    expect(web.expected.indexed.filter((url) => !indexed().includes(url))).toEqual([]);
  }, 60_000);

  test('R23 when the web moves on: what is new is found, 410 goes at once, 404 after three looks', async () => {
    web.advance();
    const { lost, later } = web.expected;
    for (const look of [1, 2, 3]) {
      await node.add([...fastPages(), ...lost.map(({ url }) => url)], { force: true });
      await crawl();
      const gone = lost.filter(({ url }) => !indexed().includes(url));
      const expected = look < 3 ? lost.filter(({ reason }) => reason === 'http.410') : lost;
      expect([look, gone]).toEqual([look, expected]);
    }
    expect(later.filter((url) => indexed().includes(url)).length).toBe(1);
    expect(found('edition 2').some((url) => url === `${web.origins.news}/`)).toBe(true);
    expect(node.find(`${web.origins.news}/weather`)?.changes).toBe(1);
  }, 60_000);

  /** Pages of sites that need no patience. */
  function fastPages(): string[] {
    return indexed().filter((url) =>
      [web.origins.docs, web.origins.news, web.origins.notices].some((origin) => url.startsWith(origin)),
    );
  }
});

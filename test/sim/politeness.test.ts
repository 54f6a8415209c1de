/** Whole crawls: the rest of hosts (R10). */
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { bug, caseOf } from './cases.ts';
import { MINUTE_MS, SECOND_MS } from './harness.ts';
import { scenario } from './scenario.ts';
import { page, type Reply, redirect, type Sites, slow } from './sites.ts';

const anyPage: Reply = ({ host, path }) => page(`${host}${path}`);

/** `http://host/1` … */
function urls(host: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `http://${host}/${n + 1}`);
}

describe('the rest of a host', () => {
  test(
    bug('bug-002'),
    scenario(
      {
        sites: {
          'a.test': { '/robots.txt': 'User-agent: *\nCrawl-delay: 3', '*': anyPage },
          'b.test': { '*': anyPage },
        },
        seeds: [...urls('a.test', 4), ...urls('b.test', 4)],
      },
      async (sim) => {
        await sim.crawl();
        expect(Math.min(...sim.gaps('a.test'))).toBeGreaterThanOrEqual(3000);
        expect(sim.gaps('b.test')).toEqual([1000, 1000, 1000, 1000]);
      },
    ),
  );

  test(
    bug('bug-023'),
    scenario({ sites: { 'a.test': { '*': anyPage } } }, async (sim) => {
      await sim.crawl();
      expect(sim.paths('a.test', true)).toEqual(['/robots.txt', '/']);
      expect(sim.gaps('a.test')).toEqual([1000]);
    }),
  );

  test(
    bug('bug-025'),
    scenario(
      {
        sites: { 'a.test': { '*': anyPage } },
        seeds: urls('a.test', 10),
        config: { politeness: { delay: 500, concurrency: 10 } },
      },
      async (sim) => {
        const start = sim.clock.now();
        await sim.crawl();
        const starts = sim.requests('a.test', true).map(({ at }) => at - start);
        expect(starts).toEqual(Array.from({ length: 11 }, (_, n) => n * 500)); // robots.txt and ten pages
      },
    ),
  );

  test(
    bug('bug-026'),
    scenario(
      {
        sites: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`h${n}.test`, { '*': anyPage }])),
        seeds: Array.from({ length: 10 }, (_, n) => urls(`h${n}.test`, 5)).flat(),
        config: { politeness: { concurrency: 10 } },
      },
      async (sim) => {
        const { elapsedMs } = await sim.crawl();
        expect(elapsedMs).toBeGreaterThanOrEqual(5000);
        expect(elapsedMs).toBeLessThan(6000);
        expect(sim.indexed()).toHaveLength(50);
      },
    ),
  );

  test(
    'R10 never more than two requests are open at a site, however slowly it answers',
    scenario(
      { sites: { 'a.test': { '*': anyPage } }, seeds: urls('a.test', 12), latencyMs: () => 7 * SECOND_MS },
      async (sim) => {
        await sim.crawl();
        expect(sim.web.mostOpen.get('a.test')).toBe(2);
        expect(sim.indexed()).toHaveLength(12);
      },
    ),
  );

  test(
    'R10 one slow host does not hold up another',
    scenario(
      {
        sites: {
          'slow.test': { '*': (request) => slow(60 * SECOND_MS, page(request.path)) },
          'fast.test': { '*': anyPage },
        },
        seeds: [...urls('slow.test', 50), ...urls('fast.test', 20)],
        config: { politeness: { concurrency: 4 } },
      },
      async (sim) => {
        const start = sim.clock.now();
        await sim.crawl();
        const lastFast = sim.requests('fast.test').at(-1)?.at ?? 0;
        expect(lastFast - start).toBeLessThan(25 * SECOND_MS);
      },
    ),
  );

  test(
    'R10 a Crawl-delay beyond the patience of a run slows a site down and loses none of it',
    scenario(
      {
        sites: { 'a.test': { '/robots.txt': 'User-agent: *\nCrawl-delay: 600', '*': anyPage } },
        seeds: urls('a.test', 5),
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.indexed()).toHaveLength(5);
        expect(Math.min(...sim.gaps('a.test'))).toBeGreaterThanOrEqual(10 * MINUTE_MS);
      },
    ),
  );

  test(
    'R10 a Crawl-delay is in force as soon as it is known, however late robots.txt is answered',
    scenario(
      {
        sites: {
          'a.test': { '/robots.txt': slow(890, 'User-agent: *\nCrawl-delay: 3'), '*': anyPage },
          'b.test': { '*': ({ path }) => slow(9000, page(path)) }, // something is always under way
        },
        seeds: [...urls('a.test', 3), ...urls('b.test', 3)],
      },
      async (sim) => {
        await sim.crawl();
        expect(Math.min(...sim.gaps('a.test'))).toBeGreaterThanOrEqual(3000);
      },
    ),
  );

  test(
    'R10 the rest counts from when the server was asked, not from when the connection was begun',
    scenario(
      {
        sites: { 'a.test': { '*': anyPage } },
        seeds: urls('a.test', 3),
        connectMs: (url) => (url.endsWith('/robots.txt') ? 400 : 0),
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.gaps('a.test')).toEqual([1000, 1000, 1000]);
      },
    ),
  );

  test(
    caseOf('http-exchange', 'redirects', 'redirect-031'),
    scenario(
      {
        sites: {
          'h1.test': { '/a': redirect(302, 'http://h2.test/b'), '/c': page('C') },
          'h2.test': { '/b': redirect(302, 'http://h1.test/c') },
        },
        seeds: ['http://h1.test/a', 'http://h2.test/'],
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.states()['http://h1.test/c']).toBe('indexed');
        expect(Math.min(...sim.gaps('h1.test'), ...sim.gaps('h2.test'))).toBeGreaterThanOrEqual(1000);
      },
    ),
  );

  test(
    'many visits under way listen to signals of their own',
    scenario(
      { sites: manyHosts(30), seeds: Object.keys(manyHosts(30)).map((host) => `http://${host}/`) },
      async (sim) => {
        const abort = new AbortController();
        const crawl = sim.watch({ abort: abort.signal, concurrency: 30 });
        await sim.clock.advance(10);
        expect(sim.web.journal.length).toBeGreaterThan(20);
        expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
        await crawl();
      },
    ),
  );
});

function manyHosts(count: number): Sites {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`h${n}.test`, { '*': anyPage }]));
}

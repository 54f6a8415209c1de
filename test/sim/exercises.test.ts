/**
 * The exercises of the brief as acceptance tests, and the faults of naive versions that only whole crawls show. Others are
 * played where their subject is: bandwidth and interval curves (freshness), the whole life of a page (documents), kill and
 * restart, Ctrl-C (restart), robots 500 (robots), a secret seed (redirects), two connections (politeness).
 */
import { expect, test } from 'vitest';
import { SECOND_MS } from './harness.ts';
import { scenario } from './scenario.ts';
import { page, type Reply, slow } from './sites.ts';

const anyPage: Reply = ({ host, path }) => page(`${host}${path}`);

function urls(host: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `http://${host}/${n + 1}`);
}

test(
  'queue capacity 100 shows backpressure, and nothing is dropped (R27, faults 12 and 15)',
  scenario(
    {
      sites: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`h${n}.test`, { '*': anyPage }])),
      seeds: Array.from({ length: 20 }, (_, n) => urls(`h${n}.test`, 30)).flat(),
      config: { limits: { queue: 100 }, politeness: { delay: 200 } },
    },
    async (sim) => {
      const start = sim.clock.now();
      await sim.crawl();
      const { queue } = sim.node.stats();
      expect(queue.waited).toBeGreaterThan(0);
      expect(queue.longestWaitMs).toBeGreaterThan(0);
      expect(queue.longestWaitMs).toBeLessThanOrEqual(5 * SECOND_MS);
      expect(queue.spilled).toBeGreaterThan(0);
      expect(sim.requests()[0]?.at).toBeGreaterThanOrEqual(start);
      expect(sim.indexed()).toHaveLength(600);
      expect(new Set(sim.requests().map(({ url }) => url)).size).toBe(sim.requests().length);
    },
  ),
);

test(
  'a page with more links than the queue holds neither blocks the crawl nor loses any (fault 15)',
  scenario(
    {
      sites: { 'a.test': { '/': page('Home', urls('a.test', 300)), '*': anyPage } },
      config: { limits: { queue: 10 }, politeness: { delay: 20 } },
    },
    async (sim) => {
      await sim.crawl();
      expect(sim.indexed()).toHaveLength(301);
    },
  ),
);

test(
  'three seeds, and the paths their robots.txt refuses are never requested',
  scenario(
    {
      sites: Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [
          `${name}.test`,
          {
            '/robots.txt': `User-agent: *\nDisallow: /private-${name}/\nAllow: /private-${name}/open`,
            '/': page(name, [`/private-${name}/1`, `/private-${name}/open`, '/public']),
            '*': anyPage,
          },
        ]),
      ),
      seeds: ['http://a.test/', 'http://b.test/', 'http://c.test/'],
    },
    async (sim) => {
      await sim.crawl();
      const paths = ['/', '/private-a/open', '/public'];
      expect(sim.paths('a.test').sort()).toEqual(paths);
      expect(sim.paths().filter((path) => /^\/private-.\/1/.test(path))).toEqual([]);
      expect(Object.values(sim.states()).filter((state) => state === 'blocked robots.disallow')).toHaveLength(
        3,
      );
    },
  ),
);

test(
  'two more URLs are pushed into a running crawl two seconds apart, and are taken up at once (R36)',
  scenario(
    {
      sites: { 'a.test': { '*': anyPage }, 'b.test': { '*': anyPage } },
      seeds: ['http://a.test/', 'http://b.test/'],
    },
    async (sim) => {
      const stop = sim.watch();
      await sim.clock.advance(10 * SECOND_MS);
      expect(sim.indexed()).toHaveLength(2);
      const pushed: number[] = [];
      for (const url of ['http://a.test/1', 'http://b.test/2']) {
        pushed.push(sim.clock.now());
        expect(await sim.node.add([url])).toMatchObject({ added: 1, known: 0 });
        expect(await sim.node.add([url])).toMatchObject({ added: 0, known: 1 });
        await sim.clock.advance(2 * SECOND_MS);
      }
      await stop();
      const taken = ['/1', '/2'].map((path) => sim.requests().find((one) => one.path === path)?.at ?? 0);
      for (const [n, at] of taken.entries()) expect(at - (pushed[n] ?? 0)).toBeLessThanOrEqual(SECOND_MS);
      expect(sim.indexed()).toHaveLength(4);
    },
  ),
);

test(
  'stopping while nothing is due ends a crawl that stays, at once',
  scenario({ sites: { 'a.test': { '/': page('Home') } } }, async (sim) => {
    const stop = sim.watch();
    await sim.clock.advance(600 * SECOND_MS);
    const before = sim.clock.now();
    expect((await stop()).why).toBe('stopped');
    expect(sim.clock.now() - before).toBeLessThan(SECOND_MS);
  }),
);

test(
  'R18 a visit that fails by a bug is that page’s failure: told, counted, and the crawl goes on',
  scenario(
    { sites: { 'a.test': { '/': page('Home', ['/bad', '/good']), '/good': page('Good') } } },
    async (sim) => {
      const { web } = sim;
      const fetch = web.fetch.bind(web);
      web.fetch = (request, signal) =>
        request.url.endsWith('/bad') ? Promise.reject(new Error('a bug')) : fetch(request, signal);
      await sim.crawl();
      expect(sim.problems).toMatchObject([expect.stringContaining('a bug')]);
      sim.problems.length = 0;
      expect(sim.states()).toEqual({
        'http://a.test/': 'indexed',
        'http://a.test/bad': 'failed internal.error',
        'http://a.test/good': 'indexed',
      });
    },
  ),
);

test(
  'R10 hosts that never answer take their own slots only: with room for six, four dead hosts leave the others their pace',
  scenario(
    {
      sites: {
        ...Object.fromEntries(
          Array.from({ length: 2 }, (_, n) => [
            `dead${n}.test`,
            { '*': slow(120 * SECOND_MS, { fails: 'net.timeout' }) },
          ]),
        ),
        'live.test': { '*': anyPage },
      },
      seeds: [...urls('dead0.test', 10), ...urls('dead1.test', 10), ...urls('live.test', 30)],
      config: { politeness: { concurrency: 6 } },
    },
    async (sim) => {
      const start = sim.clock.now();
      await sim.crawl();
      expect((sim.requests('live.test').at(-1)?.at ?? 0) - start).toBeLessThan(35 * SECOND_MS);
      expect(sim.indexed()).toHaveLength(30);
    },
  ),
);

test(
  'R8 R7 advertising links come last, larger priorities first',
  scenario(
    { sites: { 'a.test': { '/': page('Home', ['/ads/banner', '/download', '/thread/1']), '*': anyPage } } },
    async (sim) => {
      await sim.crawl();
      expect(sim.paths()).toEqual(['/', '/download', '/thread/1', '/ads/banner']);
    },
  ),
);

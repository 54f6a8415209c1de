/** Whole crawls that are stopped, broken off, killed and gone on with (R29, R31). */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../support/random.ts';
import { bug } from './cases.ts';
import { DAY_MS, HOUR_MS, SECOND_MS, type Sim } from './harness.ts';
import { scenario } from './scenario.ts';
import { cached, page, type Reply, type Site, slow } from './sites.ts';

const anyPage: Reply = ({ path }) => page(path);

/** A front page and `count` pages that it links. */
function flatSite(count: number): Site {
  const links = Array.from({ length: count }, (_, n) => `/${n + 1}`);
  return { '/': page('Home', links), ...Object.fromEntries(links.map((path) => [path, page(path)])) };
}

test(
  bug('bug-050'),
  scenario(
    {
      sites: {
        'a.test': { '/': page('Home', ['/1', '/2']), '*': ({ path }) => slow(20 * SECOND_MS, page(path)) },
        'b.test': {
          '/': page('Home b', ['/1', '/2']),
          '*': ({ path }) => slow(20 * SECOND_MS, page(`b${path}`)),
        },
      },
      seeds: ['http://a.test/', 'http://b.test/'],
    },
    async (sim) => {
      sim.watch();
      await sim.clock.advance(5 * SECOND_MS);
      const open = sim.requests().filter((one) => one.endedAt === null);
      expect(open).toHaveLength(4);
      await sim.kill();
      await sim.crawl();
      for (const { url } of open) expect(sim.requests().filter((one) => one.url === url)).toHaveLength(2);
      expect(sim.indexed()).toHaveLength(6);
      expect([...sim.node.reports.urls()].map(({ visits }) => visits)).toEqual([1, 1, 1, 1, 1, 1]);
    },
  ),
);

test(
  bug('bug-051'),
  scenario(
    {
      sites: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`h${n}.test`, flatSite(99)])),
      seeds: Array.from({ length: 10 }, (_, n) => `http://h${n}.test/`),
      config: { politeness: { delay: 100 } },
    },
    async (sim) => {
      const random = seededRandom(51);
      const stored: number[] = [];
      for (let round = 0; round < 20; round++) {
        sim.watch();
        await sim.clock.advance(Math.floor(random() * 800));
        await sim.kill();
        stored.push(sim.node.reports.documents());
      }
      expect(stored).toEqual([...stored].sort((a, b) => a - b));
      await sim.crawl();
      expect(sim.indexed()).toHaveLength(1000);
      expect(sim.requests().length).toBeLessThanOrEqual(1000 + 20 * sim.config.politeness.concurrency);
    },
  ),
);

test(
  bug('bug-052'),
  scenario({ sites: { 'a.test': flatSite(9) }, config: { scope: { max_pages: 3 } } }, async (sim) => {
    expect(await sim.crawl()).toMatchObject({ why: 'limit', limit: 'limit.pages' });
    expect(sim.paths()).toHaveLength(3);
    await sim.restart({ scope: { ...sim.config.scope, maxPages: 10 } });
    await sim.crawl();
    expect(sim.paths()).toHaveLength(10);
    expect(new Set(sim.paths()).size).toBe(10);
  }),
);

test(
  bug('bug-053'),
  scenario(
    { sites: { 'a.test': { '*': anyPage } }, seeds: [1, 2, 5, 10].map((n) => `http://a.test/${n}`) },
    async (sim) => {
      await sim.crawl();
      await sim.clock.until(sim.node.add([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => `http://a.test/${n}`)));
      await sim.kill();
      expect((await sim.crawl()).why).toBe('idle');
      expect(sim.paths().slice(4)).toEqual([3, 4, 6, 7, 8, 9].map((n) => `/${n}`));
    },
  ),
);

test(
  bug('bug-054'),
  scenario(
    {
      sites: {
        'a.test': {
          '/': cached(page('Home', ['/x', '/y'])),
          '/x': (request) =>
            cached(page(request.at > 1_767_225_600_000 + 2 * HOUR_MS ? 'New X' : 'X'))(request),
          '/y': page('Y'),
        },
      },
    },
    async (sim) => {
      await sim.crawl();
      expect(sim.paths()).toEqual(['/', '/x', '/y']);
      // Nothing is due: nothing is requested and nothing goes.
      await sim.restart();
      await sim.crawl();
      expect(sim.paths()).toHaveLength(3);
      expect(sim.indexed()).toHaveLength(3);
      // Due and unchanged: conditional where there is a validator.
      await sim.crawlAll();
      expect(
        sim
          .requests()
          .slice(3)
          .map(({ path, etag }) => [path, etag !== null]),
      ).toEqual([
        ['/', true],
        ['/x', true],
        ['/y', false],
      ]);
      expect(sim.outcomes.slice(-3).map(({ outcome }) => outcome.outcome)).toEqual(
        Array(3).fill('NOT_MODIFIED'),
      );
      // One page has changed.
      await sim.clock.advance(3 * HOUR_MS);
      await sim.restart();
      await sim.crawlAll();
      expect(sim.found('new')).toEqual(['http://a.test/x']);
      expect(sim.row('http://a.test/x').changes).toBe(1);
      expect(sim.indexed()).toHaveLength(3);
    },
  ),
);

describe('Ctrl-C', () => {
  const sites = {
    'a.test': {
      '/': page('Home', ['/1', '/2', '/3', '/4']),
      '*': ({ path }: { path: string }) => slow(3000, page(path)),
    },
  };

  test(
    'once: what is in flight is finished and kept, nothing new is begun, nothing is done twice (R31)',
    scenario({ sites }, async (sim) => {
      const stop = sim.watch();
      await sim.clock.advance(4500);
      const asked = sim.paths();
      expect(asked).toEqual(['/', '/1', '/2']);
      expect((await stop()).why).toBe('stopped');
      expect(sim.paths()).toEqual(asked);
      expect(sim.indexed()).toHaveLength(3);
      await sim.restart();
      await sim.crawl();
      expect(sim.paths()).toEqual(['/', '/1', '/2', '/3', '/4']);
    }),
  );

  test(
    'twice: it leaves at once, and the pages broken off are asked again next time',
    scenario({ sites }, async (sim) => {
      const end = await brokenOff(sim, 4500);
      expect(end.why).toBe('stopped');
      expect(end.elapsedMs).toBeLessThan(4600);
      expect(sim.indexed()).toEqual(['http://a.test/']);
      await sim.restart();
      await sim.crawl();
      expect(sim.paths()).toEqual(['/', '/1', '/2', '/1', '/2', '/3', '/4']);
    }),
  );

  test(
    'while robots.txt is being fetched: the site is not taken for unreachable when the same process goes on',
    scenario(
      { sites: { 'a.test': { '/robots.txt': slow(5000, 'User-agent: *'), '/': page('Home') } } },
      async (sim) => {
        await brokenOff(sim, 2000);
        await sim.crawl();
        expect(sim.indexed()).toEqual(['http://a.test/']);
        expect(sim.paths('a.test', true)).toEqual(['/robots.txt', '/robots.txt', '/']);
      },
    ),
  );

  async function brokenOff(sim: Sim, afterMs: number): ReturnType<Sim['crawl']> {
    const abort = new AbortController();
    const leave = sim.watch({ abort: abort.signal });
    await sim.clock.advance(afterMs);
    abort.abort();
    return leave();
  }
});

/** Every page links all of them, and out of scope, and changes every day. */
const linkedSite: Site = Object.fromEntries(
  Array.from({ length: 8 }, (_, n) => {
    const links = ['/', '/1', '/2', '/3', '/4', '/5', '/6', '/7', 'http://out.test/'];
    const daily: Reply = ({ at }) => page(`Page ${n}, day ${Math.floor(at / DAY_MS)}`, links);
    return [n === 0 ? '/' : `/${n}`, daily];
  }),
);

describe('death at the worst moments', () => {
  test(
    'politeness outlives it: the next life keeps the rest of the host (R10)',
    scenario(
      { sites: { 'a.test': { '/robots.txt': 'User-agent: *\nCrawl-delay: 30', ...flatSite(5) } } },
      async (sim) => {
        for (let life = 0; life < 4; life++) {
          sim.watch();
          await sim.clock.advance(31 * SECOND_MS);
          await sim.kill();
        }
        await sim.crawl();
        expect(Math.min(...sim.gaps('a.test'))).toBeGreaterThanOrEqual(30 * SECOND_MS);
        expect(sim.indexed()).toHaveLength(6);
      },
    ),
  );

  test(
    'between answer and commit: the page is fetched once more, its links are found, nothing is half there',
    scenario(
      {
        sites: { 'a.test': flatSite(3), 'slow.test': { '*': slow(9000, page('Slow')) } },
        seeds: ['http://a.test/', 'http://slow.test/'],
      },
      async (sim) => {
        sim.watch();
        await sim.clock.advance(1000 + 50 + 5); // the other visit under way keeps the group open for company
        expect(sim.requests('a.test')[0]?.endedAt).not.toBeNull();
        await sim.kill();
        expect(Object.keys(sim.states())).toEqual(['http://a.test/', 'http://slow.test/']);
        expect(sim.indexed()).toEqual([]);
        await sim.crawl();
        expect(sim.paths('a.test').filter((path) => path === '/')).toHaveLength(2);
        expect(sim.indexed()).toHaveLength(5);
      },
    ),
  );

  test(
    'a visit that outlives its loan changes nothing: the page was lent again, and what that visit found stands',
    scenario(
      { sites: { 'a.test': { '/': [slow(400 * SECOND_MS, page('Old')), page('New')] } } },
      async (sim) => {
        const stop = sim.watch();
        await sim.clock.advance(500 * SECOND_MS);
        await stop();
        expect(sim.requests().map(({ answer }) => 'afterMs' in answer)).toEqual([true, false]);
        expect([sim.found('new'), sim.found('old')]).toEqual([['http://a.test/'], []]);
        expect(sim.row('http://a.test/').visits).toBe(1);
      },
    ),
  );

  test.each(['capture', 'document', 'robots', 'page', 'host', 'refusal', 'page_links', 'counter'])(
    'R18, R29 the disk fails while %s is written: the whole group is undone, and the next run completes it',
    (table) =>
      scenario({ sites: { 'a.test': { '/robots.txt': 'User-agent: *', ...linkedSite } } }, async (sim) => {
        await sim.crawl({ budget: { maxPages: 3, maxBytes: null, maxTimeMs: null } });
        const before = sim.indexed();
        expect(before).toHaveLength(3);
        await sim.clock.advance(DAY_MS);
        await sim.restart();
        sim.breakTable(table);
        await expect(sim.crawl()).rejects.toThrow('simulated failure');
        sim.mendTables();
        expect(sim.indexed()).toEqual(expect.arrayContaining(before));
        await sim.kill();
        await sim.crawl();
        expect(sim.indexed()).toHaveLength(8);
      })(),
  );
});

test(
  'a crawl that stays is not ended by coming back: only new pages count towards its limit',
  scenario(
    {
      sites: {
        'a.test': { ...flatSite(4), '/': ({ nth }) => page(`Home ${nth}`, ['/1', '/2', '/3', '/4']) },
      },
      config: { refresh: { policy: 'adaptive' } },
    },
    async (sim) => {
      await sim.watchFor(2 * DAY_MS, { budget: { maxPages: 6, maxBytes: null, maxTimeMs: null } });
      expect(sim.requests().length).toBeGreaterThan(20);
      const stop = sim.watch({ budget: { maxPages: 1, maxBytes: null, maxTimeMs: null } });
      await sim.clock.until(sim.node.add(['http://a.test/5', 'http://a.test/6']));
      await sim.clock.advance(HOUR_MS);
      expect(await stop()).toMatchObject({ why: 'limit', limit: 'limit.pages' });
    },
  ),
);

test(
  'a crawl that stays comes back to all its hosts at once, though one new page only is left of its limit',
  scenario(
    {
      sites: Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((name) => [`${name}.test`, { '/': slow(20 * SECOND_MS, page(name)) }]),
      ),
      seeds: ['a', 'b', 'c', 'd'].map((name) => `http://${name}.test/`),
    },
    async (sim) => {
      const stop = sim.watch({ budget: { maxPages: 5, maxBytes: null, maxTimeMs: null } });
      await sim.clock.advance(120 * SECOND_MS);
      expect(sim.indexed()).toHaveLength(4);
      sim.forcedAt.push(sim.clock.now());
      await sim.clock.until(sim.node.makeAllDue());
      await sim.clock.advance(5 * SECOND_MS);
      expect(sim.requests().filter((one) => one.endedAt === null)).toHaveLength(4);
      await stop();
    },
  ),
);

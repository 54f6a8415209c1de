/** Whole crawls: Retry-After, retries and back-off (R12, R13). */
import { describe, expect, test } from 'vitest';
import { bug, caseOf } from './cases.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './harness.ts';
import { scenario } from './scenario.ts';
import { fails, page, type Reply, slow, status } from './sites.ts';

const anyPage: Reply = ({ host, path }) => page(`${host}${path}`);

/** `http://host/1` … */
function urls(host: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `http://${host}/${n + 1}`);
}

describe('Retry-After', () => {
  const inSevenSeconds = (at: number): string => new Date(Math.ceil(at / 1000) * 1000 + 8000).toUTCString();

  test.each<[string, Reply]>([
    ['seconds', status(429, { 'retry-after': '7' })],
    ['a date', ({ at }) => status(429, { 'retry-after': inSevenSeconds(at) })],
    ['seconds, with 503', status(503, { 'retry-after': '7' })],
  ])(`${bug('bug-066')} (%s)`, (_form, refusal) =>
    scenario(
      {
        sites: { 'a.test': { '/p': [refusal, page('P')], '*': anyPage } },
        seeds: ['http://a.test/p', ...urls('a.test', 4)],
      },
      async (sim) => {
        await sim.crawl();
        const starts = sim.requests('a.test').map(({ at }) => at);
        expect(sim.paths('a.test')[0]).toBe('/p');
        // The next request of the whole host, not only of /p.
        expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(7000);
        expect(sim.paths('a.test').filter((path) => path === '/p')).toHaveLength(2);
        expect(sim.indexed()).toHaveLength(5);
      },
    )(),
  );

  test.each(['9999999999', '2147484', 'Fri, 31 Dec 9999 23:59:59 GMT'])(`${bug('bug-068')} (%s)`, (value) =>
    scenario(
      { sites: { 'a.test': { '/': [status(429, { 'retry-after': value }), page('P')] } } },
      async (sim) => {
        const stop = sim.watch();
        await sim.clock.advance(10 * MINUTE_MS);
        await stop();
        expect(sim.paths('a.test')).toEqual(['/']);
        await sim.crawlFor(32 * DAY_MS);
        expect(sim.indexed()).toEqual(['http://a.test/']); // the URL kept its place
      },
    )(),
  );

  test(
    bug('bug-069'),
    scenario(
      {
        sites: {
          'a.test': {
            '/': [
              status(429, { 'retry-after': '0' }),
              status(429, { 'retry-after': '-5' }),
              status(429, { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }),
              page('P'),
            ],
          },
        },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.paths('a.test')).toEqual(['/', '/', '/', '/']);
        expect(sim.indexed()).toEqual(['http://a.test/']);
      },
    ),
  );

  test(
    'R12 a Retry-After beyond the limit puts the whole host to sleep, and nothing of it is lost (fault 24)',
    scenario(
      {
        sites: { 'a.test': { '/1': [status(503, { 'retry-after': '3600' }), page('1')], '*': anyPage } },
        seeds: urls('a.test', 5),
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.paths('a.test')).toEqual(['/1']);
        await sim.crawlFor(HOUR_MS + MINUTE_MS);
        expect(sim.indexed()).toHaveLength(5);
        const [first, second] = sim.requests('a.test');
        expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(HOUR_MS);
      },
    ),
  );

  test(
    'R12 the host is left alone as long as it asks, also when the tries of the URL are used up',
    scenario(
      {
        sites: { 'a.test': { '/1': status(503, { 'retry-after': '120' }), '*': anyPage } },
        seeds: ['http://a.test/1'],
      },
      async (sim) => {
        await sim.crawl();
        const last = sim.requests('a.test').at(-1)?.at ?? 0;
        await sim.clock.until(sim.node.add(['http://a.test/2']));
        await sim.crawl();
        const next = sim.requests('a.test').find(({ path }) => path === '/2')?.at ?? 0;
        expect(next - last).toBeGreaterThanOrEqual(120_000);
      },
    ),
  );

  test(
    'R12 nothing is asked of a host between its 429 and its commit',
    scenario(
      {
        sites: {
          'a.test': { '/1': slow(890, status(429, { 'retry-after': '30' })), '*': anyPage },
          'b.test': { '*': ({ path }) => slow(9000, page(path)) },
        },
        seeds: [...urls('a.test', 3), ...urls('b.test', 3)],
      },
      async (sim) => {
        const stop = sim.watch();
        await sim.clock.advance(20_000);
        await stop();
        expect(sim.paths('a.test')).toEqual(['/1']);
      },
    ),
  );
});

describe('retries (http.json, group retry)', () => {
  const retry = (id: string): string => caseOf('http-retry', 'retry', id);

  test(
    retry('retry-004'),
    scenario(
      { sites: { 'a.test': { '/': [page('P'), status(410)] } }, config: { refresh: { policy: 'adaptive' } } },
      async (sim) => {
        await sim.crawl();
        expect(sim.found('about')).toEqual(['http://a.test/']);
        await sim.crawlFor(2 * HOUR_MS);
        expect(sim.paths('a.test')).toEqual(['/', '/']);
        expect(sim.states()).toEqual({ 'http://a.test/': 'gone http.410' });
        expect(sim.found('about')).toEqual([]);
      },
    ),
  );

  test(
    retry('retry-006'),
    scenario(
      { sites: { 'a.test': { '/': [status(429), status(429), status(429), page('P')] } } },
      async (sim) => {
        await sim.crawl();
        const gaps = sim.gaps('a.test').slice(1);
        expect(gaps).toHaveLength(3);
        for (const [n, gap] of gaps.entries()) expect(gap).toBeGreaterThanOrEqual(2000 * 2 ** n);
        expect(sim.indexed()).toHaveLength(1);
      },
    ),
  );

  test.each([408, 425, 500, 502, 503, 504])(`${retry('retry-008')} (%i)`, (code) =>
    scenario({ sites: { 'a.test': { '/': status(code) } } }, async (sim) => {
      await sim.crawl();
      expect(sim.paths('a.test')).toHaveLength(4);
      expect(sim.row('http://a.test/')).toMatchObject({ state: 'failed', status: code });
      expect(sim.row('http://a.test/').nextVisitAt).toBeGreaterThan(sim.clock.now()); // the failure list names the next try
    })(),
  );

  test(
    retry('retry-011'),
    scenario(
      {
        sites: {
          'a.test': { '/': page('Home', ['/lost']), '/lost': { fails: 'safety.dns', wasSent: false } },
        },
        seeds: ['http://a.test/', 'http://nowhere.test/'],
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.paths('a.test').filter((path) => path === '/lost')).toHaveLength(2);
        expect(sim.paths('nowhere.test', true).length).toBeLessThanOrEqual(4);
        expect(sim.states()['http://a.test/lost']).toBe('failed safety.dns');
      },
    ),
  );

  test(
    retry('retry-014'),
    scenario(
      {
        sites: { 'a.test': { '*': status(503) } },
        seeds: urls('a.test', 3),
        config: { politeness: { delay: '5s' } },
      },
      async (sim) => {
        await sim.crawl();
        expect(Math.min(...sim.gaps('a.test'))).toBeGreaterThanOrEqual(5000);
      },
    ),
  );

  test(
    `${retry('retry-016')}; R13 a host that is down is asked ever more rarely`,
    scenario(
      {
        sites: { 'a.test': { '*': fails('net.connect') }, 'b.test': { '/': page('B') } },
        seeds: downSeeds(),
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.requests('a.test', true).length).toBeLessThan(12);
        expect(sim.indexed()).toEqual(['http://b.test/']);
      },
    ),
  );

  test.each([403, 404, 401, 451])('R12 %i is not tried again', (code) =>
    scenario({ sites: { 'a.test': { '/': status(code) } } }, async (sim) => {
      await sim.crawl();
      expect(sim.paths('a.test')).toHaveLength(1);
    })(),
  );
});

/** A thousand URLs of a host that answers robots.txt and then nothing. */
function downSeeds(): string[] {
  return [...urls('a.test', 1000), 'http://b.test/'];
}

test(
  'R13 back-off widens with failures and narrows with success',
  scenario(
    {
      sites: {
        'a.test': { '*': ({ at }) => (at < 1_767_225_600_000 + 60_000 ? status(503) : page(String(at))) },
      },
      seeds: urls('a.test', 40),
    },
    async (sim) => {
      await sim.crawl();
      const gaps = sim.gaps('a.test');
      expect(Math.max(...gaps)).toBeGreaterThan(8000);
      expect(gaps.at(-1)).toBe(1000);
      expect(sim.indexed()).toHaveLength(40);
    },
  ),
);

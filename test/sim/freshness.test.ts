/** Whole crawls over days: conditional requests and the schedule (R19–R22). */
import { describe, expect, test } from 'vitest';
import { bug, casesOf } from './cases.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Sim } from './harness.ts';
import { scenario } from './scenario.ts';
import type { SimRequest } from './sim-web.ts';
import { cached, fails, page, type Reply, type Site, status } from './sites.ts';

const A = 'http://a.test/';
const html = page('P');
const tagged = (etag: string, body = html): Reply => status(200, { etag }, body);

/** What the server does visit by visit, and what the requests say. `null` for a validator: not sent. */
interface Played {
  readonly replies: readonly Reply[];
  /** If-None-Match and If-Modified-Since of the second and later requests. */
  readonly sent: readonly (readonly [etag: string | null, lastModified: string | null])[];
  readonly check?: (sim: Sim) => void;
}

const date = 'Sun, 06 Nov 1994 08:49:37 GMT';

const conditional: Readonly<Record<string, Played>> = {
  'conditional-000': { replies: [tagged('"abcdef"')], sent: [['"abcdef"', null]] },
  'conditional-001': { replies: [tagged('W/"abcdef"')], sent: [['W/"abcdef"', null]] },
  'conditional-002': { replies: [tagged('abcdef')], sent: [['abcdef', null]] },
  'conditional-004': { replies: [tagged('""')], sent: [['""', null]] },
  'conditional-005': { replies: [tagged('"abc-gzip"')], sent: [['"abc-gzip"', null]] },
  'conditional-007': { replies: [status(200, { 'last-modified': '0' }, html)], sent: [[null, '0']] },
  'conditional-008': {
    replies: [status(200, { etag: '"a"', 'last-modified': date }, html)],
    sent: [['"a"', date]],
  },
  'conditional-009': { replies: [html], sent: [[null, null]] },
  'conditional-012': {
    replies: [tagged('"a"'), status(304, { 'content-length': '0' })],
    sent: [['"a"', null]],
    check: (sim) => expect(sim.found('about')).toEqual([A]),
  },
  'conditional-016': {
    replies: [tagged('"a"'), status(410), html],
    sent: [
      ['"a"', null],
      [null, null],
    ],
    check: (sim) => expect(sim.indexed()).toEqual([A]),
  },
  'conditional-017': { replies: [fails('net.truncated'), html], sent: [[null, null]] },
  'conditional-018': {
    replies: [fails('content.size'), html],
    sent: [[null, null]],
  },
  'conditional-020': {
    replies: [tagged('"a"'), tagged('"b"')],
    sent: [
      ['"a"', null],
      ['"b"', null],
    ],
    check(sim) {
      const [first, second] = sim.outcomes
        .filter(({ outcome }) => outcome.outcome !== 'DEFERRED')
        .map(({ outcome }) => outcome);
      expect(second?.outcome).toBe('NOT_MODIFIED');
      expect(second?.document.action).not.toBe('put');
      expect(second?.record.contentHash).toBe(first?.record.contentHash);
      expect(second?.record).toMatchObject({ unchanged: 1, changes: 0 });
    },
  },
};

describe('conditional requests (http.json, group conditional)', () => {
  const cases = casesOf('http-exchange', 'conditional').filter(
    ({ level }) => level === 'must' || level === 'should',
  );

  test.each(cases.map(({ id, name }) => [id, name] as const))('%s %s', async (id) => {
    const one = conditional[id];
    if (one === undefined) throw new Error('this case is not played');
    await scenario({ sites: { 'a.test': { '/': one.replies } } }, async (sim) => {
      await sim.crawl();
      for (let visit = sim.paths().length; visit <= one.sent.length; visit++) await sim.crawlAll();
      const sent = sim
        .requests()
        .slice(1, 1 + one.sent.length)
        .map(({ etag, lastModified }) => [etag, lastModified]);
      expect(sent).toEqual(one.sent);
      one.check?.(sim);
    })();
  });

  test.each(['W/"abc"', '"abc-gzip"', '"a,b"', 'unquoted', '""'])(`${bug('bug-095')} (%s)`, (etag) =>
    scenario({ sites: { 'a.test': { '/': tagged(etag) } } }, async (sim) => {
      await sim.crawl();
      await sim.crawlAll();
      expect(sim.requests()[1]?.etag).toBe(etag);
    })(),
  );

  test(
    bug('bug-094'),
    scenario(
      {
        sites: { 'a.test': { '/': [tagged('"A"'), status(304), status(304), tagged('"B"', page('New P'))] } },
      },
      async (sim) => {
        await sim.crawl();
        const before = sim.node.find(A);
        await sim.crawlAll();
        await sim.crawlAll();
        expect(sim.requests()[2]?.etag).toBe('"A"');
        expect(sim.node.find(A)).toMatchObject({
          contentHash: before?.contentHash,
          status: 200,
          unchanged: 2,
        });
        expect(sim.found('about')).toEqual([A]);
        await sim.crawlAll();
        expect(sim.node.find(A)).toMatchObject({ etag: '"B"', unchanged: 0, changes: 1 });
        expect(sim.found('new')).toEqual([A]);
      },
    ),
  );

  test(
    'R19 bytes saved by a 304 are those of the last complete body',
    scenario({ sites: { 'a.test': { '/': [tagged('"A"'), status(304)] } } }, async (sim) => {
      await sim.crawl();
      const before = sim.node.find(A);
      expect(before?.bodyBytes).toBeGreaterThan(0);
      const saved: number[] = [];
      await sim.crawlAll({ onOutcome: (outcome) => saved.push(outcome.savedBytes) });
      expect(saved).toEqual([before?.bodyBytes]);
    }),
  );

  test(
    'fault 6: a validator is kept only with the content it stands for',
    scenario(
      {
        sites: {
          'a.test': { '/': cached(page('P').replace('<main>', '<meta name=robots content=noindex><main>')) },
        },
      },
      async (sim) => {
        await sim.crawl();
        await sim.crawlAll();
        expect(sim.requests()[1]).toMatchObject({ etag: null, lastModified: null });
      },
    ),
  );
});

describe('the schedule', () => {
  /** `[first word]` changes every so many ms; 0: never. */
  const curve =
    (periodMs: number): Reply =>
    ({ at }) =>
      page(periodMs === 0 ? 'Still' : `Edition ${Math.floor(at / periodMs)}`);
  const periods = [
    0,
    0,
    HOUR_MS / 4,
    HOUR_MS / 2,
    HOUR_MS,
    3 * HOUR_MS,
    12 * HOUR_MS,
    DAY_MS,
    7 * DAY_MS,
    30 * DAY_MS,
  ];

  test(
    'R21 interval curves of ten URLs over four days: still pages rest ever longer, busy ones are seen every half hour',
    scenario(
      {
        sites: { 'a.test': Object.fromEntries(periods.map((period, n) => [`/${n}`, curve(period)])) },
        seeds: periods.map((_, n) => `${A}${n}`),
        config: { refresh: { policy: 'adaptive', jitter: 0 } },
      },
      async (sim) => {
        await sim.crawlFor(4 * DAY_MS);
        const visits = periods.map((_, n) =>
          sim
            .requests()
            .filter(({ path }) => path === `/${n}`)
            .map(({ at }) => at),
        );
        const gaps = visits.map((times) => times.slice(1).map((at, index) => at - (times[index] ?? 0)));
        const [still = []] = gaps;
        for (const [n, gap] of still.entries()) expect(gap / (HOUR_MS * 1.5 ** n)).toBeCloseTo(1, 2);
        expect(Math.min(...(gaps[2] ?? []))).toBeGreaterThanOrEqual(30 * MINUTE_MS);
        expect(median(gaps[2] ?? [])).toBeLessThan(31 * MINUTE_MS);
        // The rarer the change, the fewer the visits.
        const counts = visits.slice(2).map((times) => times.length);
        expect(counts).toEqual([...counts].sort((a, b) => b - a));
      },
    ),
  );

  test(
    'faults 3 and 4: neither the first fetch nor an equal page counts as a change',
    scenario(
      {
        sites: { 'a.test': { '/': page('Same') } },
        config: { refresh: { policy: 'adaptive', jitter: 0 } },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.row(A)).toMatchObject({ changes: 0, changedAt: null, intervalMs: HOUR_MS });
        await sim.crawlFor(2 * HOUR_MS);
        expect(sim.row(A)).toMatchObject({
          changes: 0,
          changedAt: null,
          intervalMs: 1.5 * HOUR_MS,
          visits: 2,
        });
      },
    ),
  );

  test(
    'fault 2: errors neither shorten the interval nor make a hot loop',
    scenario(
      {
        sites: { 'a.test': { '/': [html, fails('net.timeout')] } },
        config: { refresh: { policy: 'adaptive', jitter: 0 } },
      },
      async (sim) => {
        await sim.crawlFor(DAY_MS);
        expect(sim.row(A).intervalMs).toBe(HOUR_MS);
        expect(sim.paths().length).toBeLessThan(10);
        expect(sim.indexed()).toEqual([A]); // a good copy is kept
      },
    ),
  );

  test(
    'fault 14: pages that fall due while a crawl runs are visited by it',
    scenario(
      { sites: { 'a.test': { '/': page('P') } }, config: { refresh: { policy: 'adaptive' } } },
      async (sim) => {
        const stop = sim.watch();
        await sim.clock.advance(3 * HOUR_MS);
        await stop();
        expect(sim.paths()).toHaveLength(3);
      },
    ),
  );

  test('R19 bandwidth: conditional requests bring the same index for a fraction of the bytes', async () => {
    const bytes: Record<string, number> = {};
    for (const [name, reply] of Object.entries({ conditional: cached, plain: (body: string) => body })) {
      const pages = Array.from({ length: 20 }, (_, n) => page(`Page ${n}`, [], 'long text '.repeat(500)));
      const site: Site = Object.fromEntries(pages.map((body, n) => [`/${n}`, reply(body)]));
      const options = {
        seeds: pages.map((_, n) => `${A}${n}`),
        config: { refresh: { policy: 'adaptive' } },
      } as const;
      await scenario({ sites: { 'a.test': site }, ...options }, async (sim) => {
        await sim.crawlFor(2 * DAY_MS);
        expect(sim.indexed()).toHaveLength(20);
        bytes[name] = sim.outcomes.reduce((sum, { outcome }) => sum + outcome.bytes, 0);
      })();
    }
    expect((bytes['conditional'] ?? 0) * 4).toBeLessThan(bytes['plain'] ?? 0);
  });
});

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

test('a host that is down takes no visits from the others', async () => {
  let isDown = false;
  const site = (name: string, mayBeDown: boolean): Site => {
    const unless =
      (reply: (path: string) => Reply) =>
      (request: SimRequest): Reply =>
        mayBeDown && isDown ? fails('net.connect') : reply(request.path);
    const links = Array.from({ length: 19 }, (_, n) => `/${n}`);
    return {
      '/robots.txt': unless(() => null),
      '*': unless((path) => page(`${name} ${path}`, path === '/' ? links : [])),
    };
  };
  const options = {
    sites: { 'a.test': site('A', false), 'b.test': site('B', true) },
    seeds: [A, 'http://b.test/'],
    config: { refresh: { budget: 40 } },
  };
  await scenario(options, async (sim) => {
    await sim.crawlFor(3 * DAY_MS);
    isDown = true;
    await sim.crawlFor(DAY_MS);
    const before = sim.requests('a.test').length;
    await sim.crawlFor(3 * DAY_MS);
    expect(sim.requests('a.test').length - before).toBeGreaterThan(30);
  })();
}, 20_000);

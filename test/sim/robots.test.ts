/** Whole crawls: robots.txt decides before anything else is asked (R9). */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bug, casesOf } from './cases.ts';
import { HOUR_MS, MINUTE_MS, type Sim } from './harness.ts';
import { scenario } from './scenario.ts';
import { fails, page, type Reply, redirect, type Site, slow, status } from './sites.ts';

const rules = 'User-agent: *\nDisallow: /restricted/\n';

describe('robots.txt first', () => {
  test(
    bug('bug-001'),
    scenario(
      {
        sites: {
          'a.test': {
            '/robots.txt': slow(1500, 'User-agent: *\nDisallow: /private/'),
            '*': ({ path }) => page(path, []),
          },
        },
        seeds: ['/', '/open', '/private/a', '/private/b', '/other'].map((path) => `http://a.test${path}`),
      },
      async (sim) => {
        await sim.crawl();
        const [first, second] = sim.requests('a.test', true);
        expect(first).toMatchObject({ path: '/robots.txt' });
        expect(second?.at).toBeGreaterThanOrEqual(first?.endedAt ?? Number.POSITIVE_INFINITY);
        expect(sim.paths('a.test', true).sort()).toEqual(['/', '/open', '/other', '/robots.txt']);
        expect(sim.row('http://a.test/private/a')).toMatchObject({
          state: 'blocked',
          reason: 'robots.disallow',
        });
      },
    ),
  );

  test(
    bug('bug-003'),
    scenario(
      {
        sites: {
          'a.test': { '/robots.txt': redirect(301, 'http://b.test/x/robots.txt'), '/p': page('A') },
          'b.test': {
            '/x/robots.txt': 'User-agent: *\nDisallow: /',
            '/robots.txt': 'User-agent: *\nDisallow:',
            '/p': page('B'),
          },
        },
        seeds: ['http://a.test/p', 'http://b.test/p'],
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.states()).toEqual({
          'http://a.test/p': 'blocked robots.disallow',
          'http://b.test/p': 'indexed',
        });
        expect(sim.paths('b.test', true).filter((path) => path !== '/x/robots.txt')).toEqual([
          '/robots.txt',
          '/p',
        ]);
      },
    ),
  );

  test(
    bug('bug-004'),
    scenario(
      {
        sites: {
          'a.test': {
            '/robots.txt': redirect(302, 'https://a.test/robots.txt'),
            '*': ({ path }) => page(path),
          },
          'https://a.test': { '/robots.txt': 'User-agent: *\nDisallow:' },
        },
        seeds: Array.from({ length: 10 }, (_, n) => `http://a.test/${n}`),
      },
      async (sim) => {
        await sim.crawl();
        expect(
          sim.requests('a.test', true).filter((one) => one.url === 'http://a.test/robots.txt'),
        ).toHaveLength(1);
        expect(sim.indexed()).toHaveLength(10);
      },
    ),
  );

  test(
    bug('bug-006'),
    scenario(
      {
        sites: {
          'five.test': { ...hops(5), '/x': page('X'), '/y': page('Y') },
          'six.test': { ...hops(6), '/x': page('X six') },
        },
        seeds: ['http://five.test/x', 'http://five.test/y', 'http://six.test/x'],
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.states()).toEqual({
          'http://five.test/x': 'blocked robots.disallow',
          'http://five.test/y': 'indexed',
          'http://six.test/x': 'indexed', // too many hops: unavailable, so no limits
        });
      },
    ),
  );

  test(
    bug('bug-013'),
    scenario(
      {
        sites: {
          'a.test': { '/robots.txt': redirect(301, 'http://b.test/robots.txt'), '/': page('A') },
          'b.test': {},
        },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.paths('a.test', true)).toEqual(['/robots.txt', '/']);
        expect(sim.paths('b.test', true)).toEqual(['/robots.txt']);
        expect(sim.indexed()).toEqual(['http://a.test/']);
      },
    ),
  );
});

function hops(count: number): Site {
  const entries = Array.from({ length: count }, (_, n): [string, Reply] => [
    n === 0 ? '/robots.txt' : `/r${n}`,
    redirect(301, `/r${n + 1}`),
  ]);
  return { ...Object.fromEntries(entries), [`/r${count}`]: 'User-agent: *\nDisallow: /x' };
}

interface FetchCase {
  readonly id: string;
  readonly name: string;
  readonly level: string;
  readonly server: Readonly<Record<string, unknown>>;
  readonly expect: Readonly<Record<string, unknown>>;
}

const cases = casesOf<FetchCase>('robots', 'fetch');

/** Answers that the case files describe in words of their own. */
const described: Readonly<Record<string, Reply>> = {
  'robots-fetch-14': fails('net.connect'),
  'robots-fetch-16': fails('net.truncated'),
  'robots-fetch-18': redirect(301, '/robots.txt'),
  'robots-fetch-22': status(
    200,
    { 'content-type': 'text/plain' },
    Buffer.from('474946383961d300fe00a2', 'hex').toString('latin1'),
  ),
  'robots-fetch-24': `User-agent: *\nDisallow: /first\n${`# ${'x'.repeat(100)}\n`.repeat(6000)}Disallow: /last\n`,
  'robots-fetch-26': slow(500, rules),
  'robots-fetch-28': [rules, 'User-agent: *\nDisallow: /'],
  'robots-fetch-30': { status: 200, headers: { 'content-encoding': 'gzip' }, body: gzipSync(rules) },
  'robots-fetch-32': [
    status(200, { 'cache-control': 'max-age=60' }, 'User-agent: *\nAllow: /'),
    'User-agent: *\nDisallow: /',
  ],
};

/** What is checked beyond which paths are requested. */
const extras: Readonly<Record<string, (sim: Sim) => Promise<void>>> = {
  async 'robots-fetch-08'(sim) {
    await sim.crawlFor(HOUR_MS);
    const [first, second] = sim.requests('a.test', true);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(120_000);
    expect(sim.paths('a.test')).toEqual([]);
  },
  async 'robots-fetch-18'(sim) {
    expect(sim.paths('a.test', true).filter((path) => path === '/robots.txt').length).toBeLessThanOrEqual(6);
  },
  async 'robots-fetch-26'(sim) {
    expect(sim.paths('a.test', true).filter((path) => path === '/robots.txt')).toHaveLength(1);
    expect(sim.indexed()).toHaveLength(20);
  },
};

/** Which pages are seeds, when it is not just those the case speaks of. */
const seedsOf: Readonly<Record<string, readonly string[]>> = {
  'robots-fetch-18': ['/index.html'],
  'robots-fetch-26': Array.from({ length: 20 }, (_, n) => `/page/${n}`),
  'robots-fetch-28': ['/index.html'],
  'robots-fetch-32': [...Array.from({ length: 100 }, (_, n) => `/early/${n}`), '/late'],
};

/** Verdicts that hold from some time on. */
const later: Readonly<Record<string, number>> = { 'robots-fetch-28': 25 * HOUR_MS };

describe('answers to robots.txt (robots.json, group fetch)', () => {
  test.each(
    cases
      .filter(({ level }) => level === 'must' || level === 'should')
      .map((one) => [one.id, one.name, one] as const),
  )('%s %s', async (id, _name, one) => {
    const paths = seedsOf[id] ?? Object.keys(one.expect).filter((key) => key.startsWith('/'));
    const sites = { 'a.test': { '/robots.txt': described[id] ?? replyOf(one.server), '*': indexPage } };
    const seeds = paths.map((path) => `http://a.test${path}`);
    await scenario({ sites, seeds }, async (sim) => {
      const start = sim.clock.now();
      if (later[id] === undefined) await sim.crawl();
      else await sim.crawlFor(40 * HOUR_MS);
      for (const [key, verdict] of Object.entries(one.expect)) {
        const path = /\/[^ ]*$/.exec(key)?.[0] ?? '';
        const asked = sim
          .requests('a.test')
          .filter((request) => request.path === path && request.at >= start + (later[id] ?? 0));
        if (verdict === 'fetch') expect(asked, path).toHaveLength(1);
        if (verdict === 'skip') expect(asked, path).toEqual([]);
      }
      await extras[id]?.(sim);
    })();
  });
});

const indexPage: Reply = ({ path }) => page(path);

/** The answer to robots.txt as the case file spells it. */
function replyOf(server: FetchCase['server']): Reply {
  const spelled = server['/robots.txt'] as {
    status: number;
    headers?: Record<string, string>;
    body?: string;
  };
  const headers = Object.fromEntries(
    Object.entries(spelled.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return status(spelled.status, headers, spelled.body);
}

test(
  'R9 a site whose robots.txt fails is left alone and asked again with growing patience',
  scenario({ sites: { 'a.test': { '/robots.txt': status(500), '/': page('A') } } }, async (sim) => {
    await sim.crawlFor(24 * HOUR_MS);
    expect(sim.paths('a.test')).toEqual([]);
    expect(sim.states()).toEqual({ 'http://a.test/': 'blocked robots.unreachable' });
    const gaps = sim.gaps('a.test');
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10 * MINUTE_MS);
    expect(gaps.length).toBeGreaterThan(20);
  }),
);

test(
  'R9 rules known before stay in force for a day while robots.txt cannot be had, then all is disallowed',
  scenario(
    {
      sites: {
        'a.test': {
          '/robots.txt': [rules, fails('net.timeout')],
          '/': page('A', ['/restricted/x', '/open']),
          '/open': page('Open'),
          '/restricted/x': page('X'),
        },
      },
      config: { refresh: { max: '2h' } },
    },
    async (sim) => {
      const start = sim.clock.now();
      await sim.crawlFor(72 * HOUR_MS);
      const times = sim.requests('a.test').map(({ at }) => at - start);
      expect(times.some((at) => at > 40 * HOUR_MS && at < 48 * HOUR_MS)).toBe(true);
      expect(times.filter((at) => at > 49 * HOUR_MS)).toEqual([]);
      expect(sim.indexed()).toEqual(['http://a.test/', 'http://a.test/open']); // what is known stays
    },
  ),
);

test(
  'R12 a wait named with robots.txt holds for the whole host, though its rules are still in force',
  scenario(
    {
      sites: {
        'a.test': {
          '/robots.txt': [
            rules,
            { ...status(503, { 'retry-after': '129600' }), restMs: 36 * HOUR_MS },
            rules,
          ],
          '/': page('A'),
        },
      },
      config: { refresh: { policy: 'adaptive', max: '2h' } },
    },
    async (sim) => {
      await sim.crawlFor(72 * HOUR_MS);
      const longest = Math.max(...sim.gaps('a.test'));
      expect(longest).toBeGreaterThanOrEqual(36 * HOUR_MS);
      expect(longest).toBeLessThan(40 * HOUR_MS);
    },
  ),
);

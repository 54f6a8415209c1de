/** Whole crawls: each page known is fetched once, however often it is met, and the crawl ends when the last is stored. */
import { expect, test } from 'vitest';
import { bug } from './cases.ts';
import { scenario } from './scenario.ts';
import { page, type Reply, slow, status } from './sites.ts';

/** `/1` … */
function paths(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `/${n + 1}`);
}

const A = 'http://a.test/';
const anyPage: Reply = ({ path }) => page(path);

test(
  bug('bug-057'),
  scenario(
    {
      sites: {
        'a.test': {
          '/': slow(300, page('Home', ['/1'])),
          '/1': slow(300, page('One', ['/2'])),
          '/2': page('Two'),
        },
      },
      config: { politeness: { concurrency: 8 } },
    },
    async (sim) => {
      expect((await sim.crawl()).why).toBe('idle');
      expect(sim.paths()).toEqual(['/', '/1', '/2']);
      expect(sim.indexed()).toEqual([A, `${A}1`, `${A}2`]);
    },
  ),
);

const tenHosts = Array.from({ length: 10 }, (_, host) => `h${host}.test`);
const hundredPages = tenHosts.flatMap((host) => paths(10).map((path) => `http://${host}${path}`));

test(
  bug('bug-059'),
  scenario(
    {
      sites: Object.fromEntries(
        tenHosts.map((host) => [host, { '*': ({ path }) => page(`${host}${path}`, hundredPages) }]),
      ),
      seeds: tenHosts.map((host) => `http://${host}/1`),
      latencyMs: () => 1700, // longer than the rest of a host, so that two workers are at every one of them
      config: { politeness: { concurrency: 16 } },
    },
    async (sim) => {
      await sim.crawl();
      expect([...sim.web.mostOpen.values()]).toEqual(tenHosts.map(() => 2));
      expect(
        sim
          .requests()
          .map(({ url }) => url)
          .sort(),
      ).toEqual([...hundredPages].sort());
    },
  ),
);

test(
  'bug-064: no more visits are under way than asked for, whatever number of links is known',
  scenario(
    {
      sites: Object.fromEntries(
        tenHosts.map((host) => [
          host,
          {
            '/1': page(
              host,
              Array.from({ length: 3000 }, (_, n) => `/${n + 2}`),
            ),
            '*': anyPage,
          },
        ]),
      ),
      seeds: tenHosts.map((host) => `http://${host}/1`),
      latencyMs: () => 1700,
      config: { politeness: { concurrency: 4 }, scope: { max_pages: 60 } },
    },
    async (sim) => {
      await sim.crawl();
      const requests = sim.requests(undefined, true);
      const open = requests.map(
        ({ at }) => requests.filter((one) => one.at <= at && (one.endedAt ?? at) > at).length,
      );
      expect(Math.max(...open)).toBe(4);
      expect(sim.node.frontier.stats()).toMatchObject({ inFlight: 0, waiting: 10 * 3001 - 60 });
    },
  ),
);

test(
  bug('bug-060'),
  scenario(
    {
      sites: { 'a.test': { '/': '<a href=/1>One</a>'.repeat(100_000), '/1': page('One') } },
      seeds: Array.from({ length: 1000 }, () => A),
    },
    async (sim) => {
      expect((await sim.crawl()).why).toBe('idle');
      expect(sim.paths()).toEqual(['/', '/1']);
    },
  ),
);

test.each([
  ['small bodies wait for company', 10_000, 250],
  ['bodies of 32 MB together do not, for they are held in memory', 34_000_000, 0],
])(
  '%s',
  async (_, bytes, waitMs) =>
    scenario(
      {
        sites: {
          'a.test': { '/': status(200, { 'content-type': 'text/plain' }, 'x'.repeat(bytes)) },
          'b.test': { '/': slow(5_000, page('Late')) },
        },
        seeds: [A, 'http://b.test/'],
        config: { limits: { body: '40MB' }, politeness: { concurrency: 8 } },
      },
      async (sim) => {
        await sim.crawl();
        const large = sim.outcomes.find(({ outcome }) => outcome.bytes === bytes);
        const answeredAt = (large?.outcome.head?.startedAt ?? 0) + (large?.outcome.head?.durationMs ?? 0);
        expect((large?.clockAt ?? 0) - answeredAt).toBe(waitMs);
      },
    )(),
  30_000,
);

/** Whole crawls: each page known is fetched once, however often it is met, and the crawl ends when the last is stored. */
import { expect, test } from 'vitest';
import { bug } from './cases.ts';
import { scenario } from './scenario.ts';
import { page, type Reply, slow } from './sites.ts';

/** `/1` … */
function paths(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `/${n + 1}`);
}

const A = 'http://a.test/';

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

test(
  bug('bug-059'),
  scenario(
    {
      sites: Object.fromEntries(
        Array.from({ length: 10 }, (_, host) => {
          const reply: Reply = ({ path }) => page(`${host}${path}`, paths(10));
          return [`h${host}.test`, { '*': reply }];
        }),
      ),
      seeds: Array.from({ length: 10 }, (_, host) => `http://h${host}.test/1`),
      latencyMs: () => 700,
      config: { politeness: { concurrency: 16 } },
    },
    async (sim) => {
      await sim.crawl();
      const urls = sim.requests().map(({ url }) => url);
      expect(urls).toHaveLength(100);
      expect(new Set(urls).size).toBe(100);
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

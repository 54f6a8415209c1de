/** Pages that the configuration leaves out after they were found. */
import { expect, test } from 'vitest';
import type { Sim } from './harness.ts';
import { scenario } from './scenario.ts';
import { page } from './sites.ts';

const site = { '/': page('Home', ['/a', '/b', '/deep/c']), '*': page('Leaf') };
const web = {
  sites: { 'a.test': site, 'b.test': { '/': page('Other') } },
  seeds: ['http://a.test/', 'http://b.test/'],
};

async function again(sim: Sim, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await sim.crawlAll();
}

test(
  'an excluded page is not asked for again, and leaves the index after three looks',
  scenario(web, async (sim) => {
    await sim.crawl();
    expect(sim.indexed()).toHaveLength(5);
    const asked = sim.requests('/b').length;
    const sites = sim.config.sites.map((one) => ({ ...one, exclude: [{ pattern: '/b', origin: 'test' }] }));
    await sim.restart({ sites });
    await again(sim, 2);
    expect(sim.indexed()).toHaveLength(5);
    await again(sim, 1);
    expect(sim.requests('/b')).toHaveLength(asked);
    expect(sim.states()['http://a.test/b']).toBe('blocked scope.rule');
    expect(sim.indexed()).toHaveLength(4);
  }),
);

test(
  'pages of a site that is no longer there are not asked for; taken in again they are fetched again',
  scenario(web, async (sim) => {
    await sim.crawl();
    const { sites } = sim.config;
    const asked = sim.requests().filter(({ url }) => url.startsWith('http://b.test/')).length;
    await sim.restart({ sites: sites.filter(({ start }) => !start.includes('http://b.test/')) });
    await again(sim, 3);
    expect(sim.requests().filter(({ url }) => url.startsWith('http://b.test/'))).toHaveLength(asked);
    expect(sim.states()['http://b.test/']).toBe('blocked scope.host');
    await sim.restart({ sites });
    await again(sim, 1);
    expect(sim.states()['http://b.test/']).toBe('indexed');
  }),
);

test(
  'a run that goes less deep leaves deeper pages as they are',
  scenario(web, async (sim) => {
    await sim.crawl();
    await sim.restart({ scope: { ...sim.config.scope, maxDepth: 0 } });
    await again(sim, 4);
    expect(sim.indexed()).toHaveLength(5);
  }),
);

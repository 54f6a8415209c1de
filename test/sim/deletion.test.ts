/** Whole crawls that lose pages: the mass-loss brake, what people do about it, and tombstones (R23). */
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Sim, type SimOptions } from './harness.ts';
import { scenario } from './scenario.ts';
import { cached, page, type Reply, type Site, status } from './sites.ts';

const HOST = 'a.test';
const PAGES = 100;
const A = `http://${HOST}/`;
const url = (n: number): string => `${A}p${n}`;

/** A front page and 99 others; those up to `lost` answer `reply` once `switched` says so. */
class Losing {
  lost = 0;
  reply: Reply = status(404);

  get site(): Site {
    const links = Array.from({ length: PAGES - 1 }, (_, i) => `/p${i + 1}`);
    const one = (n: number): Reply => (n <= this.lost ? this.reply : page(`Leaf ${n}`));
    return {
      '/': page('Front', links),
      ...Object.fromEntries(links.map((path, i) => [path, () => one(i + 1)])),
    };
  }

  get options(): SimOptions {
    // Pages are visited when a test says so, and when their short schedule does.
    const config = { politeness: { delay: '10ms' }, refresh: { initial: '30d', jitter: 0 } };
    return { sites: { [HOST]: this.site }, config };
  }
}

function heldIn(sim: Sim): number {
  return sim.node.removals.held().reduce((sum, { held }) => sum + held, 0);
}

async function looks(sim: Sim, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await sim.crawlAll();
}

describe.each([
  ['404', status(404), 'http.404'],
  ['410', status(410), 'http.410'],
  ['noindex', '<meta name=robots content=noindex><title>Leaf</title><p>text', 'directive.noindex'],
  ['login elsewhere', status(302, { location: '/login' }), 'content.login'],
  ['front page', status(302, { location: '/' }), 'redirected'],
] as const)('15 %% of a host answer %s at once', (_, reply, reason) => {
  test('nothing is removed, and it is said', async () => {
    const web = new Losing();
    await scenario(web.options, async (sim) => {
      await sim.crawl();
      expect(sim.node.index.count()).toBe(PAGES);
      web.lost = 15;
      web.reply = reply;
      await looks(sim, 4);
      expect(sim.node.reports.documents()).toBe(PAGES);
      expect(sim.node.removals.held()).toMatchObject([
        { host: HOST, held: 15, documents: PAGES, reasons: [{ reason, count: 15 }] },
      ]);
      expect(sim.states()[url(1)]).toBe('indexed gone.held');
      expect(sim.found('"leaf 7"')).toEqual([url(7)]);
      expect((await sim.node.explain(url(1))).verdict).toBe('indexed');

      await sim.kill();
      expect(heldIn(sim)).toBe(15);
      await looks(sim, 2);
      expect(sim.node.reports.documents()).toBe(PAGES);
      expect(heldIn(sim)).toBe(15);
    })();
  });
});

describe('5 % of a host', () => {
  test('are removed after three looks', async () => {
    const web = new Losing();
    await scenario(web.options, async (sim) => {
      await sim.crawl();
      web.lost = 5;
      await looks(sim, 2);
      expect(sim.node.index.count()).toBe(PAGES);
      await looks(sim, 1);
      expect(sim.node.index.count()).toBe(PAGES - 5);
      expect(heldIn(sim)).toBe(0);
      expect(sim.found('"leaf 3"')).toEqual([]);
    })();
  });

  test('and another 5 % the day after', async () => {
    const web = new Losing();
    await scenario(web.options, async (sim) => {
      await sim.crawl();
      web.lost = 8;
      await looks(sim, 3);
      expect(sim.node.index.count()).toBe(PAGES - 8);
      await sim.crawlFor(2 * DAY_MS);
      web.lost = 16;
      await looks(sim, 3);
      expect(sim.node.index.count()).toBe(PAGES - 16);
    })();
  });

  test('and another 8 % on the same day bring all of them back, held', async () => {
    const web = new Losing();
    await scenario(web.options, async (sim) => {
      await sim.crawl();
      web.lost = 8;
      await looks(sim, 3);
      web.lost = 16;
      await looks(sim, 3);
      expect(sim.node.index.count()).toBe(PAGES);
      expect(heldIn(sim)).toBe(16);
    })();
  });
});

describe('held removals', () => {
  const held = (play: (sim: Sim, web: Losing) => Promise<void>) => async (): Promise<void> => {
    const web = new Losing();
    await scenario(web.options, async (sim) => {
      await sim.crawl();
      web.lost = 15;
      await looks(sim, 3);
      expect(heldIn(sim)).toBe(15);
      await play(sim, web);
    })();
  };

  test(
    'are released by pages that are found',
    held(async (sim, web) => {
      web.lost = 12;
      await sim.crawlFor(2 * HOUR_MS);
      await looks(sim, 1);
      expect(heldIn(sim)).toBe(12);
      expect(sim.states()[url(13)]).toBe('indexed');
    }),
  );

  test(
    'go when so many are found that the rest is no mass loss',
    held(async (sim, web) => {
      web.lost = 5;
      await looks(sim, 2);
      expect(heldIn(sim)).toBe(0);
      expect(sim.node.index.count()).toBe(PAGES - 5);
    }),
  );

  test(
    'stay held through errors',
    held(async (sim, web) => {
      web.reply = status(503);
      await looks(sim, 1);
      expect(heldIn(sim)).toBe(15);
      expect(sim.states()[url(1)]).toBe('indexed gone.held');
    }),
  );

  test(
    'are applied at once, once, and can be undone one by one',
    held(async (sim) => {
      expect(await sim.node.removals.applyHeld('other.test')).toBe(0);
      expect(await sim.node.removals.applyHeld(HOST)).toBe(15);
      expect(await sim.node.removals.applyHeld(HOST)).toBe(0);
      expect(sim.node.index.count()).toBe(PAGES - 15);
      expect(sim.states()[url(1)]).toBe('gone http.404');
      const { steps } = await sim.node.explain(url(1));
      expect(steps).toContainEqual({ name: 'schedule', passed: null, detail: 'every 30 d' });
      expect(sim.found('"leaf 3"')).toEqual([]);
      await looks(sim, 3);
      expect(heldIn(sim)).toBe(0);

      const { id } = sim.node.find(url(3)) ?? { id: -1 };
      expect(await sim.node.removals.undelete(id)).toBe(true);
      expect(sim.found('"leaf 3"')).toEqual([url(3)]);
    }),
  );

  test(
    'are discarded: the pages stay, and are looked at again',
    held(async (sim, web) => {
      web.lost = 0;
      sim.forcedAt.push(sim.clock.now());
      expect(await sim.node.removals.discardHeld(null)).toBe(15);
      expect(heldIn(sim)).toBe(0);
      const before = sim.paths().length;
      await sim.crawlFor(MINUTE_MS);
      expect(sim.paths().length - before).toBe(15);
      expect(sim.states()[url(1)]).toBe('indexed');
    }),
  );
});

describe('a removed page', () => {
  const sites: SimOptions['sites'] = { [HOST]: { '/': [page('Front'), status(410), status(404)] } };
  const removed = async (sim: Sim): Promise<number> => {
    await sim.crawl();
    await sim.crawlAll();
    expect(sim.indexed()).toEqual([]);
    return sim.node.find(A)?.id ?? -1;
  };

  test(
    'comes back as it was, once, over a restart, and is looked at again',
    scenario({ sites }, async (sim) => {
      const id = await removed(sim);
      await sim.kill();
      sim.forcedAt.push(sim.clock.now());
      expect(await sim.node.removals.undelete(id)).toBe(true);
      expect(await sim.node.removals.undelete(id)).toBe(false);
      expect(sim.found('about front')).toEqual([A]);
      expect(sim.states()).toEqual({ [A]: 'indexed' });
      const before = sim.paths().length;
      await sim.crawl();
      expect(sim.paths().length).toBe(before + 1);
      expect(sim.found('about front')).toEqual([A]);
      await sim.crawlAll();
      await sim.crawlAll();
      expect(sim.found('about front')).toEqual([]);
    }),
  );

  test(
    'is forgotten for good after 30 days',
    scenario({ sites }, async (sim) => {
      const id = await removed(sim);
      await sim.clock.advance(30 * DAY_MS + 1);
      expect(await sim.node.removals.undelete(id)).toBe(false);
    }),
  );

  test(
    'leaves its place to a twin, and takes none when it comes back',
    scenario(
      {
        sites: {
          [HOST]: {
            '/': page('Front', ['/x', '/y']),
            '/x': [page('Twin'), status(410)],
            '/y': page('Twin'),
          },
        },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.found('twin')).toEqual([`${A}x`]);
        await sim.crawlAll();
        expect(sim.found('twin')).toEqual([`${A}y`]);
        expect(await sim.node.removals.undelete(sim.node.find(`${A}x`)?.id ?? -1)).toBe(true);
        expect(sim.hits('twin').map((hit) => [hit.url, ...hit.duplicates])).toEqual([[`${A}y`, `${A}x`]]);
      },
    ),
  );
});

test(
  'the life of a URL, told by explain at each step',
  scenario(
    {
      sites: {
        [HOST]: {
          '/': [
            cached(page('First')),
            cached(page('First')),
            cached(page('First')),
            page('Second'),
            status(404),
          ],
        },
      },
    },
    async (sim) => {
      const told = async (): Promise<string> => {
        const { verdict, reason, steps } = await sim.node.explain(A);
        const answer = steps.find(({ name }) => name === 'last answer')?.detail ?? '';
        const history = steps.find(({ name }) => name === 'history')?.detail ?? '';
        return `${verdict} ${reason ?? '-'} · ${answer} · ${history}`;
      };
      const steps: string[] = [await told()];
      for (let look = 0; look < 7; look++) {
        if (look === 5) await sim.kill();
        await (look === 0 ? sim.crawl() : sim.crawlAll());
        steps.push(await told());
      }
      const told404 = 'http.404 · 404 · The server does not find it (404).';
      const history = '4 visits of which 1 brought a change (0 unchanged in a row)';
      expect(steps).toEqual([
        'unknown - ·  · ',
        'indexed - · 200 · 1 visit of which 0 brought a change (0 unchanged in a row)',
        'indexed - · 200 · 2 visits of which 0 brought a change (1 unchanged in a row)',
        'indexed - · 200 · 3 visits of which 0 brought a change (2 unchanged in a row)',
        `indexed - · 200 · ${history}`,
        `indexed ${told404} · ${history}`,
        `indexed ${told404} · ${history}`,
        `not-indexed ${told404} · ${history}`,
      ]);
      expect(sim.found('second')).toEqual([]);
    },
  ),
);

/** Whole crawls over sites that answer 200 with something that is not the page (R23). */
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, type Sim, type SimOptions } from './harness.ts';
import { scenario } from './scenario.ts';
import { cached, page, type Reply, redirect, type Site } from './sites.ts';

const HOST = 'a.test';
const PAGES = 40;
const A = `http://${HOST}/`;
const url = (n: number): string => `${A}p${n}`;

const LOGIN =
  '<title>Log in | Intranet</title><meta name=robots content=noindex><h1>Log in</h1><form><input name=u><input type=password></form>';
const CHALLENGE =
  '<title>Just a moment...</title><meta name=robots content=noindex><script>window._cf_chl_opt={}</script><p>Checking</p>';
const NOT_FOUND =
  '<title>Page not found</title><h1>Page not found</h1><p>The page you requested does not exist.</p>';
const MAINTENANCE = '<title>系统维护中</title><h1>系统维护中</h1><p>请稍后再试。</p>';
const SHELL = '<title>Intranet</title><div id=root>Loading…</div>';

const prose = (n: number): string => `Leaf ${n} tells at length of the number ${n}. `.repeat(40);

/** A front page and others with much text; those up to `lost` answer `reply` instead. */
class Site40 {
  lost = 0;
  reply: Reply = null;
  readonly front: string = page(
    'Front',
    links,
    'Welcome to the house of numbers, where every one has a leaf. '.repeat(20),
  );

  get options(): SimOptions {
    const leaf = (n: number): Reply =>
      n <= this.lost ? this.reply : cached(page(`Leaf ${n}`, [], prose(n)));
    const site: Site = {
      '/': () => (this.lost === PAGES ? this.reply : this.front),
      ...Object.fromEntries(links.map((path, i) => [path, () => leaf(i + 1)])),
    };
    // Pages are visited when a test says so, and when their short schedule does.
    const config = {
      politeness: { delay: '10ms' },
      refresh: { policy: 'adaptive', initial: '30d', max: '30d', jitter: 0 },
    } as const;
    return { sites: { [HOST]: site }, config };
  }
}

const links: readonly string[] = Array.from({ length: PAGES - 1 }, (_, i) => `/p${i + 1}`);

function held(sim: Sim): number {
  return sim.node.removals.held().reduce((sum, one) => sum + one.held, 0);
}

async function looks(sim: Sim, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await sim.crawlAll();
}

function played(play: (sim: Sim, web: Site40) => Promise<void>): () => Promise<void> {
  return async () => {
    const web = new Site40();
    await scenario(web.options, async (sim) => {
      await sim.crawl();
      expect(sim.node.index.count()).toBe(PAGES);
      await play(sim, web);
    })();
  };
}

describe.each([
  ['a login, and says the login has not changed', cached(LOGIN), 'content.login'],
  ['a redirect to a login', redirect(302, '/login?next=/'), 'content.login'],
  ['"not found"', NOT_FOUND, 'content.soft404'],
  ['a check for robots', cached(CHALLENGE), 'content.blocked'],
  ['a notice of maintenance', MAINTENANCE, 'content.blocked'],
  ['a shell without text', SHELL, 'content.shrunk'],
] as const)('a whole host answers %s for a day', (_, reply, reason) => {
  test(
    'nothing is lost, and nothing is taken in its place',
    played(async (sim, web) => {
      web.lost = PAGES;
      web.reply = reply;
      await looks(sim, 1);
      expect(sim.states()[url(1)]).toBe(`indexed ${reason}`);
      await sim.crawlFor(DAY_MS / 2);
      await sim.kill();
      await looks(sim, 1);
      await sim.crawlFor(DAY_MS / 2);
      expect(sim.node.reports.documents()).toBe(PAGES);
      expect(sim.found('"leaf 7"')).toEqual([url(7)]);
      expect(sim.found('login')).toEqual([]);

      web.lost = 0;
      await looks(sim, 1);
      await sim.crawlFor(DAY_MS);
      expect(sim.node.reports.documents()).toBe(PAGES);
      expect(sim.indexed()).toHaveLength(PAGES);
      expect(held(sim)).toBe(0);
      expect(Object.values(sim.states()).filter((state) => state === 'indexed')).toHaveLength(PAGES);
      // The validators were those of the good copy all along.
      expect(sim.outcomes.at(-1)?.outcome.outcome).toBe('NOT_MODIFIED');
    }),
  );
});

describe.each([
  ['"not found"', NOT_FOUND, 'gone content.soft404'],
  ['the front page', null, 'gone content.soft404'],
  ['a login', LOGIN, 'blocked content.login'],
] as const)('a few pages answer %s', (_, reply, state) => {
  test(
    'they go after three looks',
    played(async (sim, web) => {
      web.lost = 2;
      web.reply = reply ?? web.front;
      await looks(sim, 2);
      expect(sim.node.index.count()).toBe(PAGES);
      await looks(sim, 1);
      expect(sim.node.index.count()).toBe(PAGES - 2);
      expect(sim.states()[url(1)]).toBe(state);
      expect(sim.found('"leaf 2"')).toEqual([]);
      web.lost = 0;
      await looks(sim, 1);
      expect(sim.found('"leaf 2"')).toEqual([url(2)]);
    }),
  );
});

test(
  'two looks of a kind and a good one begin anew',
  played(async (sim, web) => {
    web.reply = NOT_FOUND;
    for (const lost of [2, 2, 0, 2, 2]) {
      web.lost = lost;
      await looks(sim, 1);
    }
    expect(sim.node.index.count()).toBe(PAGES);
  }),
);

test(
  'a check for robots never removes a page, and its host is asked ever more rarely',
  played(async (sim, web) => {
    web.lost = 2;
    web.reply = CHALLENGE;
    await looks(sim, 2);
    const before = sim.paths().length;
    await sim.crawlFor(20 * DAY_MS);
    expect(sim.paths().length - before).toBeLessThan(20);
    expect(sim.states()[url(1)]).toBe('indexed content.blocked');
    expect(sim.found('"leaf 1"')).toEqual([url(1)]);
  }),
);

describe('pages that lose nearly all of their text', () => {
  test(
    'are believed after three looks when they are few',
    played(async (sim, web) => {
      web.lost = 2;
      web.reply = page('Short', [], 'Moved to the cellar.');
      await looks(sim, 2);
      expect(sim.found('"leaf 1"')).toEqual([url(1)]);
      expect(sim.found('cellar')).toEqual([]);
      await looks(sim, 1);
      expect(sim.found('"leaf 1"')).toEqual([]);
      expect(sim.found('cellar')).toEqual([url(1)]);
      expect(sim.states()[url(1)]).toBe('indexed');
    }),
  );

  test(
    'wait for a person when they are many, who may take what is left',
    played(async (sim, web) => {
      web.lost = 15;
      web.reply = page('Short', [], 'Moved to the cellar.');
      await looks(sim, 4);
      expect(held(sim)).toBe(15);
      expect(sim.states()[url(1)]).toBe('indexed gone.held');
      expect(sim.found('cellar')).toEqual([]);
      await sim.kill();
      sim.forcedAt.push(sim.clock.now());
      expect(await sim.node.removals.applyHeld(HOST)).toBe(15);
      expect(sim.states()[url(1)]).toBe('blocked content.shrunk');
      await looks(sim, 1);
      expect(sim.node.reports.documents()).toBe(PAGES);
      expect(sim.found('cellar')).toHaveLength(1);
    }),
  );
});

test(
  'what was never a page is not indexed, and is asked again',
  scenario(
    {
      sites: {
        [HOST]: {
          '/': page('Front', ['/login', '/old', '/busy', '/note']),
          '/login': LOGIN,
          '/old': NOT_FOUND.replace('</h1>', '</h1><a href=/trap>more</a>'),
          '/busy': [CHALLENGE, page('Busy')],
          '/note': page('Login – API reference', [], 'POST /login takes a name and a password.'),
        },
      },
    },
    async (sim) => {
      await sim.crawl();
      expect(sim.states()).toEqual({
        [A]: 'indexed',
        [`${A}login`]: 'blocked content.login',
        [`${A}old`]: 'missing content.soft404',
        [`${A}busy`]: 'failed content.blocked',
        [`${A}note`]: 'indexed',
      });
      await sim.crawlFor(6 * HOUR_MS);
      expect(sim.states()[`${A}busy`]).toBe('indexed');
      expect(sim.states()[`${A}old`]).toBe('gone content.soft404');
    },
  ),
);

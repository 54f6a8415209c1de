/** Whole crawls of sites without end (R2, R3, R5): the crawl walks out again and misses nothing real. */
import { describe, expect, test } from 'vitest';
import { bug } from './cases.ts';
import { scenario } from './scenario.ts';
import { page, type Reply, redirect, type Site, status } from './sites.ts';

const A = 'http://a.test/';

/** Links to `/docs/1` … */
const docs = Array.from({ length: 50 }, (_, n) => `/docs/${n + 1}`);
const docsSite: Site = Object.fromEntries(docs.map((path) => [path, page(path)]));

test(
  bug('bug-112'),
  scenario({ sites: { 'a.test': { '*': page('The same', ['www.a.test/p']) } } }, async (sim) => {
    expect((await sim.crawl()).why).toBe('idle');
    expect(sim.paths().length).toBeLessThan(20);
  }),
);

test(
  bug('bug-113'),
  scenario({ sites: { 'a.test': { '*': ({ path }) => page(path, ['a/']) } } }, async (sim) => {
    expect((await sim.crawl()).why).toBe('idle');
    expect(sim.paths()).toEqual(['/', '/a/', '/a/a/']);
    expect(sim.node.reports.refusals()).toMatchObject([
      { reason: 'trap.repeat', count: 1, samples: [`${A}a/a/a/`] },
    ]);
  }),
);

test(
  bug('bug-115'),
  scenario(
    {
      sites: {
        'a.test': {
          '/': page('Home', ['/shop', ...docs]),
          ...docsSite,
          '*': ({ path }) =>
            page(
              path,
              Array.from({ length: 20 }, (_, n) => withFilter(path, n)),
            ),
        },
      },
      config: { scope: { max_pages: 150 } },
    },
    async (sim) => {
      await sim.crawl();
      expect(sim.paths().filter((path) => path.startsWith('/docs/'))).toHaveLength(50);
    },
  ),
);

test(
  `${bug('bug-115')} (with a budget that would let it go on)`,
  scenario(
    {
      sites: {
        'a.test': {
          '/': page('Home', ['/shop']),
          '*': ({ path }) =>
            page(
              path,
              Array.from({ length: 20 }, (_, n) => withFilter(path, n)),
            ),
        },
      },
      config: { scope: { max_pages: 2000 }, politeness: { delay: 10 } },
    },
    async (sim) => {
      expect((await sim.crawl()).why).toBe('idle');
      expect(sim.paths().length).toBeLessThan(300);
      const reasons = sim.node.reports.refusals().map(({ reason }) => reason);
      expect(reasons).toContain('trap.variants');
    },
  ),
);

function withFilter(path: string, n: number): string {
  const url = new URL(path, A);
  url.searchParams.set(`f${n}`, '1');
  return url.pathname + url.search;
}

test(
  bug('bug-117'),
  scenario(
    {
      sites: {
        'a.test': {
          '/': page('Home', docs.slice(0, 9)),
          ...Object.fromEntries(docs.slice(0, 9).map((path) => [path, page(path, ['../old', 'x', '/lost'])])),
          '*': page('Nothing here', ['x/y']),
        },
      },
      config: { scope: { max_pages: 60 } },
    },
    async (sim) => {
      expect((await sim.crawl()).why).toBe('idle');
      // The pages, what they link wrongly, and what is linked there; what is linked in copies of that is not asked for.
      expect(sim.paths().sort()).toEqual(
        ['/', ...docs.slice(0, 9), '/old', '/lost', '/docs/x', '/x/y', '/docs/x/y'].sort(),
      );
      expect(sim.indexed()).toEqual(
        expect.arrayContaining([A, ...docs.slice(0, 9).map((path) => `http://a.test${path}`)]),
      );
      expect(sim.hits('"nothing here"').map(({ duplicates }) => duplicates.length)).toEqual([4]);
    },
  ),
);

describe('depth (R2)', () => {
  const chainOf = (length: number): Site =>
    Object.fromEntries(
      Array.from({ length }, (_, n) => [n === 0 ? '/' : `/${n}`, page(`Step ${n}`, [`/${n + 1}`])]),
    );

  test(
    'links are followed five deep',
    scenario({ sites: { 'a.test': chainOf(9) } }, async (sim) => {
      await sim.crawl();
      expect(sim.paths()).toEqual(['/', '/1', '/2', '/3', '/4', '/5']);
      expect(sim.node.reports.refusals()).toMatchObject([{ reason: 'scope.depth' }]);
    }),
  );

  test(
    'a shorter way found later opens what lies behind',
    scenario(
      {
        sites: { 'a.test': { ...chainOf(9), '/late': page('Late', ['/5']) } },
        seeds: [A],
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.paths().at(-1)).toBe('/5');
        await sim.clock.until(sim.node.add([`${A}late`]));
        await sim.crawl();
        expect(sim.paths().slice(6)).toEqual(['/late', '/5', '/6', '/7', '/8', '/9']);
        expect(sim.row(`${A}8`).depth).toBe(4);
      },
    ),
  );
});

describe('budgets (R3)', () => {
  const wide: Reply = ({ path }) =>
    page(
      path,
      Array.from({ length: 10 }, (_, n) => `${path === '/' ? '' : path}/${n}`),
    );

  test.each([
    ['limit.pages', { max_pages: 7 }],
    ['limit.bytes', { max_bytes: 4000 }],
    ['limit.time', { max_time: '12s' }],
  ] as const)('%s', (limit, scope) =>
    scenario({ sites: { 'a.test': { '*': wide } }, config: { scope } }, async (sim) => {
      expect(await sim.crawl()).toMatchObject({ why: 'limit', limit });
      expect(sim.paths().length).toBeLessThan(14);
      if (limit === 'limit.pages') expect(sim.paths()).toHaveLength(7);
      // The next run goes on where this one ended.
      const before = sim.paths();
      await sim.crawl();
      expect(
        sim
          .paths()
          .slice(before.length)
          .filter((path) => before.includes(path)),
      ).toEqual([]);
    })(),
  );

  test(
    'limit.host: the quota of a host keeps it from eating the crawl',
    scenario(
      {
        sites: { 'a.test': { '*': wide }, 'b.test': docsSite },
        seeds: [A, ...docs.map((path) => `http://b.test${path}`)],
        config: { scope: { max_pages_per_host: 50 } },
      },
      async (sim) => {
        await sim.crawl();
        const isPage = (path: string): boolean => path !== '/sitemap.xml';
        expect(sim.paths('a.test').filter(isPage)).toHaveLength(50);
        expect(sim.paths('b.test').filter(isPage)).toHaveLength(50);
        expect(sim.node.reports.refusals().map(({ reason }) => reason)).toContain('limit.host');
      },
    ),
  );

  test(
    'limit.links: what is not read of a page with too many links is counted',
    scenario(
      {
        sites: {
          'a.test': {
            '/': page(
              'Start',
              Array.from({ length: 20_100 }, (_, n) => `/n/${n}`),
            ),
          },
        },
        seeds: [A],
        config: { scope: { max_pages_per_host: 1 } },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.node.reports.refusals()).toContainEqual({
          reason: 'limit.links',
          count: 100,
          samples: [A],
        });
        const known = async (path: string): Promise<string | undefined> =>
          (await sim.node.explain(`http://a.test${path}`)).steps.find(({ name }) => name === 'known')?.detail;
        expect(await known('/n/20050')).toBe(
          `no; no link read so far leads to it, but not all links were read of ${A}`,
        );
      },
    ),
  );
});

describe('what a site asks for', () => {
  const meta = (name: string, links: string[]): string =>
    page(name, links).replace('<main>', `<meta name="robots" content="${name}"><main>`);

  test(
    'R6 nofollow of links, pages and headers; noindex pages are followed; javascript and mail are no links',
    scenario(
      {
        sites: {
          'a.test': {
            '/': page('Home', [
              '/nofollow',
              '/noindex',
              '/header',
              'javascript:alert(1)',
              'mailto:x@a.test',
            ]).replace('</nav>', '<a rel="noopener nofollow" href="/rel">no</a></nav>'),
            '/nofollow': meta('nofollow', ['/behind-page']),
            '/noindex': meta('noindex', ['/behind-noindex']),
            '/header': status(200, { 'x-robots-tag': 'nofollow' }, page('Header', ['/behind-header'])),
            '/behind-noindex': page('Found'),
          },
        },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.paths().sort()).toEqual(['/', '/behind-noindex', '/header', '/nofollow', '/noindex']);
        expect(sim.states()[`${A}noindex`]).toBe('blocked directive.noindex');
        expect(sim.node.reports.refusals().find(({ reason }) => reason === 'directive.nofollow')?.count).toBe(
          3,
        );
      },
    ),
  );

  test(
    'R1 scope: links that leave are counted by reason and never requested',
    scenario(
      {
        sites: {
          'a.test': {
            '/': page('Home', ['http://b.test/', 'http://sub.a.test/', '/logo.png', '/x', '/out']),
            '/x': page('X'),
            '/out': redirect(301, 'http://b.test/'),
          },
          'b.test': { '/': page('B') },
          'sub.a.test': { '/': page('Sub') },
        },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.paths()).toEqual(['/', '/x', '/out']);
        expect(new Set(sim.requests(undefined, true).map(({ host }) => host))).toEqual(new Set(['a.test']));
        expect(
          Object.fromEntries(sim.node.reports.refusals().map(({ reason, count }) => [reason, count])),
        ).toEqual({
          'scope.host': 2,
          'scope.extension': 1,
          'redirect.scope': 1,
        });
      },
    ),
  );
});

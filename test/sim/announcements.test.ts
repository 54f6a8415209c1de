/** Whole crawls: what sitemaps and feeds say of changes and of what is new (R25). */
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Sim } from './harness.ts';
import { scenario } from './scenario.ts';
import { cached, page, type Reply, robots, type Site, urlset, xml } from './sites.ts';

const A = 'http://a.test';

describe('lastmod', () => {
  const pages = 12;
  /** Page n changes every `n + 1` times eight hours; `lastmod` says when it did, or what it likes. */
  const changedAt = (n: number, at: number): number => at - (at % ((n + 1) * 8 * HOUR_MS));
  const site = (lastmod: (n: number, at: number) => number): Site => ({
    '/robots.txt': robots(`${A}/map.xml`),
    '/': page('Start'),
    '/map.xml': ({ at }) =>
      xml(urlset(...Array.from({ length: pages }, (_, n) => [`${A}/p/${n}`, lastmod(n, at)] as const))),
    '*': ({ path, at }) =>
      page(`Page ${path} of ${new Date(changedAt(Number(path.slice(3)), at)).toISOString()}`),
  });
  /** Requests for pages in the last ten of thirty days, and how stale the changes that were seen were on average. */
  async function play(sim: Sim): Promise<{ requests: number; staleMs: number }> {
    await sim.crawlFor(30 * DAY_MS);
    const since = sim.clock.now() - 10 * DAY_MS;
    const seen = sim.requests().filter(({ path, at }) => path.startsWith('/p/') && at >= since);
    const delays: number[] = [];
    for (let n = 0; n < pages; n++) {
      const visits = seen.filter(({ path }) => path === `/p/${n}`);
      for (
        let change = changedAt(n, since + pages * 8 * HOUR_MS);
        change < sim.clock.now();
        change += (n + 1) * 8 * HOUR_MS
      ) {
        const visit = visits.find(({ at }) => at >= change);
        delays.push((visit?.at ?? sim.clock.now()) - change);
      }
    }
    return { requests: seen.length, staleMs: delays.reduce((sum, ms) => sum + ms, 0) / delays.length };
  }
  const results = new Map<string, { requests: number; staleMs: number }>();
  const config = { refresh: { policy: 'adaptive', initial: '1d', min: '1d', jitter: 0 } } as const;
  const measured = (name: string, lastmod: (n: number, at: number) => number) =>
    scenario({ sites: { 'a.test': site(lastmod) }, sitemaps: 'auto', config }, async (sim) => {
      results.set(name, await play(sim));
    });

  test('of a host that is believed makes changed pages due', measured('honest', changedAt), 60_000);
  test(
    'of a host that says "now" every time is ignored',
    measured('lying', (_, at) => at),
    60_000,
  );
  test(
    'of the future is ignored',
    measured('future', (_, at) => at + HOUR_MS),
    60_000,
  );
  test('honesty pays', () => {
    const [honest, lying, future] = ['honest', 'lying', 'future'].map((name) => results.get(name));
    expect(lying).toEqual(future);
    expect((honest?.staleMs ?? 0) * 1.2).toBeLessThan(future?.staleMs ?? 0);
  });
});

/** Crawls one site that looks for sitemaps. */
function crawling(site: Site, check: (sim: Sim) => void | Promise<void>): () => Promise<void> {
  return scenario({ sites: { 'a.test': site }, sitemaps: 'auto' }, async (sim) => {
    await sim.crawl();
    await check(sim);
  });
}

const anyPage: Reply = ({ path }) => page(`Page ${path}`);

describe('feeds', () => {
  const feed = (...urls: string[]): string =>
    `<rss version="2.0"><channel>${urls.map((url) => `<item><link>${url}</link></item>`).join('')}</channel></rss>`;
  const rss = (body: string): Reply => xml(body, 'application/rss+xml');
  const withFeed = (href: string, ...links: string[]): string =>
    page('Start', links).replace(
      '<title>',
      `<link rel=alternate type=application/rss+xml href="${href}"><title>`,
    );

  test(
    'a feed that a page names is read, and its pages come first',
    crawling(
      {
        '/robots.txt': 'User-agent: *',
        '/': withFeed('/feed', '/old/1', '/old/2', '/old/3'),
        '/feed': rss(feed(`${A}/new`)),
        '/sitemap.xml': null,
        '*': anyPage,
      },
      (sim) => {
        expect(sim.states()[`${A}/feed`]).toBe('listed');
        expect(sim.paths().slice(0, 4)).toEqual(['/', '/sitemap.xml', '/feed', '/new']);
      },
    ),
  );

  test(
    'what is new in it is found within two hours, by visits no closer than the shortest interval',
    scenario(
      {
        sites: {
          'a.test': {
            '/': cached(withFeed('/feed')),
            '/feed': ({ at }) =>
              rss(
                feed(
                  ...Array.from({ length: 5 }, (_, n) => `${A}/story/${Math.floor(at / (6 * HOUR_MS)) - n}`),
                ),
              ),
            '*': ({ path }) => cached(page(`Page ${path}`)),
          },
        },
        sitemaps: 'auto',
        config: { refresh: { jitter: 0 } },
      },
      async (sim) => {
        await sim.crawlFor(2 * DAY_MS);
        const stories = sim.requests().filter(({ path, nth }) => path.startsWith('/story/') && nth === 0);
        const waits = stories.map(({ path, at }) => at - Number(path.slice(7)) * 6 * HOUR_MS).slice(5);
        expect(waits.length).toBeGreaterThanOrEqual(7);
        expect(Math.max(...waits)).toBeLessThan(2.3 * HOUR_MS);
        const polls = sim
          .requests()
          .filter(({ path }) => path === '/feed')
          .map(({ at }) => at);
        const gaps = polls.slice(1).map((at, n) => at - (polls[n] ?? 0));
        expect(Math.min(...gaps)).toBeGreaterThanOrEqual(30 * MINUTE_MS);
      },
    ),
  );

  test(
    'something called a feed that is a page is a page',
    crawling(
      {
        '/': withFeed('/blog/'),
        '/blog/': page('Blog', ['/post']),
        '/post': page('Post'),
        '/sitemap.xml': null,
      },
      (sim) => {
        expect(sim.indexed()).toEqual([`${A}/`, `${A}/blog/`, `${A}/post`]);
        expect(sim.node.find(`${A}/blog/`)?.kind).toBe('page');
      },
    ),
  );

  test(
    'a blog with a feed of comments for every post does not make a hundred feeds',
    crawling(
      {
        '/': page(
          'Start',
          Array.from({ length: 40 }, (_, n) => `/post/${n}`),
        ),
        '/sitemap.xml': null,
        '*': ({ path }) =>
          path.endsWith('/feed') ? rss(feed()) : withFeed(`${path}/feed`).replaceAll('Start', `Post ${path}`),
      },
      (sim) => {
        expect(sim.paths().filter((path) => path.endsWith('/feed'))).toHaveLength(20);
        expect(sim.indexed()).toHaveLength(41);
        expect(sim.node.reports.refusals()).toMatchObject([{ reason: 'limit.lists', count: 20 }]);
      },
    ),
  );
});

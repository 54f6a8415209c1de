/** Whole crawls: sitemaps (R25). */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bug, caseOf } from './cases.ts';
import { DAY_MS, type Sim } from './harness.ts';
import { scenario } from './scenario.ts';
import {
  cached,
  index,
  page,
  type Reply,
  redirect,
  robots,
  type Site,
  status,
  urlset,
  xml,
} from './sites.ts';

const A = 'http://a.test';
const anyPage: Reply = ({ path }) => page(`Page ${path}`);

/** Crawls one site that looks for sitemaps. */
function crawling(site: Site, check: (sim: Sim) => void | Promise<void>): () => Promise<void> {
  return scenario({ sites: { 'a.test': site }, sitemaps: 'auto' }, async (sim) => {
    await sim.crawl();
    await check(sim);
  });
}

describe('where sitemaps are found', () => {
  test(
    'named by robots.txt: its pages are indexed, it is not',
    crawling(
      {
        '/robots.txt': robots(`${A}/map.xml`),
        '/': page('Start'),
        '/map.xml': xml(urlset(`${A}/hidden`)),
        '/hidden': page('Hidden'),
      },
      (sim) => {
        expect(sim.indexed()).toEqual([`${A}/`, `${A}/hidden`]);
        expect(sim.states()[`${A}/map.xml`]).toBe('listed');
        expect(sim.row(`${A}/hidden`).depth).toBe(1);
        expect(sim.paths()).toEqual(['/', '/map.xml', '/hidden']);
      },
    ),
  );

  test(
    'the usual place, when robots.txt names none',
    crawling({ '/': page('Start'), '/sitemap.xml': xml(urlset(`${A}/x`)), '/x': page('X') }, (sim) => {
      expect(sim.indexed()).toContain(`${A}/x`);
    }),
  );

  test(
    'an error page in the usual place is no page',
    crawling({ '*': page('Sorry') }, (sim) => {
      expect(sim.states()).toEqual({ [`${A}/`]: 'indexed', [`${A}/sitemap.xml`]: 'blocked content.parse' });
    }),
  );

  test(
    'none: nothing is asked for',
    scenario(
      {
        sites: { 'a.test': { '/robots.txt': robots(`${A}/map.xml`), '/': page('Start') } },
        sitemaps: 'none',
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.paths()).toEqual(['/']);
      },
    ),
  );

  test(
    'a list of URLs: those and no others',
    scenario(
      {
        sites: {
          'a.test': {
            '/robots.txt': robots(`${A}/map.xml`),
            '/': page('Start'),
            '/mine.xml': xml(urlset(`${A}/x`)),
            '/x': page('X'),
          },
        },
        sitemaps: [`${A}/mine.xml`],
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.paths()).toEqual(['/', '/mine.xml', '/x']);
      },
    ),
  );

  test(
    'one that robots.txt names is read though its path is disallowed; what it lists obeys',
    crawling(
      {
        '/robots.txt': `User-agent: *\nDisallow: /private/\nSitemap: ${A}/private/map.xml`,
        '/': page('Start'),
        '/private/map.xml': xml(urlset(`${A}/private/1`, `${A}/x`)),
        '/x': page('X'),
      },
      (sim) => {
        expect(sim.paths()).toEqual(['/', '/private/map.xml', '/x']);
        expect(sim.states()[`${A}/private/1`]).toBe('blocked robots.disallow');
      },
    ),
  );

  test(
    'an index may not lead to a disallowed one',
    crawling(
      {
        '/robots.txt': `User-agent: *\nDisallow: /private/\nSitemap: ${A}/map.xml`,
        '/': page('Start'),
        '/map.xml': xml(index(`${A}/private/map.xml`)),
      },
      (sim) => expect(sim.paths()).toEqual(['/', '/map.xml']),
    ),
  );

  test(
    'a redirect of a sitemap leads to a sitemap',
    crawling(
      {
        '/robots.txt': robots(`${A}/map.xml`),
        '/': page('Start'),
        '/map.xml': redirect(301, '/maps/new.xml'),
        '/maps/new.xml': xml(urlset(`${A}/x`)),
        '/x': page('X'),
      },
      (sim) => {
        expect(sim.states()[`${A}/maps/new.xml`]).toBe('listed');
        expect(sim.indexed()).toContain(`${A}/x`);
      },
    ),
  );

  test(
    'a start page that robots.txt calls a sitemap stays a page',
    crawling({ '/robots.txt': robots(`${A}/`), '/': page('Start', ['/x']), '/x': page('X') }, (sim) => {
      expect(sim.indexed()).toEqual([`${A}/`, `${A}/x`]);
    }),
  );

  test(
    'requests for lists are not pages of the budget',
    scenario(
      {
        sites: {
          'a.test': {
            '/robots.txt': robots(`${A}/map.xml`),
            '/': page('Start'),
            '/map.xml': xml(urlset(`${A}/1`, `${A}/2`)),
            '*': anyPage,
          },
        },
        sitemaps: 'auto',
      },
      async (sim) => {
        const end = await sim.crawl({ budget: { maxPages: 2, maxBytes: null, maxTimeMs: null } });
        expect(end).toMatchObject({ why: 'limit', spent: { pages: 2 } });
        expect(sim.indexed()).toEqual([`${A}/`, `${A}/1`]);
      },
    ),
  );
});

describe('what a sitemap may do', () => {
  test(
    bug('bug-021'),
    scenario(
      {
        sites: {
          'a.test': {
            '/robots.txt': `User-agent: *\nDisallow: /docs/private\n${robots(`${A}/sm.xml`, 'http://127.0.0.1/sm.xml')}`,
            '/sm.xml': xml(
              urlset(
                ...['/docs/1', '/docs/private', '/shop/1'].map((path) => `${A}${path}`),
                'http://b.test/docs/1',
                'http://127.0.0.1/docs/1',
              ),
            ),
            '*': anyPage,
          },
          'b.test': { '*': anyPage },
          '127.0.0.1': { '*': anyPage },
        },
        seeds: [`${A}/docs/`],
        sitemaps: 'auto',
        rules: { include: ['/docs/**'] },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.paths(undefined, true)).toEqual(['/robots.txt', '/docs/', '/sm.xml', '/docs/1']);
        expect(sim.indexed()).toEqual([`${A}/docs/`, `${A}/docs/1`]);
        expect(sim.states()[`${A}/docs/private`]).toBe('blocked robots.disallow');
        expect(new Set(sim.requests().map(({ host }) => host))).toEqual(new Set(['a.test']));
        const refused = Object.fromEntries(
          sim.node.reports.refusals().map(({ reason, count }) => [reason, count]),
        );
        expect(refused).toEqual({ 'scope.rule': 1, 'scope.host': 3 });
      },
    ),
  );

  test(
    bug('bug-086'),
    crawling(
      {
        '/robots.txt': 'Sitemap: /sm.xml\nSitemap: //a.test/sm2.xml\nSitemap:\nSitemap: http://[bad',
        '/': page('Start'),
      },
      (sim) => expect(sim.paths()).toEqual(['/', '/sm.xml', '/sm2.xml']),
    ),
  );

  test(
    bug('bug-087'),
    crawling(
      {
        '/': page('Start'),
        '/sitemap.xml': xml(index(`${A}/sm.xml?from=1&amp;to=2`, `${A}/sitemap`, `${A}/sm.php?id=3`)),
        '/sm.xml?from=1&to=2': xml(urlset(`${A}/1`)),
        '/sitemap': xml(urlset(`${A}/2`)),
        '/sm.php?id=3': xml(urlset(`${A}/3`)),
        '*': anyPage,
      },
      (sim) => expect(sim.indexed()).toEqual([`${A}/`, `${A}/1`, `${A}/2`, `${A}/3`]),
    ),
  );

  test(
    bug('bug-088'),
    crawling(
      {
        '/robots.txt': robots(`${A}/1.xml`, `${A}/2.xml`),
        '/1.xml': xml('<urlset><url><loc>/a</loc></url></urlset>'),
        '/2.xml': xml(
          `<s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9'><s:url><s:loc> ${A}/b\n</s:loc></s:url></s:urlset>`,
        ),
        '*': anyPage,
      },
      (sim) => expect(sim.indexed()).toEqual([`${A}/`, `${A}/a`, `${A}/b`]),
    ),
  );

  test(
    bug('bug-091'),
    crawling(
      {
        '/robots.txt': robots(`${A}/index.xml`, `${A}/index.xml`),
        '/': page('Start'),
        '/index.xml': xml(index(`${A}/s1.xml`, `${A}/s1.xml`, `${A}/index.xml`, `${A}/S1.xml#f`)),
        '/s1.xml': xml(index(`${A}/index.xml`, `${A}/S1.xml`)),
        '/S1.xml': xml(urlset()),
      },
      (sim) => expect(sim.paths().sort()).toEqual(['/', '/S1.xml', '/index.xml', '/s1.xml']),
    ),
  );

  test(
    bug('bug-093'),
    crawling(
      {
        '/robots.txt': robots(`${A}/sm.xml.gz`),
        '/': page('Start'),
        '/sm.xml.gz': xml(gzipSync(urlset(`${A}/x`)), 'text/xml'),
        '/x': page('X'),
      },
      (sim) => expect(sim.indexed()).toContain(`${A}/x`),
    ),
  );

  test(
    caseOf('sitemaps', 'cases', 'sitemap-068'),
    scenario(
      {
        sites: {
          'a.test': { '/': page('Start'), '/sitemap.xml': xml(index('http://other.test/child.xml')) },
          'other.test': { '*': anyPage },
        },
        sitemaps: 'auto',
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.requests('other.test', true)).toEqual([]);
      },
    ),
  );

  test(
    caseOf('sitemaps', 'cases', 'sitemap-072'),
    crawling(
      {
        '/': page('Start'),
        '/sitemap.xml': xml(index(`${A}/s2.xml`)),
        '*': ({ path }) => xml(index(`${A}/s${Number(/\d+/.exec(path)?.[0]) + 1}.xml`)),
      },
      (sim) => expect(sim.paths()).toEqual(['/', '/sitemap.xml', '/s2.xml', '/s3.xml', '/s4.xml']),
    ),
  );

  test(
    'a sitemap is larger than a page may be',
    crawling(
      {
        '/': page('Start'),
        '/sitemap.xml': xml(`<!--${' '.repeat(6_000_000)}-->${urlset(`${A}/x`)}`),
        '/x': page('X'),
      },
      (sim) => expect(sim.indexed()).toContain(`${A}/x`),
    ),
  );
});

describe('a sitemap is visited like a page', () => {
  test(
    'asked for conditionally while its list is known, again when due',
    scenario(
      {
        sites: {
          'a.test': {
            '/': cached(page('Start')),
            '/sitemap.xml': cached(urlset(`${A}/x`)),
            '/x': cached(page('X')),
          },
        },
        sitemaps: 'auto',
        config: { refresh: { policy: 'adaptive' } },
      },
      async (sim) => {
        await sim.crawlFor(5 * DAY_MS);
        const [first, ...again] = sim.requests().filter(({ path }) => path === '/sitemap.xml');
        expect(first?.etag).toBeNull();
        expect(again.every(({ etag }) => etag !== null)).toBe(true);
        // Ever longer intervals, but once a day at least.
        const starts = [first, ...again].map((one) => one?.at ?? 0);
        const gaps = starts.slice(1).map((at, n) => at - (starts[n] ?? 0));
        expect(Math.max(...gaps)).toBeLessThan(1.2 * DAY_MS);
        expect(gaps.at(-1)).toBeGreaterThan(0.8 * DAY_MS);
        expect(sim.states()[`${A}/sitemap.xml`]).toBe('listed');
      },
    ),
  );

  test(
    'tried again after a failure, kept through a 404, and then given up',
    scenario(
      {
        sites: {
          'a.test': {
            '/': page('Start'),
            '/sitemap.xml': [status(503), status(200, { etag: '"1"' }, urlset(`${A}/x`)), status(404)],
            '/x': page('X'),
          },
        },
        sitemaps: 'auto',
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.indexed()).toContain(`${A}/x`);
        await sim.crawlAll();
        expect(sim.states()[`${A}/sitemap.xml`]).toBe('listed http.404');
        await sim.crawlAll();
        await sim.crawlAll();
        expect(sim.states()[`${A}/sitemap.xml`]).toBe('gone http.404');
        expect(sim.indexed()).toContain(`${A}/x`);
      },
    ),
  );

  test(
    'what it learns of is found by a crawler that died in between',
    scenario(
      {
        sites: { 'a.test': { '/': page('Start'), '/sitemap.xml': xml(urlset(`${A}/x`)), '/x': page('X') } },
        sitemaps: 'auto',
      },
      async (sim) => {
        await sim.crawl({ budget: { maxPages: 1, maxBytes: null, maxTimeMs: null } });
        await sim.kill();
        await sim.crawl();
        expect(sim.indexed()).toEqual([`${A}/`, `${A}/x`]);
        expect(sim.node.find(`${A}/sitemap.xml`)?.kind).toBe('sitemap');
      },
    ),
  );
});

/** Whole crawls: pages that go and come back, and pages that are the same page (R23, R24, R30). */
import { describe, expect, test } from 'vitest';
import { bug } from './cases.ts';
import { DAY_MS, HOUR_MS } from './harness.ts';
import { scenario } from './scenario.ts';
import { cached, fails, page, type Reply, redirect, status } from './sites.ts';

const A = 'http://a.test/';
const html = page('P');
const tagged = status(200, { etag: '"good"' }, html);

describe('loss and return', () => {
  test(
    'fetch, refetch, three times 404, removed; later it is back (R23, bug-099, faults 7 to 9)',
    scenario(
      {
        sites: { 'a.test': { '/': [html, html, status(404), status(404), status(404), html] } },
        config: { refresh: { policy: 'adaptive' } },
      },
      async (sim) => {
        await sim.crawlFor(2 * HOUR_MS);
        expect(sim.paths()).toHaveLength(2);
        for (const isStill of [true, true, false]) {
          await sim.crawlAll();
          expect(sim.found('about')).toEqual(isStill ? [A] : []);
        }
        expect(sim.states()).toEqual({ [A]: 'gone http.404' });
        expect(sim.row(A).nextVisitAt).toBeGreaterThan(sim.clock.now() + 7 * DAY_MS);
        await sim.crawlFor(40 * DAY_MS);
        expect(sim.found('about')).toEqual([A]); // its own old hash does not block it
      },
    ),
  );

  test(
    'fault 8: three strikes take hours, not months, whatever the interval was',
    scenario(
      { sites: { 'a.test': { '/': ({ at }) => (at > 1_767_225_600_000 + 20 * DAY_MS ? null : html) } } },
      async (sim) => {
        await sim.crawlFor(40 * DAY_MS);
        const lost = sim.outcomes
          .filter(({ outcome }) => outcome.outcome === 'NOT_FOUND')
          .map(({ at }) => at);
        expect((lost[2] ?? Number.POSITIVE_INFINITY) - (lost[0] ?? 0)).toBeLessThan(3 * HOUR_MS);
        expect(sim.states()).toEqual({ [A]: 'gone http.404' });
      },
    ),
  );

  test.each<[string, Reply]>([
    ['an empty body', ''],
    ['a login', status(401)],
    ['a refusal', status(403)],
    ['a redirect to a login page', redirect(302, '/login')],
    ['a server error', status(500)],
    ['another kind of file', status(200, { 'content-type': 'application/pdf' }, '%PDF-1.4')],
  ])('R23 one look at %s does not replace a good copy', (_what, reply) =>
    scenario({ sites: { 'a.test': { '/': [html, reply, html], '/login': page('Login') } } }, async (sim) => {
      await sim.crawl();
      await sim.crawlAll();
      expect(sim.found('"all about p"')).toEqual([A]);
      await sim.crawlAll();
      expect(sim.row(A).state).toBe('indexed');
    })(),
  );

  test(
    bug('bug-099'),
    scenario(
      { sites: { 'a.test': { '/': page('Home', ['/p']), '/p': [page('Zebra'), status(410)] } } },
      async (sim) => {
        await sim.crawl();
        expect(sim.found('zebra')).toEqual([`${A}p`]);
        sim.breakTable('page'); // the state is written after the index
        await sim.clock.advance(2 * HOUR_MS);
        await expect(sim.crawl()).rejects.toThrow('simulated failure');
        sim.mendTables();
        await sim.kill();
        expect(sim.found('zebra').length).toBe(sim.row(`${A}p`).state === 'indexed' ? 1 : 0);
        await sim.crawlAll();
        expect(sim.found('zebra')).toEqual([]);
        expect(sim.states()[`${A}p`]).toBe('gone http.410');
      },
    ),
  );

  test.each(['net.truncated', 'content.encoding', 'content.size'] as const)(
    'bug-074: after %s a good copy stays, with its validator; a new page is not stored, and tried a few times at most',
    (reason) =>
      scenario(
        {
          sites: {
            'a.test': {
              '/': cached(page('Home', ['/old', '/new'])),
              '/old': [tagged, fails(reason)],
              '/new': fails(reason),
            },
          },
        },
        async (sim) => {
          await sim.crawl();
          expect(sim.states()[`${A}new`]).toBe(
            `${reason === 'content.size' ? 'blocked' : 'failed'} ${reason}`,
          );
          const tries = sim.paths().filter((path) => path === '/new').length;
          expect(tries).toBe(reason === 'net.truncated' ? 4 : 1);
          expect(sim.found('new')).toEqual([]);
          await sim.crawlAll();
          expect(sim.found('"all about p"')).toEqual([`${A}old`]);
          expect(sim.node.find(`${A}old`)).toMatchObject({ etag: '"good"', changes: 0, state: 'indexed' });
          const asked = sim.requests().filter(({ path }) => path === '/old');
          expect(asked.slice(1).map(({ etag }) => etag)).toEqual(asked.slice(1).map(() => '"good"'));
        },
      )(),
  );

  test(
    'bug-073: neither a 304 nor an empty body is an error because a coding is named',
    scenario(
      {
        sites: {
          'a.test': {
            '/': page('Home', ['/p', '/e']),
            '/p': [tagged, status(304, { 'content-encoding': 'gzip', etag: '"good"' })],
            '/e': status(200, { 'content-encoding': 'gzip' }, ''),
          },
        },
      },
      async (sim) => {
        await sim.crawl();
        await sim.crawlAll();
        expect(sim.paths()).toEqual(['/', '/p', '/e', '/', '/p', '/e']); // no retry
        expect(sim.outcomes.slice(-3).map(({ outcome }) => outcome.outcome)).toEqual([
          'NOT_MODIFIED',
          'NOT_MODIFIED',
          'BLOCKED',
        ]);
        expect(sim.states()[`${A}e`]).toBe('blocked content.empty');
        expect(sim.found('"all about p"')).toEqual([`${A}p`]);
      },
    ),
  );

  test(
    'a noindex takes the page out at once',
    scenario(
      {
        sites: {
          'a.test': { '/': [html, html.replace('<main>', '<meta name=robots content=noindex><main>')] },
        },
      },
      async (sim) => {
        await sim.crawl();
        await sim.crawlAll();
        expect(sim.states()).toEqual({ [A]: 'blocked directive.noindex' });
        expect(sim.found('about')).toEqual([]);
      },
    ),
  );
});

describe('one page, one document', () => {
  test(
    bug('bug-041'),
    scenario(
      {
        sites: {
          'a.test': { '/blog': page('Blog', ['#c', '/blog?page=2#c', '/blog']), '/blog?page=2': page('Two') },
        },
        seeds: ['HTTP://A.test:80/blog#top'],
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.paths()).toEqual(['/blog', '/blog?page=2']);
      },
    ),
  );

  test(
    bug('bug-048'),
    scenario(
      { sites: { 'a.test': { '/box/test.html': page('T', ['#test']) } }, seeds: [`${A}box/test.html`] },
      async (sim) => {
        await sim.crawl();
        expect(sim.paths()).toEqual(['/box/test.html']);
      },
    ),
  );

  const named = (title: string, ...canonicals: string[]): string =>
    page(title).replace(
      '<title>',
      `${canonicals.map((href) => `<link rel=canonical href="${href}">`).join('')}<title>`,
    );

  test(
    bug('bug-100'),
    scenario(
      {
        sites: {
          'a.test': {
            '/': page('Home', ['/p?v=1', '/p', '/q', '/r', '/s']),
            '/p?v=1': named('Product', '/p'),
            '/p': named('Product', '/p'),
            '/q': named('Queue', 'http://other.test/q'),
            '/r': named('Rest', '/missing'),
            '/s': named('Sun', '/s1', '/s2'),
          },
        },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.found('product')).toEqual([`${A}p`]);
        expect(sim.found('queue')).toEqual([`${A}q`]);
        expect(sim.found('rest')).toEqual([`${A}r`]);
        expect(sim.found('sun')).toEqual([`${A}s`]);
      },
    ),
  );

  test(
    'R24 of twins one stands for all, and the other takes its place when it goes',
    scenario(
      {
        sites: {
          'a.test': {
            '/': page('Home', ['/1', '/2']),
            '/1': [page('Twin'), status(410)],
            '/2': page('Twin'),
          },
        },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.hits('twin').map(({ url, duplicates }) => [url, duplicates])).toEqual([
          [`${A}1`, [`${A}2`]],
        ]);
        await sim.crawlAll();
        expect(sim.hits('twin').map(({ url, duplicates }) => [url, duplicates])).toEqual([[`${A}2`, []]]);
      },
    ),
  );

  test(
    'fault 5: all passages of a long page are found, also after a change',
    scenario({ sites: { 'a.test': { '/': [long('first'), long('second')] } } }, async (sim) => {
      await sim.crawl();
      for (const n of [0, 20, 39]) expect(sim.found(`first${n}`)).toEqual([A]);
      await sim.crawlAll();
      for (const n of [0, 20, 39]) expect(sim.found(`second${n}`)).toEqual([A]);
      for (const n of [0, 20, 39]) expect(sim.found(`first${n}`)).toEqual([]);
    }),
  );

  function long(word: string): string {
    const paragraphs = Array.from(
      { length: 40 },
      (_, n) => `<p>${word}${n} ${'and some more words to read '.repeat(20)}</p>`,
    );
    return page('Long', [], '').replace('</p></main>', `</p>${paragraphs.join('')}</main>`);
  }
});

test(
  'a page that names the day of its end is in the index until then',
  scenario(
    {
      sites: {
        'a.test': {
          '/': page('Home', ['/offer']),
          '/offer': `<meta name=robots content="unavailable_after: 2026-02-01">${page('Offer')}`,
        },
      },
    },
    async (sim) => {
      await sim.crawl();
      expect(sim.found('offer')).toEqual(['http://a.test/offer']);
      await sim.clock.advance(40 * DAY_MS);
      await sim.crawlAll();
      expect(sim.found('offer')).toEqual([]);
      expect(sim.states()['http://a.test/offer']).toBe('blocked directive.noindex');
    },
  ),
);

test(
  'explain names the page that stands for a copy, and says when links were left out for their depth',
  scenario(
    {
      sites: {
        'a.test': {
          '/': page('Home', ['/one', '/two']),
          '/one': page('Same', ['/deep']),
          '/two': page('Same', ['/deep']),
        },
      },
      config: { scope: { depth: 1 } },
    },
    async (sim) => {
      await sim.crawl();
      const details = async (path: string): Promise<Record<string, string>> => {
        const { steps } = await sim.node.explain(`http://a.test${path}`);
        return Object.fromEntries(steps.map(({ name, detail }) => [name, detail]));
      };
      expect((await details('/two'))['same as']).toBe('http://a.test/one, which stands for it');
      expect(Object.keys(await details('/one'))).not.toContain('same as');
      expect((await details('/deep'))['known']).toBe(
        'no; no link taken so far leads to it, but links deeper than scope.depth were not taken',
      );
    },
  ),
);

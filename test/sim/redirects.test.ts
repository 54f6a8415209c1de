/** Whole crawls: redirects, and what leads out of scope or to addresses that are not public (R1, R15, R16). */
import { describe, expect, test } from 'vitest';
import { bug, casesOf } from './cases.ts';
import type { Sim } from './harness.ts';
import { scenario } from './scenario.ts';
import { page, redirect, robots, type Site, type Sites, status, urlset, xml } from './sites.ts';

/** What a case makes of a site `h.test`, and what must come of it; the seed is `/a` unless another is named. */
interface Played {
  readonly site: Site;
  readonly seeds?: readonly string[];
  readonly others?: Sites;
  /** Paths requested of h.test, in order. */
  readonly paths?: readonly string[];
  readonly states: Readonly<Record<string, string>>;
  readonly check?: (sim: Sim) => void;
}

const h = (path: string): string => `http://h.test${path}`;
const end = { '/b': page('B') };
/** UTF-8 of é as it comes over the wire (also bug-032). */
const rawUtf8 = Buffer.from('/café').toString('latin1');

function chain(hops: number): Site {
  const entries = Array.from({ length: hops }, (_, n) => [`/${n}`, redirect(302, `/${n + 1}`)] as const);
  return { ...Object.fromEntries(entries), [`/${hops}`]: page('End') };
}

function plain(code: number): Played {
  return {
    site: { '/a': redirect(code, h('/b')), ...end },
    paths: ['/a', '/b'],
    states: { [h('/a')]: 'redirected', [h('/b')]: 'indexed' },
  };
}

/** The target is asked for at this path. */
function leadsTo(location: string, path: string, seed = '/a'): Played {
  return {
    site: { [seed]: redirect(302, location), [path]: page('Target') },
    seeds: [h(seed)],
    paths: [seed, path],
    states: { [h(seed)]: 'redirected', [h(path)]: 'indexed' },
  };
}

/** The redirect is the end: nothing else is requested. */
function endsHere(answer: Site['/a'], state: string): Played {
  return { site: { '/a': answer ?? null, ...end }, paths: ['/a'], states: { [h('/a')]: state } };
}

const played: Readonly<Record<string, Played>> = {
  'redirect-000': plain(301),
  'redirect-002': plain(303),
  'redirect-003': plain(307),
  'redirect-004': plain(308),
  'redirect-006': {
    site: { '/a': redirect(302, '//h2.test/b') },
    others: { 'h2.test': { '/b': page('B2'), '/': page('Home 2') } },
    seeds: [h('/a'), 'http://h2.test/'],
    states: { [h('/a')]: 'redirected', 'http://h2.test/b': 'indexed' },
  },
  'redirect-007': leadsTo('?y=2', '/a?y=2', '/a?x=1'),
  'redirect-008': { ...leadsTo('/b', '/b'), seeds: [h('/a#f')] },
  'redirect-009': leadsTo(rawUtf8, '/caf%C3%A9'),
  'redirect-010': leadsTo('/caf\xe9', '/caf%E9'),
  'redirect-011': leadsTo('/x y', '/x%20y'),
  'redirect-012': endsHere(status(302), 'failed http.unexpected'),
  'redirect-014': endsHere(redirect(302, 'http://[::1'), 'redirected redirect.invalid'),
  'redirect-015': endsHere(redirect(302, 'mailto:x@h.test'), 'redirected redirect.invalid'),
  'redirect-019': {
    site: chain(6),
    seeds: [h('/0')],
    paths: ['/0', '/1', '/2', '/3', '/4', '/5'],
    states: { [h('/5')]: 'redirected redirect.limit' },
  },
  'redirect-020': { site: chain(5), seeds: [h('/0')], states: { [h('/5')]: 'indexed' } },
  'redirect-021': {
    site: {
      '/': page('Home', ['/b', '/late']),
      '/late': page('Late', ['/a']),
      '/a': redirect(302, '/b'),
      ...end,
    },
    seeds: [h('/')],
    paths: ['/', '/b', '/late', '/a'],
    states: { [h('/a')]: 'redirected', [h('/b')]: 'indexed' },
    check: (sim) => expect(sim.row(h('/a')).redirectTo).toBe(h('/b')),
  },
  'redirect-022': {
    site: { '/robots.txt': 'User-agent: *\nDisallow: /private', '/a': redirect(302, '/private') },
    paths: ['/a'],
    states: { [h('/private')]: 'blocked robots.disallow' },
  },
  'redirect-023': {
    site: { '/a': redirect(302, 'http://other.test/') },
    others: { 'other.test': { '/': page('Other') } },
    states: { [h('/a')]: 'redirected redirect.scope' },
    check: (sim) => expect(sim.requests('other.test', true)).toEqual([]),
  },
  'redirect-024': {
    site: { '/a': redirect(301, '/c'), '/b': redirect(301, '/c'), '/c': page('C') },
    seeds: [h('/a'), h('/b')],
    paths: ['/a', '/b', '/c'],
    states: { [h('/c')]: 'indexed' },
    check: (sim) => expect(sim.indexed()).toEqual([h('/c')]),
  },
  'redirect-026': endsHere(status(300, {}, page('Choices')), 'failed http.unexpected'),
  'redirect-027': endsHere(status(304, { location: '/b' }), 'failed http.unexpected'),
  'redirect-029': endsHere(status(201, { location: '/b' }, page('Made')), 'indexed'),
};

/** Played where the rest of hosts is tested. */
const elsewhere = ['redirect-031'];

describe('redirects (http.json, group redirects)', () => {
  const cases = casesOf('http-exchange', 'redirects').filter(
    ({ level }) => level === 'must' || level === 'should',
  );

  test.each(cases.filter(({ id }) => !elsewhere.includes(id)).map(({ id, name }) => [id, name] as const))(
    '%s %s',
    async (id) => {
      const one = played[id];
      if (one === undefined) throw new Error('this case is not played');
      const sites = { 'h.test': one.site, ...one.others };
      await scenario({ sites, seeds: one.seeds ?? [h('/a')] }, async (sim) => {
        await sim.crawl();
        expect(sim.states()).toMatchObject(one.states);
        if (one.paths !== undefined) expect(sim.paths('h.test')).toEqual(one.paths);
        one.check?.(sim);
      })();
    },
  );

  test(
    'http to https: another URL of the same queue, and in scope',
    scenario(
      {
        sites: {
          'h.test': { '/': redirect(301, 'https://h.test/') },
          'https://h.test': { '/': page('Home', ['/x']), '/x': page('X') },
        },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.indexed()).toEqual(['https://h.test/', 'https://h.test/x']);
      },
    ),
  );
});

describe('redirects of old bugs', () => {
  test(
    bug('bug-028'),
    scenario(
      {
        sites: {
          'a.test': {
            '/p?b=2&a=1': redirect(302, '/p?a=1&b=2'),
            '/p?a=1&b=2': page('P'),
            '/self': redirect(302, '/self'),
          },
          'b.test': { '/p?b=2&a=1': page('Q'), '/p?a=1&b=2': redirect(302, '/p?b=2&a=1') },
        },
        seeds: ['http://a.test/p?b=2&a=1', 'http://a.test/self', 'http://b.test/p?b=2&a=1'],
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.states()).toEqual({
          'http://a.test/p?a=1&b=2': 'indexed',
          'http://b.test/p?a=1&b=2': 'indexed', // the spelling that server insists on is asked for
          'http://a.test/self': 'redirected redirect.loop',
        });
        expect(sim.paths('b.test')).toEqual(['/p?a=1&b=2', '/p?b=2&a=1']);
        expect(sim.paths('a.test').filter((path) => path === '/self').length).toBeLessThanOrEqual(6);
        expect([sim.found('"all about p"'), sim.found('"all about q"')]).toEqual([
          ['http://a.test/p?a=1&b=2'],
          ['http://b.test/p?a=1&b=2'],
        ]);
      },
    ),
  );

  test(
    `${bug('bug-028')} (and refreshed in that spelling)`,
    scenario(
      {
        sites: { 'b.test': { '/p?b=2&a=1': page('Q'), '/p?a=1&b=2': redirect(302, '/p?b=2&a=1') } },
        seeds: ['http://b.test/p?b=2&a=1'],
      },
      async (sim) => {
        await sim.crawl();
        await sim.crawlAll();
        expect(sim.paths('b.test')).toEqual(['/p?a=1&b=2', '/p?b=2&a=1', '/p?b=2&a=1']);
      },
    ),
  );

  test.each([
    ['/r', '/t'],
    ['/t', '/r'],
  ])(`${bug('bug-029')} (%s first)`, (...order) =>
    scenario(
      { sites: { 'a.test': { '/': page('Home', order), '/r': redirect(301, '/t'), '/t': page('T') } } },
      async (sim) => {
        await sim.crawl();
        expect(sim.paths('a.test').filter((path) => path === '/t')).toHaveLength(1);
        expect(sim.indexed()).toEqual(['http://a.test/', 'http://a.test/t']);
      },
    )(),
  );

  test(
    bug('bug-031'),
    scenario(
      {
        sites: {
          'a.test': {
            '/': page('Home', ['/loop', '/two', '/ok']),
            '/loop': redirect(302, '/loop'),
            '/two': redirect(302, '/three'),
            '/three': redirect(302, '/two'),
            '/ok': page('Fine'),
          },
        },
      },
      async (sim) => {
        expect((await sim.crawl()).why).toBe('idle');
        expect(sim.indexed()).toEqual(['http://a.test/', 'http://a.test/ok']);
        expect(sim.states()['http://a.test/loop']).toBe('redirected redirect.loop');
        expect([sim.states()['http://a.test/two'], sim.states()['http://a.test/three']]).toContain(
          'redirected redirect.loop',
        );
        expect(sim.paths('a.test').length).toBeLessThanOrEqual(6);
      },
    ),
  );

  test(
    bug('bug-036'),
    scenario(
      {
        sites: {
          'a.test': { '/': page('Home', ['/out']), '/out': redirect(302, 'http://b.test/x') },
          'b.test': { '/x': page('B', ['http://a.test/back']) },
        },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.requests('b.test', true)).toEqual([]);
        expect(sim.states()['http://a.test/out']).toBe('redirected redirect.scope');
        expect(sim.row('http://a.test/out').state).toBe('redirected');
      },
    ),
  );

  test(
    bug('bug-038'),
    scenario(
      {
        sites: {
          'a.test': { '/': redirect(301, 'http://www.a.test/') },
          'www.a.test': {
            '/': page('Home', ['/1', 'http://www.a.test/2']),
            '/1': page('1'),
            '/2': page('2'),
          },
        },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.requests('www.a.test', true)).toEqual([]);
        // Of such a row the command line warns, and names the target (test/e2e/kill.test.ts).
        expect(sim.node.seedRows()).toMatchObject([
          { state: 'redirected', reason: 'redirect.scope', redirectTo: 'http://www.a.test/' },
        ]);
      },
    ),
  );

  test(
    'R16 a redirect spends no depth, and its chain is not lengthened by links',
    scenario(
      {
        sites: {
          'a.test': {
            '/': redirect(302, '/1'),
            '/1': page('1', ['/2']),
            '/2': redirect(302, '/3'),
            '/3': page('3', ['/4']),
            '/4': page('4'),
          },
        },
        config: { scope: { depth: 2 } },
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.indexed()).toEqual(['/1', '/3', '/4'].map((path) => `http://a.test${path}`));
      },
    ),
  );
});

describe('addresses that are not public', () => {
  const start = (reply: Site['/']): Sites => ({ 'pub.test': { '/': reply ?? null, '*': page('Any') } });
  const local = 'http://127.0.0.1/';
  const refresh = (url: string): string =>
    page('Refresh').replace('<title>', `<meta http-equiv=refresh content="0;url=${url}"><title>`);
  const canonical = (url: string): string =>
    page('Canonical').replace('<title>', `<link rel=canonical href="${url}"><title>`);

  const sites: Readonly<Record<string, Sites>> = {
    'ssrf-redirect-008': start(redirect(302, 'http://pub.test\\@127.0.0.1/')),
    'ssrf-redirect-009': start(redirect(302, 'http://2130706433/')),
    'ssrf-redirect-010': start(refresh(local)),
    'ssrf-redirect-011': start(canonical(local)),
    'ssrf-redirect-012': start(status(200, { refresh: `0; url=${local}` }, page('Header'))),
    'ssrf-redirect-014': {
      'pub.test': {
        '/robots.txt': robots('http://pub.test/sitemap.xml'),
        '/': page('Start'),
        '/sitemap.xml': xml(urlset('http://10.0.0.1/', 'http://pub.test/listed')),
        '/listed': page('Listed'),
      },
    },
    'ssrf-redirect-015': {
      ...start(redirect(302, 'http://pub2.test/')),
      'pub2.test': { '/': redirect(302, local) },
    },
  };

  test.each(casesOf('ssrf', 'redirects').map(({ id, why }) => [id, why] as const))('%s %s', async (id) => {
    const seeds = ['http://pub.test/', 'http://pub2.test/x'];
    await scenario({ sites: sites[id] ?? {}, seeds, sitemaps: 'auto' }, async (sim) => {
      await sim.crawl();
      const hosts = new Set(sim.requests(undefined, true).map((one) => one.host));
      hosts.delete('pub2.test');
      expect([...hosts]).toEqual(['pub.test']);
      expect(Object.keys(sim.states()).filter((url) => !/^http:\/\/pub2?\.test\//.test(url))).toEqual([]);
      // The sitemap was read, and only what leads inside was left out of it.
      if (id === 'ssrf-redirect-014') expect(sim.indexed()).toContain('http://pub.test/listed');
    })();
  });

  test(
    'ssrf-other-000 a seed on this machine is refused with its reason, and the crawl goes on',
    scenario(
      {
        sites: { 'a.test': { '/': page('Home', ['/x', 'http://10.0.0.1/']), '/x': page('X') } },
        seeds: ['http://127.0.0.1:8080/secret', 'http://a.test/'],
      },
      async (sim) => {
        await sim.crawl();
        expect(sim.refusedSeeds).toEqual([{ url: 'http://127.0.0.1:8080/secret', reason: 'safety.private' }]);
        expect(sim.indexed()).toEqual(['http://a.test/', 'http://a.test/x']);
        expect(sim.requests(undefined, true).every((one) => one.host === 'a.test')).toBe(true);
      },
    ),
  );
});

/** Whole crawls: pushed URLs, from the request of a stranger to the visit, or to the refusal (R25). */
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openInbox } from '../../src/node.ts';
import { createApp } from '../../src/web/app.tsx';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Sim, type SimOptions } from './harness.ts';
import { scenario } from './scenario.ts';
import type { SimExchange } from './sim-web.ts';
import { page, type Reply, redirect, type Site, status } from './sites.ts';

const A = 'http://a.test';
const KEY = 'a1b2c3d4e5f6';
const text = (body: string): Reply => status(200, { 'content-type': 'text/plain' }, body);

const site: Site = {
  '/': page('Start', ['/shop/1', '/shop/2', '/private/3']),
  [`/${KEY}.txt`]: text(`\ufeff${KEY}\r\n`),
  '/robots.txt': 'User-agent: *\nDisallow: /private/',
  '*': ({ path, at }) => page(`Page ${path} at ${at}`),
};

/** Sends a submission to a server beside the crawl; returns the status it is answered with. */
async function push(sim: Sim, urls: readonly string[], fields: object = {}): Promise<number> {
  const inbox = openInbox(sim.config);
  const never = (): never => {
    throw new Error('not asked');
  };
  const app = createApp({
    index: { write: never, count: never, search: never, document: never, isElsewhere: never },
    archive: { write: never, read: never },
    reads: { page: never, status: never, metrics: never },
    inbox: inbox.submissions,
    clock: sim.clock,
    log: createLog({ level: 'error', format: 'json', stream: process.stderr }),
    config: defaultConfig(),
  });
  const { host } = new URL(urls[0] ?? '');
  const response = await app.request('/indexnow', {
    method: 'POST',
    headers: { host: 'localhost', 'content-type': 'application/json' },
    body: JSON.stringify({ host, key: KEY, urlList: urls, ...fields }),
  });
  inbox.close();
  return response.status;
}

/** Crawls, waits half a day, pushes while a crawl watches, and gives it a minute. */
function pushing(
  options: Partial<SimOptions> & { readonly urls: readonly string[]; readonly fields?: object },
  check: (sim: Sim, answer: number) => void | Promise<void>,
): () => Promise<void> {
  const { urls, fields, ...rest } = options;
  // Nothing falls due by itself meanwhile.
  const config = { refresh: { policy: 'adaptive', initial: '30d', jitter: 0 } } as const;
  return scenario({ sites: { 'a.test': site }, config, ...rest }, async (sim) => {
    await sim.crawl();
    await sim.clock.advance(HOUR_MS * 12);
    const stop = sim.watch();
    await sim.clock.advance(MINUTE_MS);
    const answer = await push(sim, urls, fields);
    await sim.clock.advance(MINUTE_MS);
    await stop();
    await check(sim, answer);
  });
}

/** Requests after the first crawl, robots.txt left out. */
const later = (sim: Sim): SimExchange[] => {
  const [first] = sim.web.journal;
  return sim.requests().filter(({ at }) => at >= (first?.at ?? 0) + HOUR_MS);
};
const laterPaths = (sim: Sim): string[] => later(sim).map(({ path }) => path);

const waitingOf = (sim: Sim): number => {
  const inbox = openInbox(sim.config);
  const count = inbox.submissions.count();
  inbox.close();
  return count;
};
const refusals = (sim: Sim): Record<string, number> =>
  Object.fromEntries(sim.node.reports.refusals().map(({ reason, count }) => [reason, count]));

describe('with the right key', () => {
  test(
    'a known page is visited again within seconds, a new one is found, what is not allowed is not',
    pushing({ urls: [`${A}/shop/1`, `${A}/new`, `${A}/private/x`] }, (sim, answer) => {
      expect(answer).toBe(202);
      expect(laterPaths(sim).toSorted()).toEqual([`/${KEY}.txt`, '/new', '/shop/1']);
      const [key, ...pages] = later(sim);
      for (const { at } of pages) expect(at - (key?.at ?? 0)).toBeLessThan(5 * SECOND_MS);
      expect(sim.states()).toMatchObject({
        [`${A}/new`]: 'indexed',
        [`${A}/private/x`]: 'blocked robots.disallow',
        [`${A}/${KEY}.txt#indexnow`]: 'listed',
      });
      expect(sim.row(`${A}/new`).depth).toBe(1);
      expect(waitingOf(sim)).toBe(0);
    }),
  );

  test(
    'by the learned schedule too, a known page is visited again when it has rested',
    pushing({ urls: [`${A}/shop/1`], config: {} }, async (sim) => {
      const stop = sim.watch();
      await sim.clock.advance(6 * MINUTE_MS);
      await stop();
      const paths = laterPaths(sim);
      // Both were due when the crawl began again.
      expect(paths.slice(paths.indexOf(`/${KEY}.txt`))).toEqual([`/${KEY}.txt`, '/shop/1']);
    }),
  );

  test(
    'the file is looked at once a day, and then a push is answered 200',
    pushing({ urls: [`${A}/shop/1`] }, async (sim) => {
      const stop = sim.watch();
      await sim.clock.advance(HOUR_MS);
      expect(await push(sim, [`${A}/shop/2`])).toBe(200);
      await sim.clock.advance(MINUTE_MS);
      expect(laterPaths(sim)).toEqual([`/${KEY}.txt`, '/shop/1', '/shop/2']);
      await sim.clock.advance(DAY_MS);
      expect(await push(sim, [`${A}/shop/2`])).toBe(202);
      await sim.clock.advance(MINUTE_MS);
      expect(laterPaths(sim).slice(3)).toEqual([`/${KEY}.txt`, '/shop/2']);
      await stop();
    }),
  );

  test(
    'a page pushed over and over is visited every five minutes at most',
    pushing({ urls: [`${A}/shop/1`] }, async (sim) => {
      const stop = sim.watch();
      for (let n = 0; n < 30; n++) {
        await push(sim, [`${A}/shop/1`]);
        await sim.clock.advance(30 * SECOND_MS);
      }
      await stop();
      const starts = later(sim).flatMap(({ path, at }) => (path === '/shop/1' ? [at] : []));
      expect(starts.length).toBeGreaterThanOrEqual(3);
      for (const [n, at] of starts.slice(1).entries()) {
        expect(at - (starts[n] ?? 0)).toBeGreaterThanOrEqual(5 * MINUTE_MS);
      }
    }),
  );

  test(
    'in a folder, the key speaks for the folder',
    pushing(
      {
        sites: { 'a.test': { ...site, '/shop/key.txt': text(KEY) } },
        urls: [`${A}/shop/1`],
        fields: { keyLocation: `${A}/shop/key.txt` },
      },
      (sim) => expect(laterPaths(sim)).toEqual(['/shop/key.txt', '/shop/1']),
    ),
  );

  test(
    'what waits is not lost when the crawler dies',
    scenario({ sites: { 'a.test': site } }, async (sim) => {
      await sim.crawl();
      await push(sim, [`${A}/new`]);
      await sim.kill();
      await sim.crawl();
      expect(sim.states()).toMatchObject({ [`${A}/new`]: 'indexed' });
    }),
  );

  test(
    'a failure that passes is tried again',
    pushing(
      {
        sites: { 'a.test': { ...site, [`/${KEY}.txt`]: [status(503), text(KEY)] } },
        urls: [`${A}/shop/1`],
      },
      (sim) => expect(laterPaths(sim)).toEqual([`/${KEY}.txt`, `/${KEY}.txt`, '/shop/1']),
    ),
  );
});

describe('without it nothing is visited but the key file, and a reason is given', () => {
  test.each<[string, Reply, string]>([
    ['another key', text('another-key-of-theirs'), 'push.key'],
    ['the key among other words', text(`key ${KEY}`), 'push.key'],
    ['a page', page(KEY), 'push.key'],
    ['a redirect to a file with the key', redirect(302, '/shop/key.txt'), 'push.key'],
    ['nothing', null, 'http.404'],
    ['a login', status(401), 'http.401'],
    ['more than a key', text(KEY.padEnd(5_000)), 'content.size'],
  ])('%s', async (_, reply, reason) => {
    const sites = { 'a.test': { ...site, '/shop/key.txt': text(KEY), [`/${KEY}.txt`]: reply } };
    await pushing({ sites, urls: [`${A}/shop/1`, `${A}/new`] }, async (sim, answer) => {
      expect(answer).toBe(202);
      expect(laterPaths(sim)).toEqual([`/${KEY}.txt`]);
      expect(sim.states()).not.toHaveProperty(`${A}/new`);
      expect(refusals(sim)).toMatchObject({ [reason]: 2 });
      expect(waitingOf(sim)).toBe(0);
      expect(await push(sim, [`${A}/new`])).toBe(403);
    })();
  });

  test(
    'a key file that robots.txt disallows is not asked for',
    pushing(
      {
        sites: { 'a.test': { ...site, '/robots.txt': `User-agent: *\nDisallow: /*.txt$` } },
        urls: [`${A}/shop/1`],
      },
      (sim) => {
        expect(laterPaths(sim)).toEqual([]);
        expect(refusals(sim)).toMatchObject({ 'robots.disallow': 1 });
      },
    ),
  );

  test(
    'a page that a stranger called a key file is the page it is',
    pushing({ urls: [`${A}/x`], fields: { keyLocation: `${A}/to-come` } }, async (sim) => {
      expect(laterPaths(sim)).toEqual(['/to-come']);
      await sim.node.add([`${A}/to-come`]);
      await sim.crawl();
      expect(sim.states()).toMatchObject({ [`${A}/to-come`]: 'indexed' });
      expect(sim.node.find(`${A}/to-come`)?.kind).toBe('page');
    }),
  );
});

describe('never outside of the sites', () => {
  const sites = { 'a.test': site, 'b.test': site };

  test(
    'a host that is not crawled is not asked for anything',
    pushing({ sites, urls: ['http://b.test/x'] }, (sim, answer) => {
      expect(answer).toBe(422);
      expect(sim.requests('b.test', true)).toEqual([]);
    }),
  );

  test(
    'a key on another host is not looked at',
    pushing(
      { sites, urls: [`${A}/shop/1`], fields: { keyLocation: `http://b.test/${KEY}.txt` } },
      (sim, answer) => {
        expect(answer).toBe(422);
        expect(laterPaths(sim)).toEqual([]);
      },
    ),
  );

  test(
    'a key speaks for no other folder',
    pushing({ urls: [`${A}/other`], fields: { keyLocation: `${A}/shop/key.txt` } }, (sim, answer) => {
      expect(answer).toBe(422);
      expect(laterPaths(sim)).toEqual([]);
    }),
  );

  test(
    'rules hold for what is pushed',
    pushing({ rules: { exclude: ['/shop/**'] }, urls: [`${A}/shop/9`, `${A}/new`] }, (sim) => {
      expect(laterPaths(sim)).toEqual([`/${KEY}.txt`, '/new']);
      expect(refusals(sim)).toMatchObject({ 'scope.rule': 3 });
    }),
  );

  test(
    'a host that has left the sites since is not asked',
    scenario({ sites, seeds: [`${A}/`, 'http://b.test/'] }, async (sim) => {
      await sim.crawl();
      await push(sim, ['http://b.test/new']);
      const [first] = sim.config.sites;
      if (first !== undefined) await sim.restart({ sites: [{ ...first, start: [`${A}/`] }] });
      const before = sim.requests('b.test', true).length;
      await sim.crawl();
      expect(sim.requests('b.test', true)).toHaveLength(before);
      expect(waitingOf(sim)).toBe(0);
    }),
  );
});

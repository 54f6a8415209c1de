/** The frontier's contract: what is known, in which order it is lent, and how deep it lies. */
import { describe, expect, test } from 'vitest';
import type { Frontier } from '../../src/frontier/frontier.ts';
import type { FrontierPolicy } from '../../src/frontier/policy.ts';
import type { CrawlRequest } from '../../src/types.ts';
import { fetched, link, links } from '../support/outcomes.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
import {
  DAY_MS,
  type FrontierFactory,
  leaseOne,
  MINUTE_MS,
  openFrontier,
  SECOND_MS,
  urlsOf,
} from './frontier-setup.ts';

export function orderContract(create: FrontierFactory): void {
  const open = (policy: Partial<FrontierPolicy> = {}) => openFrontier(create, policy);

  describe('knowing URLs', () => {
    test('a URL is known once, however often and in whatever company it is added', async () => {
      const { frontier } = await open();
      const first = await frontier.add([
        link('http://a.test/'),
        link('http://a.test/'),
        link('http://b.test/'),
      ]);
      expect(first).toEqual({ added: 2, known: 1, refused: 0 });
      expect(await frontier.add([link('http://a.test/'), link('https://a.test/')])).toEqual({
        added: 1,
        known: 1,
        refused: 0,
      });
      expect((await frontier.stats()).known).toBe(3);
    });

    test('a URL on loan or fetched already is known too', async () => {
      const { frontier, clock } = await open({ delayMs: 0 });
      await frontier.add([link('http://a.test/')]);
      const request = await leaseOne(frontier);
      expect((await frontier.add([link('http://a.test/')])).added).toBe(0);
      await frontier.finish([fetched(request, clock.now())]);
      expect((await frontier.add([link('http://a.test/')])).added).toBe(0);
      expect(await frontier.lease(1)).toEqual([]);
    });

    test('what is remembered of a URL is found by its key', async () => {
      const { frontier, start } = await open();
      await frontier.add([link('https://a.test:8443/x?y=1', { depth: 2, priority: 7 })]);
      expect(await frontier.find('https://a.test:8443/x?y=1')).toMatchObject({
        url: 'https://a.test:8443/x?y=1',
        host: 'a.test:8443',
        depth: 2,
        priority: 7,
        state: 'waiting',
        firstSeenAt: start,
        fetchedAt: null,
      });
      expect(await frontier.find('https://a.test:8443/x?y=2')).toBeNull();
      expect(await frontier.find('https://other.test/')).toBeNull();
    });

    test('force makes known URLs due now, but not those on loan', async () => {
      const { frontier, clock } = await open({ delayMs: 0 });
      await frontier.add([link('http://a.test/1'), link('http://a.test/2')]);
      const [one, two] = await frontier.lease(2);
      await frontier.finish([fetched(one as CrawlRequest, clock.now())]);
      await frontier.add([link('http://a.test/1'), link('http://a.test/2')], { force: true });
      expect(urlsOf(await frontier.lease(9))).toEqual(['http://a.test/1']);
      expect(await frontier.holds(two as CrawlRequest)).toBe(true);
    });

    test('R3: URLs beyond the quota of a host are refused and counted; known ones are not', async () => {
      const { frontier } = await open({ maxUrlsPerHost: 2 });
      expect(await frontier.add(links('a.test', 5))).toEqual({ added: 2, known: 0, refused: 3 });
      expect(await frontier.add(links('a.test', 3))).toEqual({ added: 0, known: 2, refused: 1 });
      expect((await frontier.add(links('b.test', 1))).added).toBe(1);
    });
  });

  describe('order', () => {
    test('R2: breadth first takes the shallower, then the one found first', async () => {
      const { frontier, clock } = await open({ order: 'breadth' });
      await frontier.add([at(2, 'deep'), at(0, 'start'), at(1, 'b'), at(1, 'a')]);
      expect(await drain(frontier, clock)).toEqual(['start', 'b', 'a', 'deep']);
    });

    test('R8: depth first takes the deeper, then the one found last', async () => {
      const { frontier, clock } = await open({ order: 'depth' });
      await frontier.add([at(2, 'deep'), at(0, 'start'), at(1, 'b'), at(1, 'a')]);
      expect(await drain(frontier, clock)).toEqual(['deep', 'a', 'b', 'start']);
    });

    test('R8: best first takes the higher priority, whatever the depth', async () => {
      const { frontier, clock } = await open({ order: 'best' });
      await frontier.add([at(0, 'low', -50), at(0, 'first'), at(1, 'high', 30), at(0, 'second')]);
      expect(await drain(frontier, clock)).toEqual(['high', 'first', 'second', 'low']);
    });

    test('R8: priority comes before depth in every order', async () => {
      const { frontier, clock } = await open({ order: 'breadth' });
      await frontier.add([at(0, 'advert', -50), at(3, 'deep'), at(4, 'wanted', 10)]);
      expect(await drain(frontier, clock)).toEqual(['wanted', 'deep', 'advert']);
    });

    test('links found by a visit take their place among those waiting', async () => {
      const { frontier, clock } = await open({ order: 'breadth' });
      await frontier.add([at(0, 'start'), at(2, 'late')]);
      const request = await leaseOne(frontier);
      await frontier.finish([fetched(request, clock.now(), { links: [at(1, 'found')] })]);
      await clock.advance(SECOND_MS);
      expect(await drain(frontier, clock)).toEqual(['found', 'late']);
    });

    test('R22: URLs due again come most overdue first', async () => {
      const { frontier, clock, start } = await open({ delayMs: 0, perHost: 9 });
      await frontier.add(links('a.test', 3));
      const [one, two, three] = (await frontier.lease(9)) as [CrawlRequest, CrawlRequest, CrawlRequest];
      await frontier.finish([
        fetched(one, start, { nextVisitAt: start + 300 }),
        fetched(two, start, { nextVisitAt: start + 100 }),
        fetched(three, start, { nextVisitAt: start + 200 }),
      ]);
      expect(await frontier.nextReadyAt()).toBe(start + 100);
      expect(await frontier.lease(9)).toEqual([]);
      await clock.advance(500);
      expect(urlsOf(await frontier.lease(9))).toEqual([two, three, one].map((request) => request.record.url));
    });

    test('R22, fault 14: URLs become due while the crawl runs, and are refreshes then', async () => {
      const { frontier, clock, start } = await open();
      await frontier.add(links('a.test', 1));
      const request = await leaseOne(frontier);
      expect(request.isNew).toBe(true);
      await frontier.finish([fetched(request, start, { nextVisitAt: start + MINUTE_MS })]);
      await clock.advance(MINUTE_MS);
      const again = await leaseOne(frontier);
      expect(again.isNew).toBe(false);
      expect(again.record).toMatchObject({ state: 'indexed', visits: 1, fetchedAt: start });
    });

    test('new URLs and URLs due again take turns, so neither starves', async () => {
      const { frontier, clock, start } = await open({ delayMs: 0, perHost: 99 });
      await frontier.add(links('a.test', 4));
      const first = await frontier.lease(4);
      await frontier.finish(first.map((request) => fetched(request, start, { nextVisitAt: start + 1 })));
      await frontier.add(links('a.test', 8));
      await clock.advance(1);
      const kinds = (await frontier.lease(8)).map((request) => request.isNew);
      expect(kinds.filter((isNew) => isNew)).toHaveLength(4);
      for (let turn = 1; turn < 8; turn++) expect(kinds[turn]).not.toBe(kinds[turn - 1]);
    });
  });

  describe('depth (R2)', () => {
    test('a shorter way lowers the depth, and the place in the queue with it', async () => {
      const { frontier, clock } = await open();
      await frontier.add([at(1, 'near'), at(3, 'far')]);
      await frontier.add([at(0, 'far')]);
      expect((await frontier.find('http://a.test/far'))?.depth).toBe(0);
      expect(await drain(frontier, clock)).toEqual(['far', 'near']);
    });

    test('a longer way changes nothing', async () => {
      const { frontier } = await open();
      await frontier.add([at(1, 'page')]);
      await frontier.add([at(4, 'page')]);
      expect((await frontier.find('http://a.test/page'))?.depth).toBe(1);
    });

    test('it is passed on to what lies behind, through pages and redirects', async () => {
      const { frontier, clock } = await open({ delayMs: 0 });
      await frontier.add([at(3, 'page')]);
      const page = await leaseOne(frontier);
      await frontier.finish([fetched(page, clock.now(), { links: [at(4, 'moved')] })]);
      const moved = await leaseOne(frontier);
      const target = link('http://a.test/target', { depth: 4, redirects: 1 });
      await frontier.finish([
        fetched(moved, clock.now(), {
          outcome: 'REDIRECTED',
          record: { ...moved.record, state: 'redirected', fetchedAt: clock.now() },
          links: [target],
        }),
      ]);
      await frontier.add([at(1, 'page')]);
      expect((await frontier.find('http://a.test/moved'))?.depth).toBe(2);
      expect((await frontier.find('http://a.test/target'))?.depth).toBe(2);
    });

    test('links found by a visit that began before the shorter way was known lie nearer too', async () => {
      const { frontier, clock } = await open({ delayMs: 0 });
      await frontier.add([at(3, 'page')]);
      const request = await leaseOne(frontier);
      await frontier.add([at(1, 'page')]);
      await frontier.finish([fetched(request, clock.now(), { links: [at(4, 'child')] })]);
      expect((await frontier.find('http://a.test/page'))?.depth).toBe(1);
      expect((await frontier.find('http://a.test/child'))?.depth).toBe(2);
    });

    test('a page at the depth limit that turns out nearer is fetched again, whole, for its links', async () => {
      const { frontier, clock, start } = await open({ delayMs: 0, maxDepth: 2 });
      await frontier.add([at(2, 'edge')]);
      const request = await leaseOne(frontier);
      await frontier.finish([
        fetched(request, start, {
          record: { ...request.record, state: 'indexed', fetchedAt: start, etag: '"1"', lastModified: 'x' },
          nextVisitAt: start + DAY_MS,
        }),
      ]);
      await frontier.add([at(1, 'edge')]);
      await clock.advance(1);
      expect((await leaseOne(frontier)).record).toMatchObject({ depth: 1, etag: null, lastModified: null });
    });

    test('the same when the shorter way is found during the visit', async () => {
      const { frontier, start } = await open({ delayMs: 0, maxDepth: 2 });
      await frontier.add([at(2, 'edge')]);
      const request = await leaseOne(frontier);
      await frontier.add([at(1, 'edge')]);
      const record = { ...request.record, state: 'indexed' as const, fetchedAt: start, etag: '"1"' };
      const refused = { 'scope.depth': 3 };
      await frontier.finish([fetched(request, start, { record, refused, nextVisitAt: start + DAY_MS })]);
      expect((await leaseOne(frontier)).record).toMatchObject({ depth: 1, etag: null });
    });
  });
}

/** A link of a.test with a depth. */
function at(depth: number, name: string, priority = 0) {
  return link(`http://a.test/${name}`, { depth, priority });
}

/** Visits everything new of a.test, one by one; returns the names in the order lent. */
async function drain(frontier: Frontier, clock: VirtualClock): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const [request] = await frontier.lease(1);
    if (request === undefined) return names;
    names.push(request.record.url.slice('http://a.test/'.length));
    await frontier.finish([fetched(request, clock.now())]);
    await clock.advance(SECOND_MS);
  }
}

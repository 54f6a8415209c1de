/** The frontier's contract: a URL has one borrower, and a loan ends once. */
import { describe, expect, test } from 'vitest';
import type { FrontierPolicy } from '../../src/frontier/policy.ts';
import type { CrawlRequest } from '../../src/types.ts';
import { failed, fetched, link, links, putOff } from '../support/outcomes.ts';
import {
  type FrontierFactory,
  leaseOne,
  MINUTE_MS,
  openFrontier,
  SECOND_MS,
  urlsOf,
} from './frontier-setup.ts';

const LEASE_MS = 10 * MINUTE_MS;

export function loanContract(create: FrontierFactory): void {
  const open = (policy: Partial<FrontierPolicy> = {}) =>
    openFrontier(create, { leaseMs: LEASE_MS, ...policy });

  describe('loans', () => {
    test('a URL is lent to one borrower at a time', async () => {
      const { frontier, second } = await open({ delayMs: 0, perHost: 99 });
      await frontier.add(links('a.test', 5));
      const lent = [...(await frontier.lease(3)), ...(await second().lease(3)), ...(await frontier.lease(3))];
      expect(urlsOf(lent).sort()).toEqual(links('a.test', 5).map(({ url }) => url));
    });

    test('a loan ends by the clock, and its URL is first again', async () => {
      const { frontier, clock } = await open();
      await frontier.add(links('a.test', 3));
      const request = await leaseOne(frontier);
      await clock.advance(LEASE_MS - 1);
      expect(await frontier.holds(request)).toBe(true);
      await clock.advance(1);
      expect(await frontier.holds(request)).toBe(false);
      expect((await leaseOne(frontier)).record.url).toBe(request.record.url);
    });

    test('the only URL of a host comes back by the clock too', async () => {
      const { frontier, clock, start } = await open();
      await frontier.add(links('a.test', 1));
      await leaseOne(frontier);
      expect(await frontier.nextReadyAt()).toBe(start + LEASE_MS);
      await clock.advance(LEASE_MS);
      expect(await frontier.lease(1)).toHaveLength(1);
    });

    test('an expired loan comes back though another of its host is finished in between', async () => {
      const { frontier, clock } = await open();
      await frontier.add(links('a.test', 2));
      const lost = await leaseOne(frontier);
      await clock.advance(LEASE_MS - SECOND_MS);
      const other = await leaseOne(frontier);
      await clock.advance(SECOND_MS);
      await frontier.finish([fetched(other, clock.now())]);
      await clock.advance(SECOND_MS);
      expect(urlsOf(await frontier.lease(9))).toEqual([lost.record.url]);
    });

    test('a late borrower changes nothing, whether its URL was lent again or not', async () => {
      const { frontier, clock, start } = await open();
      await frontier.add(links('a.test', 1));
      const late = await leaseOne(frontier);
      await clock.advance(LEASE_MS);
      const effects = { links: links('b.test', 1), nextVisitAt: start, hostEffect: { crawlDelayMs: 77 } };
      expect(await frontier.finish([fetched(late, start, effects)])).toEqual([]);
      const current = await leaseOne(frontier);
      expect(await frontier.finish([fetched(late, start, effects)])).toEqual([]);
      expect(await frontier.find('http://b.test/1')).toBeNull();
      expect((await frontier.host('a.test'))?.crawlDelayMs).toBeNull();
      await frontier.release([late]);
      expect(await frontier.holds(current)).toBe(true);
    });

    test('finishing twice is finishing once', async () => {
      const { frontier, clock } = await open();
      await frontier.add(links('a.test', 1));
      const outcome = fetched(await leaseOne(frontier), clock.now(), {
        nextVisitAt: clock.now() + MINUTE_MS,
      });
      expect(await frontier.finish([outcome, outcome])).toEqual([outcome]);
      const before = await frontier.stats();
      expect(await frontier.finish([outcome])).toEqual([]);
      expect(await frontier.stats()).toEqual(before);
    });

    test('finish keeps every fact of the record', async () => {
      const { frontier, start } = await open();
      await frontier.add(links('a.test', 1));
      const request = await leaseOne(frontier);
      const record = {
        ...request.record,
        state: 'missing' as const,
        reason: 'http.404' as const,
        status: 404,
        etag: 'W/"caf\u00e9"',
        lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT',
        requestUrl: 'http://a.test/1?b&a',
        redirectTo: 'http://a.test/2',
        fetchedAt: start,
        changedAt: start - 5,
        visits: 7,
        changes: 3,
        unchanged: 2,
        failures: 1,
        missing: 4,
        intervalMs: 12_345,
        contentHash: 'abc',
        extractorVersion: 9,
      };
      await frontier.finish([fetched(request, start, { record })]);
      expect(await frontier.find('http://a.test/1')).toEqual(record);
    });

    test('release gives a URL back untouched; the host keeps its rest', async () => {
      const { frontier, clock } = await open();
      await frontier.add(links('a.test', 2));
      const request = await leaseOne(frontier);
      await frontier.release([request]);
      expect(await frontier.holds(request)).toBe(false);
      expect(await frontier.lease(9)).toEqual([]);
      await clock.advance(SECOND_MS);
      expect((await leaseOne(frontier)).record).toEqual(request.record);
    });

    test('a deferred URL keeps its place and its record', async () => {
      const { frontier, clock } = await open();
      await frontier.add(links('a.test', 3));
      const request = await leaseOne(frontier);
      await frontier.finish([putOff(request)]);
      await clock.advance(SECOND_MS);
      expect((await leaseOne(frontier)).record).toEqual(request.record);
    });

    test('a URL deferred to an instant is lent then, still as new', async () => {
      const { frontier, clock, start } = await open();
      await frontier.add(links('a.test', 1));
      await frontier.finish([putOff(await leaseOne(frontier), start + MINUTE_MS)]);
      await clock.advance(MINUTE_MS - 1);
      expect(await frontier.lease(1)).toEqual([]);
      await clock.advance(1);
      expect((await leaseOne(frontier)).isNew).toBe(true);
    });

    test('fault 13: a URL that failed is tried again though it is known', async () => {
      const { frontier, clock, start } = await open();
      await frontier.add(links('a.test', 1));
      const request = await leaseOne(frontier);
      await frontier.finish([failed(request, start, start + 2 * SECOND_MS)]);
      await clock.advance(2 * SECOND_MS);
      expect((await leaseOne(frontier)).record).toMatchObject({ state: 'failed', failures: 1, status: 503 });
    });

    test('a URL that is never to be visited again is not lent again, and stays known', async () => {
      const { frontier, clock } = await open();
      await frontier.add(links('a.test', 1));
      await frontier.finish([fetched(await leaseOne(frontier), clock.now())]);
      expect(await frontier.nextReadyAt()).toBeNull();
      expect((await frontier.add(links('a.test', 1))).known).toBe(1);
    });
  });

  describe('restart (R29, R31)', () => {
    test('nothing known is lost, nothing done is done twice, hosts stay rested', async () => {
      const { frontier, restart, clock, start } = await open();
      await frontier.add([...links('a.test', 3), ...links('b.test', 1)]);
      const [a, b] = (await frontier.lease(2)) as [CrawlRequest, CrawlRequest];
      await frontier.finish([fetched(a, start, { links: [link('http://a.test/found')] })]);
      const again = await restart();
      expect(await again.lease(9)).toEqual([]); // both hosts have just been asked
      expect(await again.nextReadyAt()).toBe(start + SECOND_MS);
      expect(await again.finish([fetched(b, start)])).toEqual([]); // its borrower died
      const lent: string[] = [];
      for (let second = 0; second < 9; second++) {
        await clock.advance(SECOND_MS);
        for (const request of await again.lease(9)) {
          lent.push(request.record.url);
          await again.finish([fetched(request, clock.now())]);
        }
      }
      expect(lent.sort()).toEqual([
        'http://a.test/2',
        'http://a.test/3',
        'http://a.test/found',
        'http://b.test/1',
      ]);
    });

    test('Crawl-delay, back-off and Retry-After outlive it', async () => {
      const { frontier, restart, start } = await open();
      await frontier.add(links('a.test', 2));
      const effect = { crawlDelayMs: 5 * SECOND_MS, restUntil: start + MINUTE_MS };
      await frontier.finish([failed(await leaseOne(frontier), start, null, effect)]);
      const again = await restart();
      expect(await again.nextReadyAt()).toBe(start + MINUTE_MS);
      expect(await again.host('a.test')).toMatchObject({
        delayMs: 10 * SECOND_MS,
        failures: 1,
        lastRequestAt: start,
      });
    });
  });
}

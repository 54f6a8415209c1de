/** The frontier's contract: the work queue is bounded, a full one slows producers down, and nothing is dropped (R27). */
import { describe, expect, test } from 'vitest';
import type { Frontier } from '../../src/frontier/frontier.ts';
import type { FrontierPolicy } from '../../src/frontier/policy.ts';
import { fetched, link, links } from '../support/outcomes.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
import { type FrontierFactory, leaseOne, openFrontier, SECOND_MS, urlsOf } from './frontier-setup.ts';

const WAIT_MS = 5 * SECOND_MS;

export function queueContract(create: FrontierFactory): void {
  const open = (policy: Partial<FrontierPolicy> = {}) =>
    openFrontier(create, { queueCapacity: 100, waitMs: WAIT_MS, ...policy });

  describe('work queue (R27)', () => {
    test('1,000 URLs and room for 100: the producer waits 5 s, the rest spills and comes back by itself', async () => {
      const { frontier, clock } = await open({ delayMs: 100 });
      let isAdded = false;
      const adding = frontier.add(links('a.test', 1_000)).then((result) => {
        isAdded = true;
        return result;
      });
      await clock.advance(0);
      expect((await frontier.stats()).queue).toMatchObject({
        capacity: 100,
        depth: 100,
        waiting: 900,
        spilled: 0,
      });

      const lent = await visitFor(frontier, clock, WAIT_MS - 1);
      expect(isAdded).toBe(false);
      await clock.advance(1);
      expect(isAdded).toBe(true);
      expect(await adding).toEqual({ added: 1_000, known: 0, refused: 0 });
      expect((await frontier.stats()).queue).toMatchObject({
        depth: 100,
        waiting: 0,
        waited: 900,
        longestWaitMs: WAIT_MS,
        spilled: 1_000 - 100 - lent.length,
      });

      lent.push(...(await visitFor(frontier, clock, 100 * SECOND_MS)));
      expect(lent).toEqual(links('a.test', 1_000).map(({ url }) => url));
      const { queue, waiting } = await frontier.stats();
      expect(waiting).toBe(0);
      expect(queue.depth).toBe(0);
      expect(queue.refilled).toBe(queue.spilled);
    });

    test('a producer goes on as soon as its URLs have room', async () => {
      const { frontier, clock } = await open({ delayMs: 0, queueCapacity: 10, perHost: 99 });
      await frontier.add(links('a.test', 10));
      let isAdded = false;
      const adding = frontier.add(links('a.test', 12)).then(() => {
        isAdded = true;
      });
      await clock.advance(10);
      expect(isAdded).toBe(false);
      await frontier.lease(2);
      await clock.advance(0);
      expect(isAdded).toBe(true);
      await adding;
      expect((await frontier.stats()).queue).toMatchObject({ waited: 2, spilled: 0, longestWaitMs: 10 });
    });

    test('fault 15: links found by a visit never wait for the queue they empty', async () => {
      const { frontier, clock } = await open({ queueCapacity: 10 });
      await frontier.add(links('a.test', 10));
      const request = await leaseOne(frontier);
      await frontier.finish([fetched(request, clock.now(), { links: links('a.test', 500) })]);
      const { queue, known } = await frontier.stats();
      expect(known).toBe(500);
      expect(queue.depth).toBeLessThanOrEqual(10);
      expect(queue.waiting).toBeLessThanOrEqual(10);
      expect(queue.depth + queue.waiting + queue.spilled).toBe(499);
    });

    test('a host whose URLs are all on disk has its turn though others fill the queue', async () => {
      const { frontier, clock } = await open({ queueCapacity: 10 });
      const adding = Promise.all([frontier.add(links('a.test', 50)), frontier.add(links('b.test', 50))]);
      await clock.advance(WAIT_MS);
      await adding;
      expect(new Set((await frontier.lease(9)).map((request) => request.record.host))).toEqual(
        new Set(['a.test', 'b.test']),
      );
      expect((await frontier.stats()).queue.depth).toBeLessThanOrEqual(10);
    });

    test('rank decides over the order of arrival, full queue or not', async () => {
      const { frontier, clock } = await open({ queueCapacity: 5 });
      const adding = frontier.add(links('a.test', 20, { depth: 1 }));
      await clock.advance(WAIT_MS);
      await adding;
      const urgent = frontier.add([link('http://a.test/urgent', { depth: 1, priority: 50 })]);
      expect(urlsOf(await frontier.lease(1))).toEqual(['http://a.test/urgent']);
      await urgent;
      expect(await visitFor(frontier, clock, 60 * SECOND_MS)).toEqual(
        links('a.test', 20).map(({ url }) => url),
      );
    });

    test('what another process adds is found at once, in its rank', async () => {
      const { frontier, second, clock } = await open();
      await frontier.add(links('a.test', 5, { depth: 1 }));
      await leaseOne(frontier);
      await second().add([link('http://a.test/urgent'), link('http://b.test/')]);
      expect(await frontier.nextReadyAt()).toBe(clock.now());
      expect(urlsOf(await frontier.lease(1))).toEqual(['http://b.test/']);
      await clock.advance(SECOND_MS);
      expect(urlsOf(await frontier.lease(1))).toEqual(['http://a.test/urgent']);
    });

    test('a queue of one URL works as well', async () => {
      const { frontier, clock } = await open({ queueCapacity: 1, waitMs: 0 });
      await frontier.add([...links('a.test', 20), ...links('b.test', 20)]);
      expect((await visitFor(frontier, clock, 60 * SECOND_MS)).length).toBe(40);
    });
  });
}

/** Visits whatever is lent, each visit taking no time, for `ms`; returns the URLs in the order lent. */
async function visitFor(frontier: Frontier, clock: VirtualClock, ms: number): Promise<string[]> {
  const end = clock.now() + ms;
  const lent: string[] = [];
  for (;;) {
    for (const request of await frontier.lease(10)) {
      lent.push(request.record.url);
      await frontier.finish([fetched(request, clock.now())]);
    }
    const readyAt = (await frontier.nextReadyAt()) ?? end;
    await clock.advance(Math.min(end, readyAt) - clock.now());
    if (clock.now() >= end) return lent;
  }
}

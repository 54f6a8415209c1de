/** The frontier's contract: hosts rest, and one never waits for another. */
import { describe, expect, test } from 'vitest';
import type { Frontier } from '../../src/frontier/frontier.ts';
import type { FrontierPolicy } from '../../src/frontier/policy.ts';
import type { CrawlRequest } from '../../src/types.ts';
import { failed, fetched, links, putOff } from '../support/outcomes.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
import {
  DAY_MS,
  type FrontierFactory,
  leaseOne,
  MINUTE_MS,
  openFrontier,
  SECOND_MS,
} from './frontier-setup.ts';

export function politenessContract(create: FrontierFactory): void {
  const open = (policy: Partial<FrontierPolicy> = {}) => openFrontier(create, policy);

  describe('politeness', () => {
    test('R10, bug-025: ten askers at one tick get their turns at 0, 500, 1000 … ms', async () => {
      const { frontier, clock, start } = await open({ delayMs: 500, perHost: 10 });
      await frontier.add(links('a.test', 10));
      const starts: number[] = [];
      const ask = async (): Promise<void> => {
        for (;;) {
          const [request] = await frontier.lease(1);
          if (request !== undefined) break;
          await clock.sleep(((await frontier.nextReadyAt()) ?? 0) - clock.now());
        }
        starts.push(clock.now() - start);
      };
      const askers = Promise.all(Array.from({ length: 10 }, ask));
      await clock.advance(10 * SECOND_MS);
      await askers;
      expect(starts).toEqual([0, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500]);
    });

    test('R10, bug-026: ten hosts are crawled side by side, each at its own pace', async () => {
      const { frontier, clock, start } = await open();
      await frontier.add(Array.from({ length: 10 }, (_, n) => links(`h${n}.test`, 5)).flat());
      const starts = await crawlAll(frontier, clock);
      expect(Math.max(...starts.map(({ at }) => at)) - start).toBe(4 * SECOND_MS);
      for (const gap of gapsByHost(starts)) expect(gap).toBeGreaterThanOrEqual(SECOND_MS);
    });

    test('R10: at most two loans of a host are out, however long they take and whatever is asked for', async () => {
      const { frontier, clock } = await open();
      await frontier.add(links('a.test', 9));
      const out: CrawlRequest[] = [];
      for (let second = 0; second < 20; second++) {
        out.push(...(await frontier.lease(100)));
        await clock.advance(SECOND_MS);
      }
      expect(out).toHaveLength(2);
      await frontier.finish([fetched(out[0] as CrawlRequest, clock.now())]);
      await clock.advance(SECOND_MS);
      expect(await frontier.lease(100)).toHaveLength(1);
    });

    test('R10: one slow host does not hold up another', async () => {
      const { frontier, clock } = await open();
      await frontier.add([...links('slow.test', 9), ...links('quick.test', 5)]);
      let quick = 0;
      for (let second = 0; second < 5; second++) {
        for (const request of await frontier.lease(100)) {
          if (request.record.host === 'slow.test') continue; // never answers
          await frontier.finish([fetched(request, clock.now())]);
          quick++;
        }
        await clock.advance(SECOND_MS);
      }
      expect(quick).toBe(5);
    });

    test('hosts take turns: nobody is served twice while another that is ready waits', async () => {
      const { frontier, clock } = await open();
      await frontier.add([...links('a.test', 9), ...links('b.test', 9), ...links('c.test', 9)]);
      const hosts: string[] = [];
      for (let turn = 0; turn < 9; turn++) {
        const request = await leaseOne(frontier);
        await frontier.finish([fetched(request, clock.now())]);
        hosts.push(request.record.host);
        if (turn % 3 === 2) await clock.advance(SECOND_MS);
      }
      for (let round = 0; round < 9; round += 3) expect(new Set(hosts.slice(round, round + 3)).size).toBe(3);
    });

    test('bug-023: a visit that only fetched robots.txt costs the host its rest', async () => {
      const { frontier, clock, start } = await open();
      await frontier.add(links('a.test', 1));
      const request = await leaseOne(frontier);
      await clock.advance(300);
      await frontier.finish([
        { ...putOff(request), hostEffect: { ...fetched(request, start + 200).hostEffect } },
      ]);
      expect(await frontier.nextReadyAt()).toBe(start + 1_200);
    });

    test('the rest is counted from the request when that was sent later than lent', async () => {
      const { frontier, clock, start } = await open();
      await frontier.add(links('a.test', 2));
      const request = await leaseOne(frontier);
      await clock.advance(900);
      await frontier.finish([fetched(request, start + 700)]);
      expect(await frontier.nextReadyAt()).toBe(start + 1_700);
    });

    test('R10: a Crawl-delay of a day is kept: the host is crawled slowly, not skipped', async () => {
      const { frontier, clock, start } = await open();
      await frontier.add(links('a.test', 2));
      const request = await leaseOne(frontier);
      await frontier.finish([fetched(request, start, { hostEffect: { crawlDelayMs: DAY_MS } })]);
      await clock.advance(DAY_MS - 1);
      expect(await frontier.lease(1)).toEqual([]);
      await clock.advance(1);
      expect(await frontier.lease(1)).toHaveLength(1);
      expect(await frontier.nextReadyAt(5 * MINUTE_MS)).toBeNull(); // nothing of it waits any more
    });

    test('a Crawl-delay beyond the patience of a crawl is waited for, a distant refresh is not', async () => {
      const { frontier, start } = await open();
      await frontier.add([...links('slow.test', 2), ...links('quick.test', 1)]);
      for (const request of await frontier.lease(9)) {
        const crawlDelayMs = request.record.host === 'slow.test' ? DAY_MS : null;
        const nextVisitAt = start + 60 * MINUTE_MS;
        await frontier.finish([fetched(request, start, { nextVisitAt, hostEffect: { crawlDelayMs } })]);
      }
      expect(await frontier.nextReadyAt()).toBe(start + 60 * MINUTE_MS);
      expect(await frontier.nextReadyAt(5 * MINUTE_MS)).toBe(start + DAY_MS);
    });

    test('a smaller Crawl-delay changes nothing, and one that is gone is forgotten', async () => {
      const { frontier, start } = await open();
      await frontier.add(links('a.test', 1));
      const request = await leaseOne(frontier);
      await frontier.finish([fetched(request, start, { hostEffect: { crawlDelayMs: 20 } })]);
      expect(await frontier.host('a.test')).toMatchObject({ delayMs: SECOND_MS, crawlDelayMs: 20 });
    });

    test('bug-066: Retry-After rests the whole host, and is not shortened by answers that come later', async () => {
      const { frontier, clock, start } = await open();
      await frontier.add(links('a.test', 3));
      const first = await leaseOne(frontier);
      await clock.advance(SECOND_MS);
      const second = await leaseOne(frontier);
      const restUntil = start + 7 * SECOND_MS;
      await frontier.finish([failed(first, start, restUntil, { healthy: null, restUntil })]);
      await frontier.finish([fetched(second, start + SECOND_MS)]);
      await clock.advance(6 * SECOND_MS - 1);
      expect(await frontier.lease(9)).toEqual([]);
      await clock.advance(1);
      expect(await frontier.lease(9)).toHaveLength(1);
    });

    test('bug-068: a Retry-After of centuries is bounded, and no sooner than it can be', async () => {
      const { frontier, start } = await open();
      await frontier.add(links('a.test', 1));
      const restUntil = start + 9_999_999_999_000;
      await frontier.finish([failed(await leaseOne(frontier), start, start, { restUntil })]);
      expect(await frontier.nextReadyAt()).toBe(start + 30 * DAY_MS);
    });

    test('R13: failures in a row widen the rest, success narrows it step by step', async () => {
      const { frontier, clock } = await open();
      await frontier.add(links('a.test', 20));
      const delays: number[] = [];
      for (const isHealthy of [false, false, false, true, true, true]) {
        const request = await leaseOne(frontier);
        const at = clock.now();
        await frontier.finish([isHealthy ? fetched(request, at) : failed(request, at, null)]);
        delays.push((await frontier.host('a.test'))?.delayMs ?? 0);
        await clock.advance(((await frontier.nextReadyAt()) ?? 0) - at);
      }
      expect(delays).toEqual([2, 4, 8, 2, 1, 1].map((seconds) => seconds * SECOND_MS));
    });

    test('R13: a host that is down rests ten minutes at most, even where no delay is asked for', async () => {
      const { frontier, clock } = await open({ delayMs: 0 });
      await frontier.add(links('a.test', 40));
      let longest = 0;
      for (let failures = 0; failures < 30; failures++) {
        const at = clock.now();
        await frontier.finish([failed(await leaseOne(frontier), at, null, { requestedAt: null })]);
        const waitMs = ((await frontier.nextReadyAt()) ?? 0) - at;
        expect(waitMs).toBeGreaterThan(0);
        longest = Math.max(longest, waitMs);
        await clock.advance(waitMs);
      }
      expect(longest).toBe(10 * MINUTE_MS);
    });

    test('R11: jitter only lengthens the rest', async () => {
      const { frontier, clock } = await open({ delayMs: 100, delayJitterMs: 100 });
      await frontier.add(links('a.test', 30));
      const gaps = gapsByHost(await crawlAll(frontier, clock));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(200);
      expect(new Set(gaps).size).toBeGreaterThan(5);
    });

    test('a turn for a request outside the queue counts like a loan', async () => {
      const { frontier, clock, start } = await open({ perHost: 1 });
      expect(await frontier.takeTurn('a.test')).toBe(0);
      expect(await frontier.takeTurn('a.test')).toBe(SECOND_MS);
      await frontier.add(links('a.test', 2));
      await clock.advance(SECOND_MS);
      expect(await frontier.lease(1)).toEqual([]); // its one slot is taken
      await clock.advance(((await frontier.nextReadyAt()) ?? 0) - clock.now());
      expect(clock.now()).toBeLessThanOrEqual(start + MINUTE_MS);
      expect(await frontier.lease(1)).toHaveLength(1);
      expect(await frontier.takeTurn('a.test')).toBeGreaterThan(0);
      expect(await frontier.takeTurn('b.test')).toBe(0);
    });
  });
}

interface Start {
  readonly host: string;
  readonly at: number;
}

/** Visits everything, each visit taking no time; returns when each was lent. */
async function crawlAll(frontier: Frontier, clock: VirtualClock): Promise<Start[]> {
  const starts: Start[] = [];
  for (;;) {
    for (const request of await frontier.lease(100)) {
      starts.push({ host: request.record.host, at: clock.now() });
      await frontier.finish([fetched(request, clock.now())]);
    }
    const readyAt = await frontier.nextReadyAt();
    if (readyAt === null) return starts;
    await clock.advance(readyAt - clock.now());
  }
}

/** Times between loans of one host. */
function gapsByHost(starts: readonly Start[]): number[] {
  const last = new Map<string, number>();
  const gaps: number[] = [];
  for (const { host, at } of starts) {
    const before = last.get(host);
    if (before !== undefined) gaps.push(at - before);
    last.set(host, at);
  }
  return gaps;
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { type DiskQueue, type OfferedUrl, type QueueEntry, WorkQueue } from './work-queue.ts';

/** What the url table does for the queue, in a few lines. */
class ListedUrls implements DiskQueue {
  readonly urls = new Map<number, OfferedUrl>();
  readonly lent = new Set<number>();
  reads = 0;

  newUrls(hostId: number, rank: number, limit: number): QueueEntry[] {
    this.reads++;
    return this.#ofHost(hostId)
      .filter(({ dueAt }) => dueAt > rank && dueAt < 0)
      .slice(0, limit);
  }

  fetchedUrls(hostId: number, limit: number): QueueEntry[] {
    this.reads++;
    return this.#ofHost(hostId)
      .filter(({ dueAt }) => dueAt >= 0)
      .slice(0, limit);
  }

  #ofHost(hostId: number): OfferedUrl[] {
    return [...this.urls.values()]
      .filter((url) => url.hostId === hostId && !this.lent.has(url.id))
      .sort((a, b) => a.dueAt - b.dueAt);
  }
}

test('whatever the room, the next URL of a host is the first on disk, and the bound holds', async () => {
  const hostId = fc.integer({ min: 1, max: 4 });
  const step = fc.oneof(
    fc.record({
      do: fc.constant('offer' as const),
      ranks: fc.array(fc.tuple(hostId, fc.nat(50)), { maxLength: 9, size: 'max' }),
    }),
    fc.record({ do: fc.constant('next' as const), hostId }),
    fc.record({ do: fc.constant('putBack' as const), which: fc.nat() }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.nat(3_000) }),
  );
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 8 }),
    fc.array(step, { maxLength: 120, size: 'max' }),
    async (capacity, steps) => {
      const disk = new ListedUrls();
      const clock = virtualClock();
      const queue = new WorkQueue(disk, clock, { capacity, waitMs: 2_000 });
      const first = (hostId: number): QueueEntry | undefined =>
        disk.newUrls(hostId, Number.MIN_SAFE_INTEGER, 1)[0];
      let id = 0;
      let total = 0;
      for (const next of steps) {
        if (next.do === 'wait') await clock.advance(next.ms);
        if (next.do === 'offer') {
          const urls = next.ranks.map(([hostId, rank]) => ({
            id: ++id,
            hostId,
            dueAt: rank - 100 + id / 1_000,
          }));
          for (const url of urls) disk.urls.set(url.id, url);
          total += urls.length;
          queue.offer(urls);
        }
        if (next.do === 'next') {
          const expected = first(next.hostId);
          const entry = queue.next(next.hostId);
          expect(entry?.id).toBe(expected?.id);
          if (entry !== undefined) disk.lent.add(entry.id);
          queue.refill();
        }
        if (next.do === 'putBack') {
          const url = disk.urls.get([...disk.lent][next.which % Math.max(1, disk.lent.size)] ?? 0);
          if (url !== undefined && disk.lent.delete(url.id)) queue.putBack(url.hostId, url);
        }
        const { depth, waiting, waited } = queue.stats();
        expect(depth).toBeLessThanOrEqual(capacity);
        expect(waiting).toBeLessThanOrEqual(capacity);
        expect(waited).toBeLessThanOrEqual(total);
      }
      for (let hostId = 1; hostId <= 4; hostId++) {
        for (let entry = queue.next(hostId); entry !== undefined; entry = queue.next(hostId))
          disk.lent.add(entry.id);
        expect(first(hostId)).toBeUndefined();
      }
    },
  );
  await fc.assert(property, { numRuns: 300, seed: 20_260_101 });
});

test('a host is read from the disk once in many loans', () => {
  const disk = new ListedUrls();
  const queue = new WorkQueue(disk, virtualClock(), { capacity: 1_000, waitMs: 0 });
  for (let id = 1; id <= 5_000; id++) disk.urls.set(id, { id, hostId: 1, dueAt: id - 10_000 });
  for (let loans = 0; loans < 1_000; loans++) disk.lent.add(queue.next(1)?.id ?? 0);
  expect(disk.lent.size).toBe(1_000);
  expect(disk.reads).toBeLessThan(100);
});

test('hosts that nobody asks for do not gather in memory', () => {
  const disk = new ListedUrls();
  const queue = new WorkQueue(disk, virtualClock(), { capacity: 10, waitMs: 0 });
  for (let hostId = 1; hostId <= 200; hostId++) {
    const url = { id: hostId, hostId, dueAt: -hostId };
    disk.urls.set(hostId, url);
    queue.offer([url]);
  }
  expect(queue.stats()).toMatchObject({ depth: 10, spilled: 190 });
  for (let hostId = 200; hostId >= 1; hostId--) expect(queue.next(hostId)?.id).toBe(hostId);
});

/**
 * The bounded work queue in front of the disk (R27): the URLs that will be lent next, as ids in memory.
 *
 * The disk is the queue; this holds the head of it, host by host. Every URL is durable before it comes here, so losing
 * anything here loses nothing, and entries may be stale: the frontier checks each against its row before lending.
 *
 * Order. Of the new URLs of a host, memory holds the first in rank: one that ranks before the worst in memory goes in
 * (the worst goes back to the disk when there is no room), any other goes behind what was left on the disk. Fetched ones that
 * are due again come most overdue first (R22). While a host has both, `choose` decides, or they take turns, one of each.
 *
 * Room. A new URL that finds none waits for it, at most `waitMs`; then it is left to the disk. Whoever calls `offer` may
 * wait with it (R27) or not (a visit must never wait for the queue it empties). When lending makes room the queue fills
 * itself from the disk. A host that has its turn always finds room: hosts not served for longest give theirs up.
 */
import type { Clock } from '../clock.ts';
import type { QueueStats } from './frontier.ts';
import { type QueueEntry, RankList } from './rank-list.ts';

export type { QueueEntry } from './rank-list.ts';

export interface OfferedUrl extends QueueEntry {
  readonly hostId: number;
}

/** The queue on disk, as the url table's index has it. Lent URLs are left out. */
export interface DiskQueue {
  /** New URLs of a host ranked after `rank`, in order. */
  newUrls(hostId: number, rank: number, limit: number): QueueEntry[];
  /** Fetched URLs of a host in order of due time, future ones too. */
  fetchedUrls(hostId: number, limit: number): QueueEntry[];
}

/** New URLs, or those due again. */
export type Lane = 'fresh' | 'again';

export interface WorkQueueOptions {
  /** Which of the best two goes first? Null: they take turns. */
  readonly choose?: (fresh: QueueEntry, again: QueueEntry) => Lane | null;
  readonly capacity: number;
  readonly waitMs: number;
}

/** The part of one host's queue that is in memory. */
interface Head {
  readonly fresh: RankList;
  readonly again: RankList;
  /** True when the disk has no new URL of the host beyond `fresh`. */
  isWhole: boolean;
  /** No fetched URL beyond those in `again` is due before this instant. */
  againAt: number;
  isTurnOfAgain: boolean;
}

/** URLs offered together that wait for room. */
interface Batch {
  readonly since: number;
  readonly ids: Set<number>;
  resolve(): void;
}

/** Entries read from the disk at once at most. */
const CHUNK = 64;

export class WorkQueue {
  readonly #disk: DiskQueue;
  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #waitMs: number;
  readonly #choose: NonNullable<WorkQueueOptions['choose']>;
  /** By host id, the host served last at the end. */
  readonly #heads = new Map<number, Head>();
  /** URLs waiting for room, oldest first. */
  readonly #waiting = new Map<number, { readonly hostId: number; readonly batch: Batch }>();
  readonly #batches = new Set<Batch>();
  #depth = 0;
  #waited = 0;
  #longestWaitMs = 0;
  #spilled = 0;
  #refilled = 0;

  constructor(disk: DiskQueue, clock: Clock, options: WorkQueueOptions) {
    this.#disk = disk;
    this.#clock = clock;
    this.#capacity = Math.max(1, options.capacity);
    this.#waitMs = options.waitMs;
    this.#choose = options.choose ?? (() => null);
  }

  /** Takes the next URL of a host that is due now, to be lent; undefined when there is none. */
  next(hostId: number): QueueEntry | undefined {
    const now = this.#clock.now();
    const head = this.#serve(hostId);
    if (head.again.size === 0 && head.againAt <= now) this.#loadAgain(hostId, head, now);
    if (head.fresh.size === 0) this.#loadFresh(hostId, head, this.#chunk);
    else if (head.fresh.size * 2 < this.#chunk) this.#loadFresh(hostId, head, this.#room);
    const entry = this.#lane(head).takeBest();
    if (entry !== undefined) this.#depth--;
    return entry;
  }

  /** Gives the room that lending has made to those waiting longest. Call when what was taken is marked as lent on the disk. */
  refill(): void {
    this.#spillOverdue(this.#clock.now());
    this.#admitWaiting();
  }

  /** Offers URLs that are new. Those without room wait for it, while no more URLs wait than the queue holds. */
  offer(urls: readonly OfferedUrl[]): void {
    const batch = this.#enqueue(urls);
    this.#spill(batch, this.#waiting.size - this.#capacity);
    this.#endIfSettled(batch);
  }

  /** Offers URLs that are new; resolves when each has found room or, having waited its time, was left to the disk. */
  async offerAndWait(urls: readonly OfferedUrl[]): Promise<void> {
    const batch = this.#enqueue(urls);
    this.#endIfSettled(batch);
    if (batch.ids.size === 0) return;
    const settled = new AbortController();
    batch.resolve = () => settled.abort();
    await this.#clock.sleep(this.#waitMs, settled.signal);
    this.#spill(batch);
    this.#endIfSettled(batch);
  }

  /** Puts a URL back that was lent, or one in that has a better rank now. */
  putBack(hostId: number, entry: QueueEntry): void {
    const head = this.#heads.get(hostId);
    if (head === undefined) return;
    if (entry.dueAt < 0) this.#place(head, entry);
    else head.againAt = Math.min(head.againAt, entry.dueAt);
  }

  /** Forgets what is in memory of a host, because the disk knows better. */
  forget(hostId: number): void {
    const head = this.#heads.get(hostId);
    if (head === undefined) return;
    this.#depth -= head.fresh.size + head.again.size;
    this.#heads.delete(hostId);
  }

  /** Forgets what is in memory of all hosts. */
  clear(): void {
    this.#heads.clear();
    this.#depth = 0;
  }

  stats(): QueueStats {
    this.#spillOverdue(this.#clock.now());
    return {
      capacity: this.#capacity,
      depth: this.#depth,
      waiting: this.#waiting.size,
      waited: this.#waited,
      longestWaitMs: this.#longestWaitMs,
      spilled: this.#spilled,
      refilled: this.#refilled,
    };
  }

  /** Entries read at once for one host: fewer when many hosts share the queue, so that they do not drive each other out. */
  get #chunk(): number {
    const share = Math.floor(this.#capacity / (2 * Math.max(1, this.#heads.size)));
    return Math.max(1, Math.min(CHUNK, share));
  }

  get #room(): number {
    return Math.max(0, this.#capacity - this.#depth);
  }

  #lane(head: Head): RankList {
    const { fresh, again } = head;
    if (fresh.best === undefined || again.best === undefined) return again.best === undefined ? fresh : again;
    const lane = this.#choose(fresh.best, again.best) ?? (head.isTurnOfAgain ? 'again' : 'fresh');
    head.isTurnOfAgain = lane === 'fresh';
    return head[lane];
  }

  /** The head of a host, from now on the one served last. */
  #serve(hostId: number): Head {
    const head = this.#heads.get(hostId) ?? emptyHead();
    this.#heads.delete(hostId);
    this.#heads.set(hostId, head);
    // Empty heads take memory too.
    if (this.#heads.size > this.#capacity) this.#forgetOldest();
    return head;
  }

  #forgetOldest(): void {
    const [oldest] = this.#heads.keys();
    if (oldest !== undefined) this.forget(oldest);
  }

  /** Room for up to `count` entries of one host, made at the cost of the hosts served longest ago; at least one, at its own. */
  #makeRoom(count: number, keep: Head): number {
    for (const [hostId, head] of this.#heads) {
      const missing = count - this.#room;
      if (missing <= 0) break;
      if (head === keep) continue;
      this.#drop(head, missing);
      if (head.fresh.size === 0) this.forget(hostId);
    }
    if (count > 0 && this.#room === 0) this.#drop(keep, 1);
    return Math.min(count, this.#room);
  }

  /** Leaves the worst new URLs of a host to the disk. */
  #drop(head: Head, count: number): void {
    const dropped = head.fresh.dropWorst(count);
    this.#depth -= dropped;
    this.#spilled += dropped;
    if (dropped > 0) head.isWhole = false;
  }

  #loadAgain(hostId: number, head: Head, now: number): void {
    const [first] = this.#disk.fetchedUrls(hostId, 1);
    head.againAt = first?.dueAt ?? Number.POSITIVE_INFINITY;
    if (head.againAt > now) return;
    const limit = this.#chunk;
    const entries = this.#disk.fetchedUrls(hostId, limit);
    const due = entries.filter((entry) => entry.dueAt <= now);
    const taken = due.slice(0, this.#makeRoom(due.length, head));
    for (const entry of taken) head.again.insert(entry);
    this.#depth += taken.length;
    const next = entries[taken.length];
    // When all that was read is taken, there may be more.
    if (next !== undefined) head.againAt = next.dueAt;
    else if (entries.length < limit) head.againAt = Number.POSITIVE_INFINITY;
  }

  #loadFresh(hostId: number, head: Head, limit: number): void {
    if (head.isWhole || limit <= 0) return;
    const entries = this.#disk.newUrls(hostId, head.fresh.worst?.dueAt ?? Number.MIN_SAFE_INTEGER, limit);
    const taken = entries.slice(0, this.#makeRoom(entries.length, head));
    for (const { id, dueAt } of taken) {
      head.fresh.insert({ id, dueAt });
      if (!this.#settle(id)) this.#refilled++;
    }
    this.#depth += taken.length;
    head.isWhole = entries.length < limit && taken.length === entries.length;
  }

  /** Puts a new URL in its place in memory; false when its place is on the disk or there is no room. */
  #place(head: Head, entry: QueueEntry): boolean {
    const worst = head.fresh.worst;
    const isBeforeWorst = worst !== undefined && entry.dueAt < worst.dueAt;
    if (!isBeforeWorst && (!head.isWhole || this.#room === 0)) {
      head.isWhole = false;
      return false;
    }
    if (this.#room === 0) this.#drop(head, 1);
    head.fresh.insert({ id: entry.id, dueAt: entry.dueAt });
    this.#depth++;
    this.#settle(entry.id);
    return true;
  }

  /** Puts URLs where there is room; the rest wait, as the batch that is returned. */
  #enqueue(urls: readonly OfferedUrl[]): Batch {
    const batch: Batch = { since: this.#clock.now(), ids: new Set(), resolve: () => undefined };
    this.#spillOverdue(batch.since);
    for (const url of urls) {
      const head = this.#heads.get(url.hostId);
      if (head !== undefined && this.#place(head, url)) continue;
      batch.ids.add(url.id);
      this.#waiting.set(url.id, { hostId: url.hostId, batch });
    }
    this.#batches.add(batch);
    this.#admitWaiting();
    this.#waited += batch.ids.size;
    if (this.#waitMs <= 0) this.#spill(batch);
    return batch;
  }

  /** Fills room from the disk for the hosts of those waiting longest. */
  #admitWaiting(): void {
    while (this.#room > 0) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const [id, { hostId }] = first;
      const head = this.#heads.get(hostId) ?? this.#serve(hostId);
      this.#loadFresh(hostId, head, this.#room);
      // The disk has nothing more of this host: the URL is in memory, or lent, or was never committed.
      if (head.isWhole) this.#settle(id);
    }
  }

  /** Ends the waiting of one URL; false when it was not waiting. */
  #settle(id: number): boolean {
    const batch = this.#waiting.get(id)?.batch;
    if (batch === undefined) return false;
    this.#waiting.delete(id);
    batch.ids.delete(id);
    this.#longestWaitMs = Math.max(this.#longestWaitMs, this.#clock.now() - batch.since);
    this.#endIfSettled(batch);
    return true;
  }

  /** Leaves URLs of a batch to the disk, all of them or some. */
  #spill(batch: Batch, count: number = batch.ids.size): void {
    for (const id of [...batch.ids].slice(0, Math.max(0, count))) {
      this.#settle(id);
      this.#spilled++;
    }
  }

  #spillOverdue(now: number): void {
    for (const batch of this.#batches) {
      if (batch.since + this.#waitMs > now) return;
      this.#spill(batch);
      this.#endIfSettled(batch);
    }
  }

  #endIfSettled(batch: Batch): void {
    if (batch.ids.size > 0) return;
    this.#batches.delete(batch);
    batch.resolve();
  }
}

function emptyHead(): Head {
  return {
    fresh: new RankList(),
    again: new RankList(),
    isWhole: false,
    againAt: Number.NEGATIVE_INFINITY,
    isTurnOfAgain: false,
  };
}

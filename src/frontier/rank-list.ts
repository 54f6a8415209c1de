/** A sorted list of queued URLs, cheap at both ends: the best is taken, the worst is given up, new ones mostly come last. */

export interface QueueEntry {
  readonly id: number;
  /** Rank or due time as in the url table (order.ts); smaller comes first. */
  readonly dueAt: number;
}

/** Taken entries at the front are cut off when there are this many. */
const SLACK = 64;

export class RankList {
  #entries: (QueueEntry | undefined)[] = [];
  /** Index of the best entry; those before it were taken. */
  #start = 0;

  get size(): number {
    return this.#entries.length - this.#start;
  }

  get best(): QueueEntry | undefined {
    return this.#entries[this.#start];
  }

  get worst(): QueueEntry | undefined {
    return this.size > 0 ? this.#entries.at(-1) : undefined;
  }

  takeBest(): QueueEntry | undefined {
    const entry = this.best;
    if (entry === undefined) return undefined;
    this.#entries[this.#start++] = undefined;
    if (this.#start >= SLACK && this.#start * 2 >= this.#entries.length) {
      this.#entries.splice(0, this.#start);
      this.#start = 0;
    }
    return entry;
  }

  insert(entry: QueueEntry): void {
    let low = this.#start;
    let high = this.#entries.length;
    if (high > low && (this.#entries[high - 1]?.dueAt ?? 0) <= entry.dueAt) low = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.dueAt ?? 0) <= entry.dueAt) low = middle + 1;
      else high = middle;
    }
    if (low === this.#start && low > 0) this.#entries[--this.#start] = entry;
    else this.#entries.splice(low, 0, entry);
  }

  /** Gives up the `count` worst entries; returns how many there were. */
  dropWorst(count: number): number {
    const dropped = Math.min(count, this.size);
    this.#entries.length -= dropped;
    return dropped;
  }
}

/** So many calls of each name in a window of time. Windows begin at multiples of their length, so one count a name is kept. */

/** Names counted in one window, about a megabyte; those beyond share one count, so nobody gains by having many. */
const MOST_NAMES = 10_000;
const OTHERS = '*';

export class RateLimit {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #counts = new Map<string, number>();
  #window = Number.NEGATIVE_INFINITY;

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Counts a call as one or more: 0 when it began within the limit, else the milliseconds until it may be tried again. */
  take(name: string, nowMs: number, cost = 1): number {
    const window = Math.floor(nowMs / this.#windowMs);
    // Also when a clock is set back: nobody waits for the hour to come again.
    if (window !== this.#window) this.#counts.clear();
    this.#window = window;
    const counted = this.#counts.has(name) || this.#counts.size < MOST_NAMES ? name : OTHERS;
    const count = this.#counts.get(counted) ?? 0;
    if (count >= this.#most) return (window + 1) * this.#windowMs - nowMs;
    this.#counts.set(counted, count + cost);
    return 0;
  }
}

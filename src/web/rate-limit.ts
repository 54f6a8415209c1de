/** So many calls of each name in a window of time. Windows begin at multiples of their length, so one count a name is kept. */

export class RateLimit {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #counts = new Map<string, number>();
  #endsAt = Number.NEGATIVE_INFINITY;

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Counts a call: 0 when it is within the limit, else the milliseconds until it may be tried again. */
  take(name: string, nowMs: number): number {
    if (nowMs >= this.#endsAt) {
      this.#counts.clear();
      this.#endsAt = (Math.floor(nowMs / this.#windowMs) + 1) * this.#windowMs;
    }
    const count = this.#counts.get(name) ?? 0;
    if (count >= this.#most) return this.#endsAt - nowMs;
    this.#counts.set(name, count + 1);
    return 0;
  }
}

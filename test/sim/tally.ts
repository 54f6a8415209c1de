/** The sum of many runs. */
import { faults } from './coverage.ts';
import type { Played } from './play.ts';

export interface Met {
  readonly times: number;
  /** In how many runs. */
  readonly runs: number;
}

export class Tally {
  held = 0;
  failed = 0;
  requests = 0;
  spanMs = 0;
  readonly #met = new Map<string, Met>();

  add({ problems, requests, spanMs, met }: Played): void {
    if (problems.length === 0) this.held++;
    else this.failed++;
    this.requests += requests;
    this.spanMs += spanMs;
    for (const [kind, count] of met) {
      const { times, runs } = this.#met.get(kind) ?? { times: 0, runs: 0 };
      this.#met.set(kind, { times: times + count, runs: runs + 1 });
    }
  }

  get played(): number {
    return this.held + this.failed;
  }

  /** Kinds of what was met, by name. */
  get met(): (readonly [kind: string, met: Met])[] {
    return [...this.#met].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Kinds of faults that no run has met. */
  get unmet(): string[] {
    return faults.filter((kind) => !this.#met.has(kind));
  }
}

/**
 * Time and chance, handed in. Everything that waits, dates or rolls dice takes one of these, so a whole crawl
 * can run under a virtual clock with seeded randomness. The only file that may touch timers and `Math.random`.
 */

/** Wall-clock time and waiting. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds, or at once when `signal` is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `run` once after `ms` milliseconds; the returned function cancels. The timer keeps no process alive. */
  after(ms: number, run: () => void): () => void;
}

/** Uniform random numbers in [0, 1). */
export type Random = () => number;

/** Longest delay `setTimeout` takes without overflowing to 1 ms (2^31 − 1; Node's timers documentation). */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
      signal?.addEventListener('abort', done, { once: true });
    });
  },
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The machine's randomness; good for jitter, not for secrets. */
export const systemRandom: Random = () => Math.random();

/** Time that moves only when told to: whole crawls run in milliseconds, and every run is the same. */
import type { Clock } from '../../src/clock.ts';

export interface VirtualClock extends Clock {
  /** Moves time on by `ms`, running what falls due on the way at its own instant, and lets promises settle. */
  advance(ms: number): Promise<void>;
  /**
   * Moves time on from timer to timer until `work` has settled, and gives its result. Rejects when it waits for no timer.
   * `look` is called each time before time moves on.
   */
  until<T>(work: Promise<T>, look?: () => Promise<void>): Promise<T>;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** 2026-01-01T00:00:00Z: a plausible instant, so that code that compares dates behaves as in life. */
const START_AT = 1_767_225_600_000;

export function virtualClock(startAt: number = START_AT): VirtualClock {
  let now = startAt;
  const timers = new Set<Timer>();

  const after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: now + Math.max(0, ms), run };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  /** The timer due first; of several at one instant the one set first. */
  const first = (): Timer | undefined => {
    let earliest: Timer | undefined;
    for (const timer of timers) if (earliest === undefined || timer.at < earliest.at) earliest = timer;
    return earliest;
  };

  return {
    now: () => now,
    after,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = (): void => {
          cancel();
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const cancel = after(ms, done);
        signal?.addEventListener('abort', done, { once: true });
      });
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (let timer = first(); timer !== undefined && timer.at <= end; timer = first()) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.run();
        await settle();
      }
      now = end;
      await settle();
    },
    async until(work, look) {
      let isSettled = false;
      const mark = (): void => {
        isSettled = true;
      };
      work.then(mark, mark);
      for (;;) {
        await settle();
        if (!isSettled && look !== undefined) {
          await look();
          await settle();
        }
        if (isSettled) return work;
        const timer = first();
        if (timer === undefined)
          throw new Error('nothing moves any more: the work waits for something that is no timer');
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.run();
      }
    },
  };
}

/** Lets promises that can settle do so, chains of them included. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

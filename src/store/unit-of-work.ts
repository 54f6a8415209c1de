/** Steps of the embedded stores as one transaction. */
import type { MaybePromise } from '../types.ts';
import type { Database } from './database.ts';

/**
 * Runs steps in order inside one immediate transaction; when one throws, none has happened. The steps answer at once,
 * because a transaction that spans an await would let other tasks write into it.
 */
export function transactionOf(
  db: Database,
): (steps: readonly (() => MaybePromise<unknown>)[]) => Promise<void> {
  const run = db.transaction((steps: readonly (() => MaybePromise<unknown>)[]) => {
    for (const step of steps) {
      if (step() instanceof Promise) throw new Error('a step of an embedded transaction must not wait');
    }
  });
  return async (steps) => run.immediate(steps);
}

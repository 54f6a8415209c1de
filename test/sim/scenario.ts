/** A test that plays in a simulation; the invariants of every run are checked at its end. */
import { expect } from 'vitest';
import { Sim, type SimOptions } from './harness.ts';
import { violations } from './invariants.ts';

export function scenario(options: SimOptions, play: (sim: Sim) => Promise<void>): () => Promise<void> {
  return async () => {
    const sim = new Sim(options);
    try {
      await play(sim);
      expect(violations(sim)).toEqual([]);
    } finally {
      await sim.close();
    }
  };
}

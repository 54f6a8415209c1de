/** Randomness that is the same in every run with the same seed. */
import type { Random } from '../../src/clock.ts';

/** Marsaglia's xorshift with 32 bits of state (Xorshift RNGs, 2003, triple 13, 17, 5). */
export function seededRandom(seed: number): Random {
  let state = seed | 0 || 1; // zero would stay zero
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

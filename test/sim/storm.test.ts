/**
 * Storms of random seeds (R18, R29, R31). STORMS=500 plays more of them; STORM=17 replays one:
 *   STORM=17 npx vitest run test/sim/storm
 */
import { describe, expect, test } from 'vitest';
import { storm } from './storm.ts';

const one = process.env['STORM'];
const count = Number(process.env['STORMS'] ?? 50);
const seeds = one === undefined ? Array.from({ length: count }, (_, n) => n + 1) : [Number(one)];

describe('after a storm nothing is lost', () => {
  test.each(seeds.map((seed) => [seed, seed]))(
    'seed %i (replay: STORM=%i npx vitest run test/sim/storm)',
    async (seed) => {
      const after = await storm(seed);
      expect(after.violations).toEqual([]);
      expect(after.indexed).toEqual(after.expectedIndexed);
      expect(Object.keys(after.states).sort()).toEqual(Object.keys(after.expected).sort());
    },
  );
});

/**
 * Storms of random seeds (R18, R29, R31): a few of those that `npm run sim -- --seeds 10000` plays. STORMS=500 plays more.
 */
import { describe, expect, test } from 'vitest';
import { playSeed } from './play.ts';

const count = Number(process.env['STORMS'] ?? 24);
const seeds = Array.from({ length: count }, (_, n) => n + 1);

describe('after a storm nothing is lost', () => {
  test.each(seeds)('seed %i', async (seed) => {
    expect((await playSeed(seed)).problems).toEqual([]);
  });

  test('the same seed is the same storm', async () => {
    expect(await playSeed(1)).toEqual(await playSeed(1));
  });
});

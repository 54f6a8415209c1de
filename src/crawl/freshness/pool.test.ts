import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Evidence, Pool } from '../../types.ts';
import { emptyPool, poolAfter, priorOf } from './pool.ts';

const meanOf = (all: Pool, host: Pool): number => {
  const { shape, days } = priorOf(all, host);
  return shape / days;
};
const of = (rate: number, count: number): Pool => ({ sum: count * Math.log(rate), count });
const nothing: Evidence = { changes: 0, days: 0 };

describe('priorOf', () => {
  test('starts at a change in ten days on average, of which the typical page has a change in twenty', () => {
    expect(meanOf(emptyPool, emptyPool)).toBeCloseTo(0.1, 12);
  });

  test('a host leans on all hosts as long as little is known of it', () => {
    const all = of(1, 10_000);
    expect(meanOf(all, emptyPool)).toBeCloseTo(2, 1);
    expect(meanOf(all, of(0.01, 1))).toBeGreaterThan(1);
    expect(meanOf(all, of(0.01, 1_000))).toBeCloseTo(0.02, 2);
  });
});

describe('poolAfter', () => {
  test('a page that has shown nothing contributes nothing', () => {
    expect(poolAfter(emptyPool, nothing, nothing)).toEqual(emptyPool);
    expect(poolAfter(emptyPool, nothing, { changes: 1, days: 3 }).count).toBe(1);
    expect(poolAfter(emptyPool, { changes: 1, days: 3 }, { changes: 2, days: 3 }).count).toBe(0);
  });

  test('sums of changes equal a pool made anew, in whatever order pages learned', () => {
    const evidence = fc.record({
      changes: fc.double({ min: 0, max: 50, noNaN: true }),
      days: fc.double({ min: 0.1, max: 3_650, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(fc.array(evidence, { minLength: 1 })), (pages) => {
        let kept = emptyPool;
        let anew = emptyPool;
        for (const history of pages) {
          let before = nothing;
          for (const after of history) {
            kept = poolAfter(kept, before, after);
            before = after;
          }
          anew = poolAfter(anew, nothing, before);
        }
        expect(kept.count).toBe(anew.count);
        expect(kept.sum).toBeCloseTo(anew.sum, 6);
      }),
    );
  });
});

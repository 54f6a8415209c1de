import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CrawlOrder, newDueAt } from './order.ts';

const order = fc.constantFrom<CrawlOrder>('breadth', 'depth', 'best');
const priority = fc.integer({ min: -100, max: 100 });
const depth = fc.integer({ min: 0, max: 255 });
const sequence = fc.integer({ min: 0, max: 2 ** 36 - 1 });

describe('newDueAt', () => {
  test('is a negative safe integer: due whatever the clock says', () => {
    fc.assert(
      fc.property(order, fc.integer(), fc.nat(), fc.maxSafeNat(), (...place) => {
        const dueAt = newDueAt(...place);
        expect(Number.isSafeInteger(dueAt)).toBe(true);
        expect(dueAt).toBeLessThan(0);
        expect(dueAt).toBeGreaterThanOrEqual(-(2 ** 52));
      }),
    );
  });

  test('compares as priority, then depth as the order says, then sequence', () => {
    fc.assert(
      fc.property(
        order,
        priority,
        depth,
        sequence,
        priority,
        depth,
        sequence,
        (order, p1, d1, s1, p2, d2, s2) => {
          const keys: Record<CrawlOrder, number[]> = {
            breadth: [p2 - p1, d1 - d2, s1 - s2],
            depth: [p2 - p1, d2 - d1, s2 - s1],
            best: [p2 - p1, s1 - s2],
          };
          const expected = Math.sign(keys[order].find((difference) => difference !== 0) ?? 0);
          const difference = newDueAt(order, p1, d1, s1) - newDueAt(order, p2, d2, s2);
          expect(Math.sign(difference)).toBe(expected);
        },
      ),
      { examples: [['breadth', 100, 0, 0, -100, 255, 2 ** 36 - 1]] },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HostMemory } from '../../types.ts';
import { newCrawl, newHost, newPage, type PageMemory } from './memory.ts';
import { emptyPool, priorOf } from './pool.ts';
import { budgetFor, type Load, steer, steerHost, usualPrice } from './price.ts';
import { DAY_MS, visitsPerDay, worthwhileInterval } from './worth.ts';

const load = (demand: number, available: number, overdue = 0, pages = 1_000): Load => ({
  demand,
  available,
  overdue,
  pages,
});
const bounds = { leastMs: 1_800_000, mostMs: 90 * 86_400_000 };

describe('steer', () => {
  test('rises with too much demand, falls with too little, stays when both agree', () => {
    expect(steer(-3, load(200, 100), 0.1)).toBeGreaterThan(-3);
    expect(steer(-3, load(50, 100), 0.1)).toBeLessThan(-3);
    expect(steer(-3, load(100, 100), 0.1)).toBe(-3);
  });

  test('overdue pages count as demand', () => {
    expect(steer(-3, load(100, 100, 50), 0.1)).toBeGreaterThan(-3);
  });

  test('one step is a factor of e at most, also after a long pause', () => {
    expect(steer(0, load(1e9, 1, 1e6), 365)).toBe(1);
    expect(steer(0, load(0, 1), 365)).toBe(-1);
  });

  test('never leaves its bounds, is never NaN', () => {
    const amount = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(
        fc.double({ min: -30, max: 30, noNaN: true }),
        amount,
        amount,
        fc.nat(),
        fc.nat(),
        amount,
        (price, demand, available, overdue, pages, days) => {
          const next = steer(price, { demand, available, overdue, pages }, days);
          expect(next >= -30 && next <= 30).toBe(true);
          expect(
            steerHost(Math.abs(price), { demand, available, overdue, pages }, days),
          ).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

describe('in a closed loop with plans', () => {
  const pages: PageMemory[] = Array.from({ length: 400 }, (_, n) => ({
    ...newPage(1 + (n % 7)),
    intervalMs: 1,
    evidence: { changes: 5 + (n % 3), days: 1 + (n % 50) },
  }));
  const demandOf = (pages: readonly PageMemory[], host: HostMemory, logPrice: number): number =>
    pages.reduce(
      (sum, page) => sum + visitsPerDay(worthwhileInterval(page, host, { ...newCrawl, logPrice }, bounds)),
      0,
    );

  test('demand meets the budget within two rounds', () => {
    let logPrice = 5;
    for (let tick = 0; tick < 400; tick++) {
      logPrice = steer(logPrice, load(demandOf(pages, newHost, logPrice), 80, 0, 400), 400 / 80 / 200);
    }
    expect(demandOf(pages, newHost, logPrice)).toBeCloseTo(80, 0);
  });

  test('a slow host pays more until its pages want what it admits; a fast one pays nothing', () => {
    const slow = pages.slice(0, 100);
    let logFactor = 0;
    const demand = (): number => demandOf(slow, { ...newHost, logFactor }, -4);
    expect(demand()).toBeGreaterThan(12);
    for (let tick = 0; tick < 800; tick++)
      logFactor = steerHost(logFactor, load(demand(), 10, 0, 100), 10 / 200);
    expect(demand()).toBeCloseTo(10, 1);
    for (let tick = 0; tick < 800; tick++)
      logFactor = steerHost(logFactor, load(demand(), 1_000, 0, 100), 0.1 / 20);
    expect(logFactor).toBe(0);
  });
});

test('without a setting the budget is a fifth of the pages a day, and never tiny', () => {
  expect([3, 500, 10_000].map((pages) => budgetFor(null, pages))).toEqual([100, 100, 2_000]);
  expect(budgetFor(7, 10_000)).toBe(7);
});

test('the usual price makes a usual page wait for a round', () => {
  const belief = priorOf(emptyPool, emptyPool);
  for (const days of [0.5, 5, 20]) {
    const logPrice = usualPrice(1, belief, days);
    const interval = worthwhileInterval(newPage(1), newHost, { ...newCrawl, logPrice }, bounds);
    expect(interval / DAY_MS / days).toBeCloseTo(1, 2);
  }
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Belief } from './belief.ts';
import type { SignalTrust } from './signals.ts';
import {
  chanceDespiteSignal,
  chanceUnchanged,
  crawlValue,
  daysUntil,
  firstValue,
  freshDays,
  signalledValue,
} from './value.ts';

const positive = (least: number, most: number): fc.Arbitrary<number> =>
  fc.double({ min: Math.log(least), max: Math.log(most), noNaN: true }).map(Math.exp);
const beliefs: fc.Arbitrary<Belief> = fc.record({
  shape: fc.oneof(positive(1e-4, 1e6), fc.constant(1), positive(1 - 1e-9, 1 + 1e-9)),
  days: positive(1e-9, 1e9),
});
const ages = fc.oneof(fc.constant(0), positive(1e-12, 1e12));
const silences = fc.oneof(fc.double({ min: 0.4, max: 1, noNaN: true }), fc.constant(1));
const trusts: fc.Arbitrary<SignalTrust> = fc.record({ silence: silences, odds: positive(1, 1e6) });

/** Relative slack for rounding. */
const SLACK = 1 + 1e-6;

describe('for every belief', () => {
  test('S is a chance and falls, G is between 0 and u and grows, V is between 0 and G and grows', () => {
    fc.assert(
      fc.property(
        beliefs,
        ages,
        fc.double({ min: 1, max: 100, noNaN: true }),
        silences,
        (belief, u, factor, rho) => {
          const later = u * factor;
          expect(chanceUnchanged(belief, u)).toBeLessThanOrEqual(1);
          expect(chanceUnchanged(belief, later)).toBeGreaterThanOrEqual(0);
          expect(chanceUnchanged(belief, later)).toBeLessThanOrEqual(chanceUnchanged(belief, u));
          expect(freshDays(belief, u)).toBeGreaterThanOrEqual(0);
          expect(freshDays(belief, u)).toBeLessThanOrEqual(u * SLACK);
          expect(freshDays(belief, later)).toBeGreaterThanOrEqual(freshDays(belief, u) / SLACK);
          const value = crawlValue(belief, u, rho);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(freshDays(belief, u) * SLACK);
          expect(crawlValue(belief, later, rho)).toBeGreaterThanOrEqual(value / SLACK);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('a signal makes a change likelier and a visit worth more, but not more than a first visit', () => {
    fc.assert(
      fc.property(beliefs, ages, trusts, (belief, u, trust) => {
        const chance = chanceDespiteSignal(belief, u, trust);
        expect(chance).toBeGreaterThanOrEqual(0);
        expect(chance).toBeLessThanOrEqual(chanceUnchanged(belief, u) * SLACK);
        const value = signalledValue(belief, u, trust);
        expect(value).toBeGreaterThanOrEqual(
          Math.min(crawlValue(belief, u) / SLACK - 1e-12, firstValue(belief)),
        );
        expect(value).toBeLessThanOrEqual(Math.max(crawlValue(belief, u), firstValue(belief)));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('limits', () => {
  test('G and V go through a = 1 without a step', () => {
    for (const u of [0.001, 1, 1_000]) {
      const [below, at, above] = [1 - 1e-7, 1, 1 + 1e-7].map((shape) => crawlValue({ shape, days: 8 }, u));
      expect(below).toBeCloseTo(at as number, 4);
      expect(above).toBeCloseTo(at as number, 4);
    }
    expect(freshDays({ shape: 1, days: 8 }, 8)).toBeCloseTo(8 * Math.LN2, 12);
  });

  test('V is continuous where its series takes over', () => {
    for (const shape of [0.01, 0.4, 1, 7, 1e4]) {
      for (const silence of [1, 0.9999, 0.6]) {
        const u = (8 * 1e-4) / (shape + 1);
        const [before, after] = [0.999_99, 1.000_01].map((part) =>
          crawlValue({ shape, days: 8 }, u * part, silence),
        );
        expect((after as number) / (before as number)).toBeCloseTo(1, 3);
      }
    }
  });

  test('a sure belief gives the crawl value of a known rate (Azar et al. 2018)', () => {
    const rate = 0.3;
    const sure = { shape: 1e8, days: 1e8 / rate };
    for (const u of [0.1, 1, 10, 100]) {
      const known = (1 - Math.exp(-rate * u) * (1 + rate * u)) / rate;
      expect(crawlValue(sure, u)).toBeCloseTo(known, 5);
    }
  });

  test('silence of 1 is the limit of silence below 1', () => {
    expect(crawlValue({ shape: 0.7, days: 5 }, 20, 1 - 2e-4)).toBeCloseTo(
      crawlValue({ shape: 0.7, days: 5 }, 20),
      2,
    );
  });

  test('with a surely known rate and signals, V is that of silent changes', () => {
    // Only silent changes (rate ρλ) make the copy stale unseen; cycles without a signal last by e^(−(1−ρ)λs).
    const [rate, rho, u] = [0.3, 0.5, 4];
    let integral = 0;
    const step = 1e-4;
    for (let s = step / 2; s < u; s += step) {
      integral +=
        (Math.exp(-rho * rate * s) - Math.exp(-rho * rate * u)) * Math.exp(-(1 - rho) * rate * s) * step;
    }
    expect(crawlValue({ shape: 1e8, days: 1e8 / rate }, u, rho)).toBeCloseTo(integral, 5);
  });

  test('a visit to a page that was just looked at is worth nothing', () => {
    expect(crawlValue({ shape: 0.4, days: 8 }, 0)).toBe(0);
    expect(crawlValue({ shape: 0.4, days: 8 }, 0, 0.5)).toBe(0);
  });

  test('a page that changes far too fast is worth little: chasing it wastes the budget', () => {
    const worth = (rate: number): number => crawlValue({ shape: 50, days: 50 / rate }, 1);
    expect(worth(1)).toBeGreaterThan(worth(0.01));
    expect(worth(1)).toBeGreaterThan(worth(100));
  });
});

describe('daysUntil', () => {
  test('stays within its bounds, and comes later for a higher threshold', () => {
    const thresholds = fc.double({ min: 0, noNaN: true });
    fc.assert(
      fc.property(beliefs, thresholds, thresholds, (belief, one, other) => {
        const at = (threshold: number): number =>
          daysUntil((u) => crawlValue(belief, u), threshold, 0.02, 90);
        const [early, late] = [at(Math.min(one, other)), at(Math.max(one, other))];
        expect(early).toBeGreaterThanOrEqual(0.02 / SLACK);
        expect(late).toBeLessThanOrEqual(90 * SLACK);
        expect(early).toBeLessThanOrEqual(late);
      }),
    );
  });

  test('finds the time to 0.2 %', () => {
    const belief = { shape: 0.4, days: 8 };
    const days = daysUntil((u) => crawlValue(belief, u), crawlValue(belief, 7), 0.02, 90);
    expect(Math.abs(days / 7 - 1)).toBeLessThan(0.002);
  });
});

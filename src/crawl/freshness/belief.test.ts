import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../types.ts';
import { afterChange, type Belief, beliefOf, learn, noEvidence, type Observation } from './belief.ts';

const positive = (least: number, most: number): fc.Arbitrary<number> =>
  fc.double({ min: Math.log(least), max: Math.log(most), noNaN: true }).map(Math.exp);
const beliefs: fc.Arbitrary<Belief> = fc.record({ shape: positive(1e-3, 100), days: positive(1e-6, 1e5) });
const evidences: fc.Arbitrary<Evidence> = fc.record({
  changes: fc.double({ min: 0, max: 50, noNaN: true }),
  days: fc.double({ min: 0, max: 3_650, noNaN: true }),
});
const days = fc.double({ min: 0, noNaN: true });
const observations: fc.Arbitrary<Observation> = fc.oneof(
  fc.constant<Observation>({ kind: 'none' }),
  days.map((gapDays): Observation => ({ kind: 'unchanged', gapDays })),
  days.map((gapDays): Observation => ({ kind: 'changed', gapDays })),
  days.map((ageDays): Observation => ({ kind: 'dated', ageDays })),
);
const meanOf = ({ shape, days }: Belief): number => shape / days;

describe('learn', () => {
  test('evidence stays finite, within its bounds, whatever is seen', () => {
    fc.assert(
      fc.property(beliefs, evidences, observations, (prior, evidence, seen) => {
        const { changes, days } = learn(prior, evidence, seen);
        expect(changes >= 0 && changes <= 50 + 1e-9).toBe(true);
        expect(days >= 0 && days <= 3_650 + 1e-6).toBe(true);
      }),
    );
  });

  test('a page found unchanged is believed slower, one found changed faster', () => {
    const realistic = fc.record({ shape: positive(0.1, 50), days: positive(0.01, 3_650) });
    fc.assert(
      fc.property(realistic, positive(0.01, 1_000), (prior, gapDays) => {
        const mean = (kind: 'changed' | 'unchanged'): number =>
          meanOf(beliefOf(prior, learn(prior, noEvidence, { kind, gapDays })));
        expect(mean('unchanged')).toBeLessThan(meanOf(prior));
        expect(mean('changed')).toBeGreaterThanOrEqual(meanOf(prior) * (1 - 1e-9));
      }),
    );
  });

  test('a first look without a date teaches nothing', () => {
    expect(learn({ shape: 0.4, days: 8 }, noEvidence, { kind: 'none' })).toEqual(noEvidence);
  });

  test('a dated change adds one change and its age', () => {
    expect(learn({ shape: 0.4, days: 8 }, { changes: 2, days: 5 }, { kind: 'dated', ageDays: 3 })).toEqual({
      changes: 3,
      days: 8,
    });
  });

  test('old evidence is thinned: a page that stops changing is noticed', () => {
    const prior = { shape: 0.4, days: 8 };
    let evidence: Evidence = noEvidence;
    for (let look = 0; look < 1_000; look++)
      evidence = learn(prior, evidence, { kind: 'dated', ageDays: 0.1 });
    expect(meanOf(beliefOf(prior, evidence))).toBeGreaterThan(3);
    for (let look = 0; look < 10; look++)
      evidence = learn(prior, evidence, { kind: 'unchanged', gapDays: 30 });
    expect(meanOf(beliefOf(prior, evidence))).toBeLessThan(0.2);
  });

  test('daily looks at a page that changes every third day find its rate', () => {
    const prior = { shape: 0.4, days: 8 };
    let evidence: Evidence = noEvidence;
    for (let day = 1; day <= 90; day++) {
      evidence = learn(prior, evidence, { kind: day % 3 === 0 ? 'changed' : 'unchanged', gapDays: 1 });
    }
    // A third of days with a change: 1 − e^(−λ) = 1/3.
    expect(meanOf(beliefOf(prior, evidence))).toBeCloseTo(-Math.log(2 / 3), 1);
  });
});

describe('afterChange', () => {
  test('a change in a short gap is one change; in an endless gap, nothing', () => {
    const short = afterChange({ shape: 0.7, days: 12 }, 1e-5);
    expect(short.shape).toBeCloseTo(1.7, 3);
    expect(short.days).toBeCloseTo(12, 2);
    const long = afterChange({ shape: 3, days: 12 }, 1e9);
    expect(long.shape).toBeCloseTo(3, 3);
    expect(long.days).toBeCloseTo(12, 3);
  });

  test.each([
    [0.4, 8, 3],
    [2, 1, 5],
    [10, 40, 1],
  ])('has the mean and variance of the exact posterior: a = %d, b = %d, gap = %d', (shape, days, gap) => {
    // ∫ λ^k (1 − e^(−λ·gap)) λ^(a−1) e^(−bλ) dλ by substitution λ = e^x, trapezoidal rule
    const moment = (k: number): number => {
      let sum = 0;
      for (let x = -30; x < 10; x += 1e-3) {
        const rate = Math.exp(x);
        sum += rate ** (shape + k) * -Math.expm1(-rate * gap) * Math.exp(-days * rate);
      }
      return sum;
    };
    const mean = moment(1) / moment(0);
    const variance = moment(2) / moment(0) - mean ** 2;
    const after = afterChange({ shape, days }, gap);
    expect(after.shape / after.days).toBeCloseTo(mean, 6);
    expect(after.shape / after.days ** 2).toBeCloseTo(variance, 6);
  });
});

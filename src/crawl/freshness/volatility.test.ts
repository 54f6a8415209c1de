import { describe, expect, test } from 'vitest';
import { calm, evidenceShown, lookAgain, type Restlessness } from './volatility.ts';

const belief = { shape: 3, days: 3 };
const HALF_HOUR = 1 / 48;
const found = (looks: readonly boolean[], gapDays: number, from: Restlessness = calm): Restlessness =>
  looks.reduce((page, isChanged) => lookAgain(page, isChanged, belief, gapDays), from);

describe('lookAgain', () => {
  test('three changes in a row make a page suspect; an unchanged look ends the row', () => {
    expect(found([true, true], 1)).toEqual({ volatility: 'unknown', changesInRow: 2 });
    expect(found([true, true, true], 1)).toEqual({ volatility: 'suspect', changesInRow: 3 });
    expect(found([true, true, false, true, true], 1)).toEqual({ volatility: 'unknown', changesInRow: 2 });
  });

  test('one that differs again at once is volatile', () => {
    expect(found([true], HALF_HOUR, found([true, true, true], 1)).volatility).toBe('volatile');
  });

  test('a second look that came late proves nothing', () => {
    expect(found([true], 5, found([true, true, true], 1))).toEqual(calm);
  });

  test('one that is unchanged at the second look is steady for good', () => {
    const steady = found([false], HALF_HOUR, found([true, true, true], 1));
    expect(steady.volatility).toBe('steady');
    expect(found([true, true, true, true], 1, steady).volatility).toBe('steady');
  });

  test('a volatile page that is found unchanged is believed again', () => {
    const volatile: Restlessness = { volatility: 'volatile', changesInRow: 9 };
    expect(found([true], 1, volatile).volatility).toBe('volatile');
    expect(found([false], 1, volatile)).toEqual({ volatility: 'steady', changesInRow: 0 });
  });
});

test('the evidence of a volatile page is kept and not used', () => {
  const evidence = { changes: 3, days: 2 };
  expect(evidenceShown({ ...calm, evidence })).toBe(evidence);
  expect(evidenceShown({ volatility: 'volatile', changesInRow: 4, evidence })).toEqual({
    changes: 0,
    days: 0,
  });
});

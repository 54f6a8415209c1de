import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SignalCounts } from '../../types.ts';
import { areBelieved, countLook, countsWith, noSignals, noTrust, signalYield, trustIn } from './signals.ts';

const counts = (
  changed: number,
  changedSignalled: number,
  unchanged: number,
  unchangedSignalled: number,
): SignalCounts => ({
  changed,
  changedSignalled,
  unchanged,
  unchangedSignalled,
});

describe('trustIn', () => {
  test('a new host is not trusted yet, and not written off', () => {
    expect(trustIn(noSignals)).toEqual(noTrust);
    expect(signalYield(noSignals)).toBe(0.5);
  });

  test('a host whose signals announce changes is trusted, and its silence is believed in part', () => {
    const trust = trustIn(counts(100, 90, 100, 5));
    expect(trust.odds).toBeGreaterThan(5);
    expect(trust.silence).toBe(0.4);
    expect(signalYield(counts(100, 90, 100, 5))).toBeGreaterThan(0.7);
  });

  test('a host that misses many changes is trusted when it speaks, less when it does not', () => {
    const trust = trustIn(counts(200, 80, 200, 10));
    expect(trust.odds).toBeGreaterThan(2.5);
    expect(trust.silence).toBeGreaterThan(0.6);
  });

  test('a lastmod that is always now is ignored, and soon hardly asked for', () => {
    expect(trustIn(counts(100, 100, 100, 100))).toEqual(noTrust);
    expect(signalYield(counts(100, 100, 100, 100))).toBeLessThan(0.05);
  });

  test('all outcomes are within their bounds', () => {
    const looks = fc
      .tuple(fc.nat(), fc.nat())
      .map(([one, other]) => [Math.max(one, other), Math.min(one, other)] as const);
    fc.assert(
      fc.property(looks, looks, ([changed, both], [unchanged, alone]) => {
        const record = counts(changed, both, unchanged, alone);
        const { silence, odds } = trustIn(record);
        expect(silence >= 0.4 && silence <= 1).toBe(true);
        expect(odds === 1 || odds >= 2.5).toBe(true);
        expect(signalYield(record) > 0 && signalYield(record) <= 1).toBe(true);
      }),
    );
  });
});

test('looks are counted by what they found and whether a signal had come', () => {
  const looks = [
    countLook(true, true),
    countLook(true, false),
    countLook(false, true),
    countLook(false, false),
  ];
  expect(looks.reduce(countsWith, noSignals)).toEqual(counts(2, 1, 2, 1));
});

function recordOf(visits: readonly (readonly [isChanged: boolean, wasAnnounced: boolean])[]): SignalCounts {
  return visits.reduce(
    (counts, [isChanged, wasAnnounced]) => countsWith(counts, countLook(isChanged, wasAnnounced)),
    noSignals,
  );
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('areBelieved', () => {
  test.each([
    ['nothing known', [], false],
    [
      'honest: changes announced, silence kept',
      [...times(10, [true, true] as const), ...times(20, [false, false] as const)],
      true,
    ],
    ['always "now"', [...times(20, [true, true] as const), ...times(200, [false, true] as const)], false],
    ['never a word', [...times(20, [true, false] as const), ...times(200, [false, false] as const)], false],
    ['only changes seen', times(100, [true, true] as const), false],
    [
      'dates at random',
      [
        ...times(50, [true, false] as const),
        ...times(50, [true, true] as const),
        ...times(50, [false, false] as const),
        ...times(50, [false, true] as const),
      ],
      false,
    ],
  ] as const)('%s', (_, visits, expected) => expect(areBelieved(recordOf(visits))).toBe(expected));

  test('a lie never earns trust', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 300 }), (visits) => {
        const lied = recordOf([...visits, [false, true]]);
        expect(areBelieved(lied) && !areBelieved(recordOf(visits))).toBe(false);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTrusted, noSignals, type SignalCounts, withVisit } from './signals.ts';

function recordOf(visits: readonly (readonly [isChanged: boolean, wasAnnounced: boolean])[]): SignalCounts {
  return visits.reduce(
    (counts, [isChanged, wasAnnounced]) => withVisit(counts, isChanged, wasAnnounced),
    noSignals,
  );
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('trust in announcements', () => {
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
  ] as const)('%s', (_, visits, expected) => expect(isTrusted(recordOf(visits))).toBe(expected));

  test('a lie never earns trust', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 300 }), (visits) => {
        const lied = recordOf([...visits, [false, true]]);
        expect(isTrusted(lied) && !isTrusted(recordOf(visits))).toBe(false);
      }),
    );
  });
});

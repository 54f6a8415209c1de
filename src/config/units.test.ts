import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDuration, formatSize, parseDuration, parseSize } from './units.ts';

describe('durations', () => {
  test.each([
    ['500ms', 500],
    ['1s', 1_000],
    ['1.5s', 1_500],
    ['30m', 1_800_000],
    ['30 min', 1_800_000],
    ['1h30m', 5_400_000],
    ['1h 30m', 5_400_000],
    ['30d', 2_592_000_000],
    ['2W', 1_209_600_000],
    ['250', 250],
    [1_000, 1_000],
    [0, 0],
  ])('%s', (text, ms) => expect(parseDuration(text)).toBe(ms));

  test.each([
    '',
    ' ',
    's',
    '1 x',
    '-1s',
    '1s2',
    'one second',
    '1s!',
    '1,5s',
    '9e9d',
    '99999999999d',
    '1sconstructor',
    '1toString',
  ])('%j is refused', (text) => expect(parseDuration(text)).toBeNull());
  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])('%d is refused', (ms) =>
    expect(parseDuration(ms)).toBeNull(),
  );

  test.each([
    [0, '0 ms'],
    [250, '250 ms'],
    [1_500, '1.5 s'],
    [59_400, '59.4 s'],
    [59_960, '1 min'],
    [90_400, '1 min 30 s'],
    [90_000, '1 min 30 s'],
    [2_560_000, '42 min 40 s'],
    [3_599_990, '1 h'],
    [3_600_000, '1 h'],
    [8_100_000, '2 h 15 min'],
    [86_399_999, '1 d'],
    [2_592_000_000, '30 d'],
  ])('%d ms is written %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

  test('what is written can be read again, to within the second unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (ms) => {
        const read = parseDuration(formatDuration(ms)) ?? Number.NaN;
        expect(Math.abs(read - ms)).toBeLessThanOrEqual(Math.max(50, ms / 40));
      }),
    );
  });
});

describe('sizes', () => {
  test.each([
    ['0', 0],
    ['64KB', 65_536],
    ['64k', null],
    ['5MB', 5_242_880],
    ['1.5 MB', 1_572_864],
    ['2GiB', 2_147_483_648],
    ['500B', 500],
    [4_096, 4_096],
    ['MB', null],
    ['5XB', null],
    ['5MBps', null],
    [-5, null],
  ])('%s', (text, bytes) => expect(parseSize(text)).toBe(bytes));

  test.each([
    [0, '0 B'],
    [1_023, '1023 B'],
    [65_536, '64 KB'],
    [1_048_575, '1 MB'],
    [5_452_595, '5.2 MB'],
    [171 * 1024 ** 2, '171 MB'],
  ])('%d bytes are written %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));
});

test('reading never throws and takes linear time', () => {
  fc.assert(
    fc.property(fc.string(), (text) =>
      [parseDuration(text), parseSize(text)].every((n) => n === null || n >= 0),
    ),
  );
  expect(parseDuration('1'.repeat(200_000))).toBeNull();
  expect(parseSize(`${'1 '.repeat(100_000)}x`)).toBeNull();
});

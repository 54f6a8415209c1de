import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';

test.each([
  ['plain text 人民 かな 한국', 'plain text 人民 かな 한국'],
  ['ＡＢＣ１２３', 'ABC123'],
  ['naïve Ångström', 'naive Angstrom'],
  ['cafe\u0301', 'cafe'],
  ['Straße ŒUVRE łódź ıstanbul', 'Strasse OEUVRE lodz istanbul'],
  ['ﬁsh ㎏ ½', 'fish kg 1⁄2'],
  ['ｶﾞｲﾄﾞ', 'ガイド'],
  ['か\u3099', 'が'],
  ['\u1112\u1161\u11ab', '한'],
  ['ёлка', 'елка'],
  ['soft\u00adhyphen zero\u200dwidth', 'softhyphen zerowidth'],
  ['ไทย', 'ไทย'],
])('%j becomes %j', (text, folded) => {
  expect(fold(text).text).toBe(folded);
});

test('marks of other scripts stay: they are letters there', () => {
  expect(fold('हिन्दी עִברית').text).toBe('हिन्दी עִברית');
});

test('every character of the folded text leads back to where it came from', () => {
  const folded = fold('xﬁy e\u0301\u00adz 😀');
  expect(folded.text).toBe('xfiy ez 😀');
  const origin = (start: number, end: number): readonly number[] => [
    folded.startOf(start),
    folded.endOf(end),
  ];
  expect(origin(0, 1)).toEqual([0, 1]);
  expect(origin(1, 3)).toEqual([1, 2]);
  expect(origin(1, 2)).toEqual([1, 2]);
  expect(origin(5, 6)).toEqual([4, 6]);
  expect(origin(5, 7)).toEqual([4, 8]);
  expect(origin(8, 10)).toEqual([9, 11]);
});

test('folding twice is folding once, and offsets grow', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const folded = fold(text);
      expect(fold(folded.text).text).toBe(folded.text);
      let before = 0;
      for (let index = 0; index < folded.text.length; index++) {
        expect(folded.startOf(index)).toBeGreaterThanOrEqual(before);
        before = folded.startOf(index);
        expect(folded.endOf(index + 1)).toBeGreaterThan(before);
      }
    }),
    { numRuns: 500 },
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayUrl, languageTag, linkable, segmentsOf } from './safe-text.ts';

describe('displayUrl', () => {
  test.each([
    ['https://a.example/', 'a.example'],
    ['http://a.example:8080/b/c?d=e', 'a.example:8080/b/c?d=e'],
    ['https://a.example/%E5%81%9C%E6%9C%BA/', 'a.example/停机'],
    ['https://a.example/a%2Fb', 'a.example/a%2Fb'],
    ['https://a.example/a%20b', 'a.example/a%20b'],
    ['https://a.example/a%3Fb', 'a.example/a%3Fb'],
    ['https://a.example/%ff', 'a.example/%ff'],
    ['https://a.example/%E2%80%AEgpj.exe', 'a.example/gpj.exe'],
    ['https://xn--e1awd7f.example/', 'xn--e1awd7f.example'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
  ])('%s is shown as %s', (url, expected) => expect(displayUrl(url)).toBe(expected));

  test('never throws', () =>
    fc.assert(fc.property(fc.string(), (text) => typeof displayUrl(text) === 'string')));
});

test.each([
  ['https://a.example/x', 'https://a.example/x'],
  ['HTTP://A.example', 'http://a.example/'],
  ['\tjava\nscript:alert(1)', null],
  ['x', null],
])('linkable(%j)', (url, expected) => expect(linkable(url)).toBe(expected));

test.each([
  ['zh-Hans-CN', 'zh-Hans-CN'],
  ['en', 'en'],
  ['en" onclick="x', undefined],
  [null, undefined],
  ['', undefined],
])('languageTag(%j)', (language, expected) => expect(languageTag(language)).toBe(expected));

test('segments are the text again, whatever the marks', () => {
  const mark = fc.tuple(fc.integer({ min: -5, max: 40 }), fc.integer({ min: -5, max: 40 }));
  fc.assert(
    fc.property(fc.string(), fc.array(mark), (text, marks) => {
      expect(
        segmentsOf(text, marks)
          .map((segment) => segment.text)
          .join(''),
      ).toBe(text);
    }),
  );
  expect(
    segmentsOf('abcd', [
      [1, 2],
      [3, 4],
    ])
      .filter((segment) => segment.isMarked)
      .map(({ text }) => text),
  ).toEqual(['b', 'd']);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scan, tokenize } from './tokenize.ts';

/** Tokens with their kind: plain for the text in order, ~ for a spelling, ° for a part. */
function tokens(text: string, language: string | null = null): string {
  const sign = { word: '', pair: '', spelling: '~', part: '°' };
  return scan(text, language)
    .map((token) => token.text + sign[token.kind])
    .join(' ');
}

describe('scripts with spaces', () => {
  test.each([
    ['Hello, World!', 'hello world'],
    ['ＡＢＣ naïve Straße', 'abc naive strasse'],
    ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
    ['İstanbul', 'istanbul'],
    ['Привет мир', 'привет мир'],
    ['3.14 1,000', '3 14 1 000'],
    ['', ''],
    ['--- !!! 😀 \0', ''],
  ])('%j', (text, expected) => {
    expect(tokens(text)).toBe(expected);
  });
});

describe('names in programs', () => {
  test.each([
    ['C++ C# F# a++', 'c++ c# f# a++'],
    ['libstdc++', 'libstdc++ libstdc°'],
    ['C++17', 'c++ 17'],
    ['page#section #include', 'page section include'],
    ['.NET (.gitignore)', '.net net° .gitignore gitignore°'],
    ['ASP.NET end.Next .5', 'asp net end next 5'],
    ['node:fs @scope/pkg std::vector', 'node fs scope pkg std vector'],
    ['readFileSync', 'readfilesync read° file° sync°'],
    ['XMLHttpRequest', 'xmlhttprequest xml° http° request°'],
    ['sha256', 'sha256 sha° 256°'],
    ['v1.2.3', 'v1 2 3'],
    ['foo_bar e-mail', 'foo bar foobar~ e mail email~'],
    ["don’t O'Brien", 'don t dont~ o brien obrien~'],
    ['state-of-the-art', 'state of the art'],
    ['-x _y_', 'x y'],
  ])('%j', (text, expected) => {
    expect(tokens(text)).toBe(expected);
  });
});

describe('scripts without spaces', () => {
  test.each([
    ['人', '人'],
    ['人民', '人民 人° 民'],
    ['中华人民', '中华 中° 华人 华° 人民 人° 民'],
    ['人民\n共和', '人民 人° 民共 民° 共和 共° 和'],
    ['人民，共和', '人民 人° 民 共和 共° 和'],
    ['用Python编程', '用 python 编程 编° 程'],
    ['東京タワー', '東京 東° 京タ 京° タワ タ° ワー ワ° ー'],
    ['ｶﾞｲﾄﾞ', 'ガイ ガ° イド イ° ド'],
    ['한국 말', '한국 한° 국 말'],
    ['ไทย', 'ไท ไ° ทย ท° ย'],
    ['𠮷野', '𠮷野 𠮷° 野'],
    ['2024年', '2024 年'],
  ])('%j', (text, expected) => {
    expect(tokens(text)).toBe(expected);
  });
});

describe('English plurals', () => {
  test.each([
    ['drivers', 'drivers driver~'],
    ['queries', 'queries query~'],
    ['classes boxes', 'classes class~ boxes box~'],
    ['bus status axis class his', 'bus status axis class his'],
  ])('%j', (text, expected) => {
    expect(tokens(text, 'en-GB')).toBe(expected);
  });

  test('are not looked for in other languages', () => {
    expect(tokens('jours', 'fr')).toBe('jours');
  });
});

test('tokenize gives everything a text can be found by', () => {
  expect(tokenize('e-mail 人民', null)).toEqual(['e', 'mail', 'email', '人民', '人', '民']);
});

test('a word longer than any word is cut, between characters', () => {
  expect(tokenize('x'.repeat(100_000), null)).toEqual(['x'.repeat(64)]);
  expect(tokenize(`x${'𐐨'.repeat(50)}`, null)).toEqual([`x${'𐐨'.repeat(31)}`]);
});

describe('any text', () => {
  const piece = fc.constantFrom(
    'a',
    'B',
    'é',
    'e\u0301',
    '人',
    'か\u3099',
    '한',
    '𠮷',
    '😀',
    'ﬁ',
    '+',
    '#',
    '.',
    '-',
    "'",
    ' ',
    '\n',
    '\u00ad',
    '9',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece).map((pieces) => pieces.join('')),
  );

  test('gives tokens that the full-text table cannot split, at offsets that hold them', () => {
    fc.assert(
      fc.property(text, (input) => {
        for (const token of scan(input, null)) {
          expect(token.text).toMatch(/^[^\s\p{Cc}]+$/u);
          expect(0 <= token.start && token.start < token.end && token.end <= input.length).toBe(true);
          const again = scan(input.slice(token.start, token.end), null);
          expect(again.map(({ text }) => text)).toContain(token.text);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('gives the text in order without overlap of words', () => {
    fc.assert(
      fc.property(text, (input) => {
        let end = 0;
        for (const token of scan(input, null).filter(({ kind }) => kind === 'word')) {
          expect(token.start).toBeGreaterThanOrEqual(end);
          end = token.end;
        }
      }),
    );
  });
});

test.each([
  ['one run', '人'],
  ['one word', 'aB'],
  ['marks', 'e\u0301'],
  ['joiners', 'a-'],
  ['surrogates', '𠮷'],
])('hostile input takes linear time: %s', (_, unit) => {
  const started = performance.now();
  scan(unit.repeat(500_000), null);
  expect(performance.now() - started).toBeLessThan(10_000);
});

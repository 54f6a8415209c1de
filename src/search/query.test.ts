import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Clause, MAX_QUERY_LENGTH, parseQuery } from './query.ts';

/** A clause as one word: tokens joined by +, * when the last is a beginning, ~ before other spellings, quoted. */
function show(clause: Clause): string {
  const text =
    clause.tokens.join('+') +
    (clause.isPrefix ? '*' : '') +
    clause.spellings.map((other) => `~${other}`).join('');
  return clause.isQuoted ? `"${text}"` : text;
}

function groups(input: string): string {
  return parseQuery(input)
    .groups.map((group) => group.map(show).join('|'))
    .join(' ');
}

describe('words', () => {
  test.each([
    ['hello world', 'hello world'],
    ['人民共和国', '人民+民共+共和+和国'],
    ['华', '华'],
    ['人民，共和', '人民 共和'],
    ['Python教程', 'python 教程'],
    ['用Python', '用 python'],
    ['node:fs @scope/pkg', 'node+fs scope+pkg'],
    ['C++ .NET', 'c++ .net'],
    ['readFileSync', 'readfilesync'],
    ['e-mail drivers', 'e+mail~email drivers~driver'],
    ['--save -- -', 'save'],
    ['the cat', 'cat'],
    ['to be or not to be', 'to be or not to be'],
    ['的 问题', '问题'],
    ['', ''],
    ['!!! 😀', ''],
  ])('%j', (input, expected) => {
    expect(groups(input)).toBe(expected);
  });
});

describe('phrases', () => {
  test.each([
    ['"quick brown" fox', '"quick+brown" fox'],
    ['“quick brown”', '"quick+brown"'],
    ['“quick brown"', '"quick+brown"'],
    ['＂quick brown＂', '"quick+brown"'],
    ['「東京 タワー」', '"東京+京タ+タワ+ワー"'],
    ['『東京』', '"東京"'],
    ['"用Python编"', '"用+python+编*"'],
    ['x"a b"y', 'x "a+b" y'],
    ['"unclosed words', '"unclosed+words"'],
    ['"the" cat', '"the" cat'],
    ['"drivers"', '"drivers"'],
    ['"" "', ''],
  ])('%j', (input, expected) => {
    expect(groups(input)).toBe(expected);
  });
});

describe('OR', () => {
  test.each([
    ['a OR b c', 'a|b c'],
    ['x OR y OR z', 'x|y|z'],
    ['x | y ｜ z', 'x|y|z'],
    ['x or y', 'x y'],
    ['OR x', 'x'],
    ['x OR', 'x'],
    ['OR', ''],
    ['x OR OR y', 'x|y'],
    ['x OR -y', 'x'],
    ['使用Python OR "c d"', '使用+用+python|"c+d"'],
  ])('%j', (input, expected) => {
    expect(groups(input)).toBe(expected);
  });

  test('alternatives are bounded in all, as words are', () => {
    const letters = Array.from({ length: 200 }, (_, n) => `w${n}`);
    const clausesOf = (input: string): number => parseQuery(input).groups.flat().length;
    expect(clausesOf(letters.join(' OR '))).toBe(32);
    expect(clausesOf(`first ${letters.join(' OR ')}`)).toBe(32);
    expect(clausesOf(letters.join(' '))).toBe(32);
  });
});

describe('conditions', () => {
  test.each([
    ['x -bad', ['bad']],
    ['x －bad', ['bad']],
    ['x -"a b" -“c d”', ['"a+b"', '"c+d"']],
    ['x -使用Python', ['使用+用+python']],
    ['kebab-case x- y', []],
    ['x --y', []],
  ])('%j leaves out %j', (input, expected) => {
    expect(parseQuery(input).excluded.map(show)).toEqual(expected);
  });

  test.each([
    ['x site:Example.org', ['example.org']],
    ['site:a.org site:b.org', ['a.org', 'b.org']],
    ['site：a.org', ['a.org']],
    ['site:https://a.org/path?q', ['a.org']],
    ['site:.a.org', ['a.org']],
    ['site:*.a.org', ['a.org']],
    ['site:a.org:8080', ['a.org:8080']],
    ['site:例子.中国', ['xn--fsqu00a.xn--fiqs8s']],
    ['website:a.org', []],
    ['site: x', []],
    ['site:[', []],
  ])('%j asks for %j', (input, expected) => {
    expect(parseQuery(input).sites).toEqual(expected);
  });

  test('a site can be left out', () => {
    expect(parseQuery('x -site:a.org')).toMatchObject({ sites: [], excludedSites: ['a.org'], excluded: [] });
  });

  test('what is no site is a word', () => {
    expect(groups('site: x')).toBe('site x');
  });
});

describe('words side by side', () => {
  test.each([
    ['how to install python', '"how+to+install+python"'],
    ['Python教程', '"python+教程"'],
    ['首都 北京', '"首都+都北+北京"'],
    ['python', null],
    ['a OR b c', null],
    ['"a b" c', null],
  ])('%j: %j', (input, expected) => {
    const { nearby } = parseQuery(input);
    expect(nearby === null ? null : show(nearby)).toBe(expected);
  });
});

test('any text is a query of bounded size', () => {
  const part = fc.constantFrom('"', '“', '」', '-', 'OR', '|', 'site:', '人', 'x', ' ', '\n', '\0', '\ud800');
  const input = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part, { maxLength: 400 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(input, (text) => {
      const query = parseQuery(text);
      expect(query.groups.every((group) => group.length > 0)).toBe(true);
      expect(query.groups.flat().every((clause) => clause.tokens.length > 0)).toBe(true);
    }),
    { numRuns: 500 },
  );
  expect(parseQuery('x y '.repeat(100_000)).groups.length).toBeLessThanOrEqual(32);
  expect(parseQuery(`${' '.repeat(MAX_QUERY_LENGTH)}x`).groups).toEqual([]);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuery } from './query.ts';
import { findMarks, makeSnippet } from './snippet.ts';

describe('marks', () => {
  const marked = (text: string, input: string): string[] =>
    findMarks(text, parseQuery(input), null).map(([start, end]) => text.slice(start, end));

  test.each([
    ['中华人民共和国', '人民共和国', ['人民共和国']],
    ['人民日报', '人民共和国', ['人民']],
    ['人民日报', '"人民共和国"', []],
    ['人民共和国与人民', '华 人', ['人', '人']],
    ['人民\n共和国', '人民共和国', ['人民\n共和国']],
    ['Ｃ＋＋ and C++', 'c++', ['Ｃ＋＋', 'C++']],
    ['node:fs, node fs', 'node:fs', ['node:fs', 'node fs']],
    ['readFileSync', 'file', ['File']],
    ['an e-mail, an email', 'email', ['e-mail', 'email']],
    ['an e-mail, an email', 'e-mail', ['e-mail', 'email']],
    ['Drivers and a driver', 'drivers', ['Drivers', 'driver']],
    ['Drivers and a driver', 'driver', ['Drivers', 'driver']],
    ['cafe\u0301 CAFÉ ﬁn', 'café fin', ['cafe\u0301', 'CAFÉ', 'ﬁn']],
    ['😀👩‍💻 fox 😀', 'fox', ['fox']],
    ['quick brown fox', '"quick fox" brown', ['brown']],
    ['用python编程', '"用python编"', ['用python编']],
    ['fox', '-fox dog', []],
  ])('%j for %j', (text, input, expected) => {
    expect(marked(text, input)).toEqual(expected);
  });

  test('are in order, apart, and inside any text', () => {
    const word = fc.constantFrom('人', '民', '人民', 'a', 'b', 'aB', 'é', '😀', ' ', '-', '"');
    const text = fc.array(word).map((words) => words.join(''));
    fc.assert(
      fc.property(text, text, (input, body) => {
        let before = 0;
        for (const [start, end] of findMarks(body, parseQuery(input), null)) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          before = end;
        }
        expect(before).toBeLessThanOrEqual(body.length);
      }),
    );
  });
});

describe('snippets', () => {
  const filler = 'Nothing of interest is said in this sentence. '.repeat(15);

  test('come from the passage with most of the words, beginning with its sentence', () => {
    const passages = [`${filler}The alpha stands here.`, `${filler}Here alpha meets beta at last. ${filler}`];
    const { text, marks } = makeSnippet(passages, parseQuery('alpha beta'), 'en');
    expect(text).toMatch(/^Here alpha meets beta at last\. .*…$/);
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['alpha', 'beta']);
    expect(text.length).toBeLessThanOrEqual(222);
  });

  test('Chinese takes two columns a character, and begins after a full stop', () => {
    const { text, marks } = makeSnippet(
      [`${'前面的话。'.repeat(80)}这里有答案，${'后面的话'.repeat(80)}`],
      parseQuery('答案'),
      'zh',
    );
    expect(text).toMatch(/^这里有答案，.*…$/);
    expect([...text].length).toBeLessThanOrEqual(112);
    expect(marks.length).toBe(1);
  });

  test('without any of the words they are the description, else the beginning', () => {
    expect(makeSnippet(['The page.'], parseQuery('zebra'), null, 'About it.').text).toBe('About it.');
    expect(makeSnippet(['The page.'], parseQuery('zebra'), null).text).toBe('The page.');
    expect(makeSnippet([], parseQuery('zebra'), null)).toEqual({ text: '', marks: [] });
  });

  test('are one line', () => {
    expect(makeSnippet(['one\n\n two\tfox'], parseQuery('fox'), null).text).toBe('one two fox');
  });

  test('never split a character', () => {
    const { text } = makeSnippet([`${'😀'.repeat(300)} fox ${'😀'.repeat(150)}`], parseQuery('fox'), null);
    expect(Buffer.from(text).toString()).toBe(text);
    expect(text).toContain('fox');
  });
});

import { describe, expect, test } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';
import { type Candidate, foldDuplicates, foldSimilar } from './rank.ts';

function candidate(id: number, contentHash: string, pageUrl = `/${id}`): Candidate {
  return { id, url: `/${id}`, score: 1, contentHash, pageUrl };
}

const ids = (candidates: readonly Candidate[]): number[] => foldDuplicates(candidates).map(({ id }) => id);

test('the same content is one, the best', () => {
  expect(ids([candidate(1, 'a'), candidate(2, 'b'), candidate(3, 'a')])).toEqual([1, 2]);
});

test('the canonical page is shown, in the place of the best of its variants', () => {
  expect(
    ids([candidate(1, 'a', '/3'), candidate(2, 'b'), candidate(3, 'c'), candidate(4, 'd', '/3')]),
  ).toEqual([3, 2]);
});

test('variants without their page among the candidates are one', () => {
  expect(ids([candidate(1, 'a', '/9'), candidate(2, 'b', '/9')])).toEqual([1]);
});

describe('nearly the same text', () => {
  const manual = Array.from({ length: 500 }, (_, n) => `word${n % 170} ${n}`);
  const named = (id: number, title: string, heading = '', host = 'a.test') => ({
    ...candidate(id, String(id)),
    ...fingerprintOf(manual.with(250, `changed${id}`)),
    ...{ host, title, heading },
  });

  test.each([
    ['versions', ['asyncio — Python 3.10.4', 'asyncio — Python 3.11'], 1],
    ['days', ['Monday 1 March 2027', 'Monday 8 March 2027'], 1],
    ['版本', ['第3章 安装', '第4章 安装'], 1],
    ['types of one kind', ['std::i8', 'std::i16'], 2],
    ['functions of one kind', ['_mm256_add_ps', '_mm512_add_ps'], 2],
    ['other words', ['Guide for users', 'Guide for editors'], 2],
  ])('%s', (_, titles, shown) => {
    expect(foldSimilar(titles.map((title, id) => named(id, title))).length).toBe(shown);
  });

  test('below one title for a whole site the headings tell', () => {
    expect(foldSimilar([named(1, 'Site', 'Ships'), named(2, 'Site', 'Boats')]).length).toBe(2);
  });

  test('never folds what is on another host, and shows the best with the number behind it', () => {
    const entries = [named(4, 'T'), named(2, 'T'), named(3, 'T', '', 'b.test'), named(1, 'T')];
    expect(foldSimilar(entries).map(({ candidate: { id }, similar }) => [id, similar])).toEqual([
      [4, 2],
      [3, 0],
    ]);
  });
});

import { expect, test } from 'vitest';
import { type Candidate, foldDuplicates } from './rank.ts';

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

import { expect, test } from 'vitest';
import { SeenBodies } from './seen-bodies.ts';

test('links of the fourth URL with the same bytes are not followed; the first three always are', () => {
  const seen = new SeenBodies();
  expect([1, 2, 3, 4].map((id) => seen.note('a.test', 'h', id))).toEqual([true, true, true, false]);
  expect([1, 2, 3, 4].map((id) => seen.note('a.test', 'h', id))).toEqual([true, true, true, false]);
});

test('a mirror on another host is no copy', () => {
  const seen = new SeenBodies();
  for (const id of [1, 2, 3]) seen.note('a.test', 'h', id);
  expect(seen.note('b.test', 'h', 4)).toBe(true);
});

test('memory is bounded; what was used longest ago is forgotten', () => {
  const seen = new SeenBodies(2);
  for (const id of [1, 2, 3]) seen.note('a.test', 'h', id);
  seen.note('a.test', 'x', 5);
  seen.note('a.test', 'y', 6);
  expect(seen.note('a.test', 'h', 4)).toBe(true);
});

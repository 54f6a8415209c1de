import { expect, test } from 'vitest';
import { RateLimit } from './rate-limit.ts';

test('so many calls of each name in a window', () => {
  const limit = new RateLimit(2, 1_000);
  expect([limit.take('a', 5_000), limit.take('a', 5_100), limit.take('a', 5_200)]).toEqual([0, 0, 800]);
  expect(limit.take('b', 5_200)).toBe(0);
  expect(limit.take('a', 6_000)).toBe(0);
});

import { expect, test } from 'vitest';
import { RateLimit } from './rate-limit.ts';

test('so many calls of each name in a window', () => {
  const limit = new RateLimit(2, 1_000);
  expect([limit.take('a', 5_000), limit.take('a', 5_100), limit.take('a', 5_200)]).toEqual([0, 0, 800]);
  expect(limit.take('b', 5_200)).toBe(0);
  expect(limit.take('a', 6_000)).toBe(0);
});

test('a clock that is set back makes nobody wait for the hour to come again', () => {
  const limit = new RateLimit(1, 1_000);
  expect([limit.take('a', 90_000), limit.take('a', 90_000)]).toEqual([0, 1_000]);
  expect(limit.take('a', 5_000)).toBe(0);
});

test('many names hold no more memory than some, and gain nothing', () => {
  const limit = new RateLimit(3, 1_000);
  let granted = 0;
  for (let n = 0; n < 100_000; n++) granted += limit.take(`name ${n}`, 0) === 0 ? 1 : 0;
  expect(granted).toBe(10_000 + 3);
  expect(limit.take('name 5', 0)).toBe(0);
});

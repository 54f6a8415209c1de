import { expect, test } from 'vitest';
import { mustHold } from './brake.ts';

const policy = { maxRemoved: 0.1, windowMs: 86_400_000 };

test.each([
  ['nothing is lost', 100, 0, 0, false],
  ['5 % go', 100, 0, 5, false],
  ['exactly the share goes', 100, 0, 10, false],
  ['one more than the share', 100, 0, 11, true],
  ['what went within the window counts', 94, 6, 5, true],
  ['and belongs to what was there', 95, 5, 5, false],
  ['all of a host', 10, 0, 10, true],
  ['two of the smallest host that has a brake', 10, 0, 2, true],
  ['one of it', 10, 0, 1, false],
  ['a host too small for shares', 9, 0, 9, false],
  ['a small host that was larger is no small host', 5, 5, 1, true],
])('%s', (_, documents, removed, doubtful, held) => {
  expect(mustHold({ documents, removed, doubtful }, policy)).toBe(held);
});

test('a share of 1 switches the brake off, one of 0 holds everything', () => {
  const loss = { documents: 20, removed: 0, doubtful: 20 };
  expect(mustHold(loss, { ...policy, maxRemoved: 1 })).toBe(false);
  expect(mustHold({ ...loss, doubtful: 1 }, { ...policy, maxRemoved: 0 })).toBe(true);
});

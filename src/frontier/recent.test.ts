import { expect, test } from 'vitest';
import { Recent } from './recent.ts';

test('keeps what was used last, and never more than twice its capacity', () => {
  const recent = new Recent<number, string>(100);
  recent.set(-1, 'used all the time');
  for (let key = 0; key < 10_050; key++) {
    recent.set(key, `value ${key}`);
    expect(recent.get(-1)).toBe('used all the time');
    expect(recent.size).toBeLessThanOrEqual(200);
  }
  for (let key = 10_049; key > 10_049 - 99; key--) expect(recent.get(key)).toBe(`value ${key}`);
  expect(recent.get(0)).toBeUndefined();
  recent.clear();
  expect(recent.get(-1)).toBeUndefined();
});

test('a value set again is the new one', () => {
  const recent = new Recent<string, number>(2);
  recent.set('a', 1);
  recent.set('b', 1);
  recent.set('c', 1);
  recent.set('a', 2);
  expect(recent.get('a')).toBe(2);
});

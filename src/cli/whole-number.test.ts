import { expect, test } from 'vitest';
import { UserError } from '../errors.ts';
import { wholeNumber } from './whole-number.ts';

test.each([
  ['0', 0],
  ['007', 7],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
])('%j is the number %d', (text, value) => {
  expect(wholeNumber(text, '--limit')).toBe(value);
});

test.each(['', ' ', '-1', '1.5', '1e3', '1e300', '0x10', 'Infinity', '9007199254740993', 'ten', '１'])(
  '%j is refused by the name of its flag',
  (text) => {
    expect(() => wholeNumber(text, '--limit')).toThrow(
      new UserError('usage', `--limit takes a number, not "${text}"`),
    );
  },
);

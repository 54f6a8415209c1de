/** Numbers as flags of one command take them; options of the configuration have rules of their own. */
import { UserError } from '../errors.ts';

/** A number of things, written in digits: `Number` takes nothing for 0 and `1e300` for a whole one. Throws UserError. */
export function wholeNumber(text: string, flag: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new UserError('usage', `${flag} takes a number, not "${text}"`);
  return value;
}

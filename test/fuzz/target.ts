/** What is fuzzed: a function of one text, and what must hold of its result whatever the text is. */

export interface Target {
  /** Inputs to begin with, like those that are met in life. */
  readonly corpus: readonly string[];
  /** Pieces of its language, which mutations put in and repeat. */
  readonly words: readonly string[];
  /** Does the work, which is timed; what it returns checks the result, which is not. Both may throw: then something is wrong. */
  run(input: string): Check | Promise<Check>;
}

export type Check = () => void | Promise<void>;

/** Longest input, UTF-16 code units. */
export const MOST_LENGTH = 65_536;

/** Text as its UTF-8 octets, one a code unit: inputs of targets that read bytes hold these. */
export function octets(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** The bytes such an input stands for. */
export function bytesOf(input: string): Uint8Array {
  return Uint8Array.from(Buffer.from(input, 'latin1'));
}

/** The first line and the rest, for targets that take two things. */
export function cutLine(input: string): [first: string, rest: string] {
  const end = input.indexOf('\n');
  return end < 0 ? [input, ''] : [input.slice(0, end), input.slice(end + 1)];
}

/** A surrogate without its other half, which no text may have. */
export const HALF_A_CHARACTER: RegExp = /\p{Surrogate}/u;

/** Makes new inputs of old ones: cut, doubled, spliced, with pieces of the language put in, and now and then pumped up. */
import type { Random } from '../../src/clock.ts';
import { MOST_LENGTH, type Target } from './target.ts';

/** Most inputs are short, so that there are many of them: longer ones of the corpus are cut to a stretch of this length. */
const USUAL_LENGTH = 4_096;
/** One input of so many is made of words alone, one is a piece repeated up to the longest input. */
const FROM_WORDS_ONE_IN = 8;
const PUMPED_ONE_IN = 64;
const MOST_WORDS = 16;
const MOST_CHANGES = 6;

/** Characters that mean something to many parsers: ends, quotes, blanks, controls, halves of pairs, marks, odd letters. */
const CHARACTERS =
  '\0\t\n\v\f\r \u001b"\'`<>/\\?#&%=:;,.@*$|!()[]{}+-_~^019aAzZ\u007f\u0080\u0085\u00a0\u00ad\u00bf\u00e9\u00fe\u00ff' +
  '\u0130\u0131\u017f\u0301\u0600\u200b\u200d\u200e\u2028\u202e\u212a\u3000\u4eba\uac00\ud800\udbff\udc00\udfff\ufe0f\ufeff\uff0e\uffff\u{1f600}';

/** A new input, made of `corpus` and the target's words. */
export function mutated({ words }: Target, corpus: readonly string[], random: Random): string {
  if (oneIn(FROM_WORDS_ONE_IN, random)) {
    return Array.from({ length: 1 + below(MOST_WORDS, random) }, () => pick(words, random)).join('');
  }
  let text = stretch(pick(corpus, random), USUAL_LENGTH, random);
  for (let changes = 1 + below(MOST_CHANGES, random); changes > 0; changes--) {
    text = pick(changesOfText, random)(text, random, words, corpus);
  }
  return (oneIn(PUMPED_ONE_IN, random) ? pumped(text, random, words) : text).slice(0, MOST_LENGTH);
}

type Change = (text: string, random: Random, words: readonly string[], corpus: readonly string[]) => string;

const changesOfText: readonly Change[] = [
  (text, random) => replaced(text, random, ''),
  (text, random) => replaced(text, random, pick([...CHARACTERS], random)),
  (text, random) => inserted(text, random, pick([...CHARACTERS], random)),
  (text, random) => inserted(text, random, String.fromCharCode(below(65_536, random))),
  (text, random, words) => inserted(text, random, pick(words, random)),
  (text, random, words) => replaced(text, random, pick(words, random)),
  (text, random) => inserted(text, random, stretch(text, 64, random)),
  (text, random) => inserted(text, random, stretch(text, 8, random).repeat(1 + below(64, random))),
  (text, random, _, corpus) => inserted(text, random, stretch(pick(corpus, random), 512, random)),
  (text, random, _, corpus) =>
    text.slice(0, below(text.length + 1, random)) + stretch(pick(corpus, random), 512, random),
  (text, random) => text.slice(0, below(text.length + 1, random)),
  (text, random) => text.slice(below(text.length + 1, random)),
  (text, random) => text.replace(/\d+/, String(pick(NUMBERS, random))),
  (text, random) => (oneIn(2, random) ? text.toUpperCase() : text.toLowerCase()),
];

const NUMBERS = [0, 1, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32, 2 ** 53, 1e21, 1e308];

/** A piece of the input, or a word, as often as there is room for it. */
function pumped(text: string, random: Random, words: readonly string[]): string {
  const piece = (oneIn(2, random) ? pick(words, random) : stretch(text, 24, random)) || '\0';
  return inserted(text, random, piece.repeat(Math.ceil((MOST_LENGTH - text.length) / piece.length)));
}

function inserted(text: string, random: Random, piece: string): string {
  const at = below(text.length + 1, random);
  return text.slice(0, at) + piece + text.slice(at);
}

/** With a short stretch given up for `piece`. */
function replaced(text: string, random: Random, piece: string): string {
  const at = below(text.length + 1, random);
  return text.slice(0, at) + piece + text.slice(at + 1 + below(8, random));
}

/** A stretch of at most so many code units. */
function stretch(text: string, most: number, random: Random): string {
  if (text.length <= most && oneIn(2, random)) return text;
  const at = below(text.length + 1, random);
  return text.slice(at, at + 1 + below(most, random));
}

function pick<T>(list: readonly T[], random: Random): T {
  const chosen = list[below(list.length, random)];
  if (chosen === undefined) throw new Error('nothing to pick from');
  return chosen;
}

function oneIn(count: number, random: Random): boolean {
  return below(count, random) === 0;
}

function below(end: number, random: Random): number {
  return Math.floor(random() * end);
}

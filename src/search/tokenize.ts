/**
 * Text to tokens: one tokenizer for indexing, querying, snippets and marks, so that what is found is what is marked
 * (R45; why it is so: docs/decisions/0004-tokens.md).
 *
 * - Words of scripts with spaces are tokens, folded (fold.ts) and in lower case; punctuation separates them.
 * - Scripts without spaces (Han, kana, Thai …) and Hangul become pairs of neighbouring characters, and every run ends
 *   with its last character alone: 人民 is found inside 中华人民共和国, and 民 before a word of another script.
 * - Some words can be found by more than their tokens: readFileSync by `file`, e-mail by `email`, drivers by
 *   `driver`, 人民 by 人. Those tokens have a kind of their own and no place in the order of words.
 */
import { fold } from './fold.ts';

/** Grows with every change of what tokens a text has; an index built with another version is rebuilt. */
export const TOKENIZER_VERSION = 1;

export interface Token {
  readonly text: string;
  /** [start, end) in the original text. */
  readonly start: number;
  readonly end: number;
  /**
   * word, pair: the text in order (a pair that ends its run is one character long) · spelling: another way to write
   * the same · part: a word inside a word, a character inside a run.
   */
  readonly kind: 'word' | 'pair' | 'spelling' | 'part';
}

/**
 * Everything a text can be found by, in reading order. `language` is a BCP 47 tag or null when unknown; it decides
 * whether plurals are also found by their English singular. Linear time; never throws.
 */
export function tokenize(text: string, language: string | null): string[] {
  return scan(text, language).map((token) => token.text);
}

/** The same with offsets and kinds. `spelling` and `part` tokens follow the words they belong to. */
export function scan(text: string, language: string | null): Token[] {
  const folded = fold(text);
  const tokens: Token[] = [];
  scanFolded(folded.text, language, (token, start, end, kind) => {
    tokens.push({ text: token, start: folded.startOf(start), end: folded.endOf(end), kind });
  });
  return tokens;
}

/** The same for whom places do not matter, as an index: no object is made for a token. */
export function eachToken(
  text: string,
  language: string | null,
  take: (token: string, kind: Token['kind']) => void,
): void {
  scanFolded(fold(text).text, language, (token, _start, _end, kind) => take(token, kind));
}

/** Takes a token with its place in the folded text. */
type Emit = (token: string, start: number, end: number, kind: Token['kind']) => void;

function scanFolded(text: string, language: string | null, emit: Emit): void {
  const hasPlurals = language === null || language.startsWith('en');
  let at = 0;
  while (at < text.length) {
    switch (classAt(text, at)) {
      case UNSPACED:
        at = scanPairs(text, at, UNSPACED, emit);
        break;
      case HANGUL:
        at = scanPairs(text, at, HANGUL, emit);
        break;
      case LETTER:
        at = scanCompound(text, at, hasPlurals, emit);
        break;
      default:
        at += widthAt(text, at);
    }
  }
}

// Classes of characters. Spaces matter only inside a run of an unspaced script.
const OTHER = 0;
const SPACE = 1;
const LETTER = 2;
const UNSPACED = 3;
const HANGUL = 4;

/** Patterns of the classes; a later one wins. Kana share the long vowel mark. */
const PATTERNS: readonly (readonly [kind: number, pattern: RegExp])[] = [
  [SPACE, /\s+/gu],
  [LETTER, /[\p{L}\p{N}\p{M}]+/gu],
  [HANGUL, /\p{sc=Hang}+/gu],
  [
    UNSPACED,
    /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー\p{sc=Bopo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]+/gu,
  ],
];

const IN_WORDS = /[\p{L}\p{N}\p{M}]/u;

/** Class of each code unit of a text. */
function classify(text: string): Uint8Array {
  const classes = new Uint8Array(text.length);
  for (const [kind, pattern] of PATTERNS) {
    for (const run of text.matchAll(pattern)) classes.fill(kind, run.index, run.index + run[0].length);
  }
  return classes;
}

const CLASSES = classify(Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join(''));

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdbff) return CLASSES[code] ?? OTHER;
  const char = text.slice(at, at + 2);
  return IN_WORDS.test(char) ? (classify(char)[0] ?? OTHER) : OTHER;
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/**
 * Emits the pairs of a run and returns where it ends. White space inside a run of an unspaced script is layout (a
 * line break of the source) and no border; Korean has real spaces.
 */
function scanPairs(text: string, start: number, kind: number, emit: Emit): number {
  let previous = start;
  let previousEnd = start + widthAt(text, start);
  let at = previousEnd;
  while (at < text.length) {
    const found = classAt(text, at);
    if (found === SPACE && kind === UNSPACED) {
      at++;
      continue;
    }
    if (found !== kind) break;
    const end = at + widthAt(text, at);
    const first = text.slice(previous, previousEnd);
    emit(first + text.slice(at, end), previous, end, 'pair');
    emit(first, previous, previousEnd, 'part');
    previous = at;
    previousEnd = end;
    at = end;
  }
  emit(text.slice(previous, previousEnd), previous, previousEnd, 'pair');
  return previousEnd;
}

/** Codes of the marks that join words: hyphens, underscore, apostrophes. */
const JOINERS: ReadonlySet<number> = new Set(Array.from("-_'’‐‑", (mark) => mark.charCodeAt(0)));

/** Emits the words of a compound (one word mostly) and returns where it ends. */
function scanCompound(text: string, start: number, hasPlurals: boolean, emit: Emit): number {
  let count = 1;
  let at = scanWord(text, start, hasPlurals, emit);
  const firstEnd = at;
  let last = start;
  while (JOINERS.has(text.charCodeAt(at)) && at + 1 < text.length && classAt(text, at + 1) === LETTER) {
    last = at + 1;
    at = scanWord(text, last, hasPlurals, emit);
    count++;
  }
  // Two joined words are as often written as one.
  if (count === 2) emit(toToken(text.slice(start, firstEnd) + text.slice(last, at)), start, at, 'spelling');
  return at;
}

/** Emits one word with the signs that belong to it (C++, C#, .NET) and returns where it ends. */
function scanWord(text: string, start: number, hasPlurals: boolean, emit: Emit): number {
  let end = start;
  let hasDigit = false;
  while (end < text.length && classAt(text, end) === LETTER) {
    if (isDigit(text.charCodeAt(end))) hasDigit = true;
    end += widthAt(text, end);
  }
  const bare = text.slice(start, end);
  const from = hasLeadingDot(text, start) && !hasDigit ? start - 1 : start;
  const to = end + trailingSigns(text, start, end);
  const token = toToken(bare);
  if (from === start && to === end) {
    emit(token, start, end, 'word');
    if (hasPlurals && token.endsWith('s') && PLURAL.test(token))
      emit(singular(token), start, end, 'spelling');
  } else {
    emit(text.slice(from, start) + token + text.slice(end, to), from, to, 'word');
    if (bare.length > 1) emit(token, start, end, 'part');
  }
  if (hasDigit || bare !== token) scanParts(bare, start, emit);
  return to;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** .NET, .gitignore: a dot that begins a word after a space, a bracket or a quotation mark. */
function hasLeadingDot(text: string, start: number): boolean {
  if (text.charAt(start - 1) !== '.') return false;
  return start === 1 || ' \n\t(["\'“‘'.includes(text.charAt(start - 2));
}

/** C++, libstdc++; and # after a single letter that is followed by no word: C#, F#. */
function trailingSigns(text: string, start: number, end: number): number {
  const sign = text.charAt(end);
  if (sign === '+') return text.charAt(end + 1) === '+' ? 2 : 0;
  if (sign !== '#' || end - start !== 1) return 0;
  return end + 1 >= text.length || classAt(text, end + 1) !== LETTER ? 1 : 0;
}

/** Borders of the words in readFileSync, XMLHttpRequest, sha256. */
const PART_BORDER =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
/** Usual words that have no parts: Title, UPPER, 2024. */
const WHOLE = /^(?:[A-Z]?[a-z]*|[A-Z]+|\d+)$/;

function scanParts(word: string, start: number, emit: Emit): void {
  if (WHOLE.test(word)) return;
  const parts = word.split(PART_BORDER);
  if (parts.length === 1) return;
  let at = start;
  for (const part of parts) {
    if (part.length > 1) emit(toToken(part), at, at + part.length, 'part');
    at += part.length;
  }
}

/** English plurals that can be told from their spelling; -is, -ss and -us are none. */
const PLURAL = /^[a-z]{2,}[a-hj-rtv-z]s$/;

function singular(plural: string): string {
  if (/[^aeiou]ies$/.test(plural) && plural.length > 4) return `${plural.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz)es$/.test(plural)) return plural.slice(0, -2);
  return plural.slice(0, -1);
}

/** Longest token, code units: what is longer is no word, and its beginning finds it as well. */
const MAX_TOKEN_LENGTH = 64;

/** Lower case with one sigma wherever it stands, cut to the longest token. */
function toToken(word: string): string {
  const lower = word.toLowerCase();
  const token = lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower;
  if (token.length <= MAX_TOKEN_LENGTH) return token;
  return token.slice(0, MAX_TOKEN_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

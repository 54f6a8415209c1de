/** The piece of a page that shows best why it was found, and where in a text the words of a query stand. */
import { fold } from './fold.ts';
import type { Clause, Query } from './query.ts';
import { scan, type Token } from './tokenize.ts';

/** [start, end) of words of the query, in order, not overlapping. */
export type Marks = readonly (readonly [start: number, end: number])[];

export interface Snippet {
  readonly text: string;
  readonly marks: Marks;
}

/** Width of a snippet in columns of a fixed-width font, where Han, kana and Hangul take two: two lines of a result. */
const SNIPPET_WIDTH = 220;
/** A snippet prefers to begin with a sentence, when one begins at most so many columns before. */
const LEAD_WIDTH = 60;
/** Passages looked at closely, of the most promising ones. */
const CLOSE_LOOKS = 2;

/** Cuts a snippet from a page's passages; the beginning of `fallback` or of the page when no word is in them. */
export function makeSnippet(
  passages: readonly string[],
  query: Query,
  language: string | null,
  fallback = '',
): Snippet {
  const clauses = query.groups.flat();
  let best: Window | null = null;
  for (const passage of promising(passages, clauses)) {
    const window = bestWindow(passage, clauses, language);
    if (window !== null && (best === null || window.score > best.score)) best = window;
  }
  const text = best === null ? cut(fallback.trim() || (passages[0] ?? ''), 0) : cut(best.passage, best.start);
  return { text, marks: findMarks(text, query, language) };
}

/** Marks the words of a query in any text, as the index would find them. */
export function findMarks(text: string, query: Query, language: string | null): Marks {
  const found = findClauses(text, query.groups.flat(), language);
  const marks: [number, number][] = [];
  for (const { start, end } of found) {
    const last = marks.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  }
  return marks;
}

interface Found {
  readonly start: number;
  readonly end: number;
  /** Which clause stands there. */
  readonly clause: number;
}

/** Where clauses stand, by start. Pairs are found one by one where the whole run is not. */
function findClauses(text: string, clauses: readonly Clause[], language: string | null): Found[] {
  const tokens = scan(text, language);
  const words = tokens.filter((token) => token.kind === 'word' || token.kind === 'pair');
  const inside = tokens.filter((token) => token.kind === 'spelling' || token.kind === 'part');
  const found: Found[] = [];
  for (const [index, clause] of clauses.entries()) {
    const before = found.length;
    const add = (start: number, end: number): void => {
      found.push({ start, end, clause: index });
    };
    for (const [at, word] of words.entries()) {
      const last = endOfMatch(words, at, clause);
      if (last !== null) add(word.start, last.end);
      else if (clause.spellings.includes(word.text)) add(word.start, word.end);
    }
    const [first = ''] = clause.tokens;
    const alone = clause.tokens.length === 1 ? [first, ...clause.spellings] : clause.spellings;
    for (const token of inside) if (alone.includes(token.text)) add(token.start, token.end);
    if (found.length > before || clause.isQuoted || !clause.isPairs) continue;
    for (const word of words) if (clause.tokens.includes(word.text)) add(word.start, word.end);
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** The last token of a clause that begins at `at`; null when it does not stand there. */
function endOfMatch(words: readonly Token[], at: number, clause: Clause): Token | null {
  const { tokens } = clause;
  const end = at + tokens.length - 1;
  const last = words[end];
  if (last === undefined) return null;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] ?? '';
    const word = words[at + index]?.text ?? '';
    const isLast = index === tokens.length - 1;
    if (isLast && clause.isPrefix ? !word.startsWith(token) : word !== token) return null;
  }
  if (!clause.isPrefix) return last;
  // Only the character asked for, not the pair it begins.
  const token = tokens.at(-1) ?? '';
  return last.text === token ? last : { ...last, end: last.start + token.length };
}

/** The first passages with the most different tokens of the query, by a quick look that ends when one has them all. */
function promising(passages: readonly string[], clauses: readonly Clause[]): readonly string[] {
  const needles = [...new Set(clauses.flatMap((clause) => [...clause.tokens, ...clause.spellings]))];
  let best: string[] = [];
  let most = 1;
  for (const passage of passages) {
    const text = fold(passage).text.toLowerCase();
    const hits = needles.filter((needle) => text.includes(needle)).length;
    if (hits > most) best = [];
    if (hits < most || best.length === CLOSE_LOOKS) continue;
    most = hits;
    best.push(passage);
    if (hits === needles.length && best.length === CLOSE_LOOKS) break;
  }
  return best;
}

interface Window {
  readonly passage: string;
  readonly start: number;
  readonly score: number;
}

/** The stretch with the most different clauses in it, and among those the most of them. */
function bestWindow(passage: string, clauses: readonly Clause[], language: string | null): Window | null {
  const found = findClauses(passage, clauses, language);
  let best: Window | null = null;
  for (const [index, { start }] of found.entries()) {
    const end = start + fitting(passage, start, SNIPPET_WIDTH - LEAD_WIDTH);
    const inside = found.slice(index).filter((other) => other.end <= end);
    const score = new Set(inside.map((other) => other.clause)).size * 100 + inside.length;
    if (best === null || score > best.score) best = { passage, start, score };
  }
  return best;
}

/** Cuts a snippet around `at`, from the beginning of its sentence or else some words before it, on one line. */
function cut(passage: string, at: number): string {
  const start = leadStart(passage, at);
  let end = start + fitting(passage, start, SNIPPET_WIDTH);
  if (end < passage.length) end = lastBorder(passage, start, end);
  const text = passage.slice(start, end).replace(/\s+/g, ' ').trim();
  return (
    (start > 0 && !isSentenceStart(passage, start) ? '…' : '') + text + (end < passage.length ? '…' : '')
  );
}

function leadStart(passage: string, at: number): number {
  let start = at;
  for (let width = 0; start > 0 && width < LEAD_WIDTH; start--) width += widthOf(passage, start - 1);
  for (let index = at; index >= start; index--) if (isSentenceStart(passage, index)) return index;
  for (let index = start; index < at; index++) if (/\s/.test(passage.charAt(index - 1))) return index;
  return isLowSurrogate(passage, start) ? start + 1 : start;
}

function isSentenceStart(text: string, index: number): boolean {
  if (index === 0) return true;
  return (
    /(?:\n|[.!?]\s|[。！？])$/.test(text.slice(Math.max(0, index - 2), index)) &&
    !/\s/.test(text.charAt(index))
  );
}

/** The last word border in the second half of a stretch, or its end. */
function lastBorder(text: string, start: number, end: number): number {
  for (let index = end; index > (start + end) / 2; index--) {
    if (/[\s。，、；：！？]/.test(text.charAt(index))) return index;
  }
  return isLowSurrogate(text, end) ? end - 1 : end;
}

/** How many code units from `start` fit into a width. */
function fitting(text: string, start: number, width: number): number {
  let index = start;
  for (let used = 0; index < text.length && used < width; index++) used += widthOf(text, index);
  return index - start;
}

function widthOf(text: string, index: number): number {
  return text.charCodeAt(index) >= 0x1100 ? 2 : 1;
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}

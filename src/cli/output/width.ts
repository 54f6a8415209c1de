/** How many terminal columns text takes: two for CJK and emoji, none for combining marks (UAX 11, UTS 51). Pure. */
import { printable } from '../../printable.ts';

/** Scripts whose characters are wide, the fullwidth forms, and emoji shown as pictures. */
const WIDE =
  /^(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;
const HALF_WIDTH = /^[\uff61-\uffdc]/;
const INVISIBLE = /^[\p{Mark}\p{Format}\p{Control}]+$/u;
const PLAIN = /^[\x20-\x7e]*$/;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Columns of one line of text. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The beginning of `text` that fits into `width` columns, with `…` when something is left out. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of graphemes.segment(text)) {
    used += graphemeWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept.trimEnd()}…`;
}

/** Text of strangers on one line of at most `width` columns. */
export function oneLine(text: string, width: number): string {
  return truncate(printable(text), width);
}

function graphemeWidth(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) && !HALF_WIDTH.test(grapheme) ? 2 : 1;
}

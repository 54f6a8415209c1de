/**
 * Makes text of strangers safe to show on a terminal or in a log line: no escape sequences (they can retitle a window or
 * forge a line), no control characters, no bidi overrides (they can disguise a URL). Pure.
 */

/** Escape sequences whole (ECMA-48, 5.4 and 8.3.89), so that no `[31m` is left behind. */
const ESCAPES = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?`, // CSI: colours, cursor
    String.raw`(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?`, // OSC: window title, links; unfinished: to the line's end
    String.raw`\x1b[ -/]*[0-~]?`, // all others
  ].join('|'),
  'g',
);

const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/**
 * Controls (Cc), bidi marks, embeddings, overrides and isolates (UAX 9), byte order marks, and the tag characters text can
 * be hidden in. Zero-width joiners stay: emoji and Indic scripts need them.
 */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** One line of visible text; tabs and line breaks become spaces. */
export function printable(text: string): string {
  return text.replace(ESCAPES, '').replace(BREAKS, ' ').replace(UNSAFE, '');
}

/** The same characters written as `\uXXXX` inside JSON, where nothing may be lost. */
export function printableJson(json: string): string {
  return json.replace(UNSAFE, (character) =>
    [...Array(character.length).keys()]
      .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

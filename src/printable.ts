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
 * Controls (Cc) and all that is not seen (UAX 44, Default_Ignorable_Code_Point): bidi marks, overrides and isolates, spaces
 * without width, the tag characters text can be hidden in. Joiners stay: emoji and Indic scripts need them; and so do
 * variation selectors, which emoji, Mongolian and Chinese names need.
 */
const UNSAFE =
  /\p{Cc}|[\ufff9-\ufffb]|(?!\u200c|\u200d|[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}])\p{Default_Ignorable_Code_Point}/gu;

/** One line of visible text; tabs and line breaks become spaces. */
export function printable(text: string): string {
  return text.replace(ESCAPES, '').replace(BREAKS, ' ').replace(UNSAFE, '');
}

/** Lines of visible text. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** JSON that is safe to look at: what it says is unchanged. */
export function jsonText(value: unknown): string {
  return printableJson(JSON.stringify(value));
}

/** The same characters written as `\uXXXX` inside JSON, where nothing may be lost. */
export function printableJson(json: string): string {
  return json.replace(UNSAFE, (character) =>
    [...Array(character.length).keys()]
      .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/**
 * What is known of HTML elements by name: which break a line of text, which never show, which have no content.
 */

/** Facts about an element, to be tested with `&`. */
export const VOID = 1;
/** Starts and ends on a line of its own. */
export const BLOCK = 2;
/** What is written inside is no text of the page: code, form controls, fallbacks, ruby readings. */
export const SILENT = 4;
/** What is inside does not take part in the page: nothing in it is a declaration about the page. */
export const INERT = 8;
/** A table cell: separated from its neighbours by white space, in one line with them. */
export const CELL = 16;
/** White space is part of the text. */
export const PREFORMATTED = 32;
/** Ends an open paragraph when it starts (HTML standard 13.1.2.4). */
export const ENDS_PARAGRAPH = 64;
/** An end tag of something outside does not reach through it (13.2.4.2, "scope"). */
export const SCOPE = 128;
/** Nor does the end tag of a table part through this. */
export const TABLE_SCOPE = 256;

const factsByName: ReadonlyMap<string, number> = tabulate([
  ['area base basefont bgsound col embed frame img input keygen link meta param source track wbr', VOID],
  ['br', VOID],
  ['hr', VOID | BLOCK | ENDS_PARAGRAPH],
  [
    'address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form ' +
      'header hgroup h1 h2 h3 h4 h5 h6 li main menu nav ol p search section summary ul',
    BLOCK | ENDS_PARAGRAPH,
  ],
  ['pre listing xmp plaintext', BLOCK | ENDS_PARAGRAPH | PREFORMATTED],
  ['html body head frameset legend optgroup tbody thead tfoot tr colgroup', BLOCK],
  ['table', BLOCK | ENDS_PARAGRAPH | SCOPE | TABLE_SCOPE],
  ['caption', BLOCK | SCOPE],
  ['td th', CELL | SCOPE],
  ['applet marquee', SCOPE],
  ['button', SILENT | SCOPE],
  ['object', SILENT | SCOPE],
  ['template', SILENT | INERT | SCOPE | TABLE_SCOPE],
  ['noscript', SILENT | INERT],
  ['title script style textarea iframe noembed noframes', SILENT],
  ['select datalist option svg canvas audio video rt rp annotation annotation-xml', SILENT],
]);

/** The facts about an element; 0 for those nothing is known of. */
export function factsOf(name: string): number {
  return factsByName.get(name) ?? 0;
}

/** Start tags that end an open element of the same kind, looked for no further out than `until` (13.1.2.4). */
interface ImpliedEnd {
  readonly ends: ReadonlySet<string>;
  readonly until: ReadonlySet<string>;
}

const impliedEnds: ReadonlyMap<string, ImpliedEnd> = new Map([
  implied('li', 'li', 'ul ol menu dir table'),
  implied('dd', 'dd dt', 'dl table'),
  implied('dt', 'dd dt', 'dl table'),
  implied('td', 'td th', 'tr table'),
  implied('th', 'td th', 'tr table'),
  implied('tr', 'tr caption colgroup', 'tbody thead tfoot table'),
  implied('tbody', 'tbody thead tfoot caption colgroup', 'table'),
  implied('thead', 'tbody thead tfoot caption colgroup', 'table'),
  implied('tfoot', 'tbody thead tfoot caption colgroup', 'table'),
  implied('option', 'option', 'select datalist'),
  implied('rt', 'rt rp', 'ruby'),
  implied('rp', 'rt rp', 'ruby'),
  implied('body', 'head', 'html'),
]);

/** Which open elements a start tag ends, if any. */
export function impliedEndOf(name: string): ImpliedEnd | undefined {
  return impliedEnds.get(name);
}

function implied(name: string, ends: string, until: string): [string, ImpliedEnd] {
  return [name, { ends: new Set(ends.split(' ')), until: new Set(until.split(' ')) }];
}

function tabulate(rows: readonly (readonly [names: string, facts: number])[]): ReadonlyMap<string, number> {
  return new Map(rows.flatMap(([names, facts]) => names.split(' ').map((name) => [name, facts] as const)));
}

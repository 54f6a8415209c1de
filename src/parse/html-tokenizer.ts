/**
 * HTML to tags and text, as the HTML standard's tokenizer (13.2.5) would cut it, in one pass over a complete page.
 *
 * Time is linear in the size of the page whatever it holds: every character is looked at a bounded number of times,
 * and nothing recurses. Tree construction is not done here.
 */
import { decodeHTML } from 'entities';
import { type Attributes, TagReader } from './html-tag.ts';

/** Receives the tokens of a page in order. */
export interface HtmlHandler {
  /**
   * A start tag, its name in lower case. Answers whether it began an element of HTML (not of SVG or MathML): only there
   * scripts, styles and titles are raw text.
   */
  onOpenTag(name: string, attributes: Attributes, isSelfClosing: boolean): boolean;
  /** An end tag as written. May match no start tag. */
  onCloseTag(name: string): void;
  /** Text with character references decoded (not in script, style and the like). Adjacent pieces may follow. */
  onText(text: string): void;
  /** Whether the place is inside SVG or MathML, where there are CDATA sections. */
  isInForeignContent(): boolean;
}

/** Elements whose content is text up to their end tag: with character references (RCDATA) or without (RAWTEXT). */
const rcdata: ReadonlySet<string> = new Set(['title', 'textarea']);
const rawText: ReadonlySet<string> = new Set(['style', 'xmp', 'iframe', 'noembed', 'noframes']);

/** Runs `handler` over the tokens of a page. */
export function tokenizeHtml(html: string, handler: HtmlHandler): void {
  const tag = new TagReader(html);
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const kind = open === -1 ? 'end' : kindOfMarkup(html, open + 1);
    if (kind === 'text') {
      emitText(html, at, open + 1, handler);
      at = open + 1;
      continue;
    }
    if (open !== at) emitText(html, at, open === -1 ? html.length : open, handler);
    if (kind === 'end') return;
    if (kind === 'markup') {
      at = endOfMarkup(html, open, handler);
      continue;
    }
    at = tag.read(kind === 'open' ? open + 1 : open + 2);
    if (at === -1) return; // the page ends inside a tag: not a tag (13.2.5.32 and others, "eof-in-tag")
    if (kind === 'close') handler.onCloseTag(tag.name);
    else if (handler.onOpenTag(tag.name, tag, tag.isSelfClosing)) {
      at = emitRawText(html, at, tag.name, handler);
    }
  }
}

type MarkupKind = 'open' | 'close' | 'markup' | 'text';

/** What a "<" begins, by the characters after it. */
function kindOfMarkup(html: string, at: number): MarkupKind {
  const next = html.charCodeAt(at);
  if (isLetter(next)) return 'open';
  if (next === SLASH)
    return isLetter(html.charCodeAt(at + 1)) ? 'close' : at + 1 < html.length ? 'markup' : 'text';
  return next === EXCLAMATION || next === QUESTION ? 'markup' : 'text';
}

/** Passes over a comment, a doctype, a CDATA section or whatever else is no tag; gives where it ends. */
function endOfMarkup(html: string, open: number, handler: HtmlHandler): number {
  if (html.startsWith('<!--', open)) return endOfComment(html, open + 4);
  if (html.startsWith('<![CDATA[', open) && handler.isInForeignContent()) {
    const end = html.indexOf(']]>', open + 9);
    handler.onText(html.slice(open + 9, end === -1 ? html.length : end));
    return end === -1 ? html.length : end + 3;
  }
  return after(html, '>', open + 2);
}

/** A comment ends with `-->` or `--!>`; `<!-->` and `<!--->` are whole ones. */
function endOfComment(html: string, at: number): number {
  if (html[at] === '>') return at + 1;
  if (html.startsWith('->', at)) return at + 2;
  const end = /--!?>/g;
  end.lastIndex = at;
  return end.test(html) ? end.lastIndex : html.length;
}

/** Emits the content of a raw text element just opened; gives where its end tag stands. */
function emitRawText(html: string, at: number, name: string, handler: HtmlHandler): number {
  let end = at;
  if (name === 'script') end = endOfScript(html, at);
  else if (rcdata.has(name) || rawText.has(name)) end = endOfRawText(html, at, name);
  else if (name === 'plaintext') end = html.length;
  if (end === at) return at;
  if (rcdata.has(name)) emitText(html, at, end, handler);
  else handler.onText(html.slice(at, end));
  return end;
}

/** Where the end tag of a raw text element stands. */
function endOfRawText(html: string, from: number, name: string): number {
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2)) {
    const nameEnd = at + 2 + name.length;
    if (!isEndOfTagName(html.charCodeAt(nameEnd))) continue;
    if (html.slice(at + 2, nameEnd).toLowerCase() === name) return at;
  }
  return html.length;
}

/** The end tag of a script, minding the "escaped" states: in `<!-- <script>` … the next end tag is the inner one's. */
function endOfScript(html: string, from: number): number {
  const first = endOfRawText(html, from, 'script');
  if (!html.slice(from, first).includes('<!--')) return first;
  const marks = /<!--|-->|<\/?script[\t\n\f\r />]/gi;
  marks.lastIndex = from;
  let isEscaped = false;
  let isDoubleEscaped = false;
  for (let mark = marks.exec(html); mark !== null; mark = marks.exec(html)) {
    const [text] = mark;
    if (text === '<!--') {
      isEscaped = true;
      marks.lastIndex = mark.index + 2; // its dashes may be those of the end, as in `<!-->`
    } else if (text === '-->') {
      isEscaped = isDoubleEscaped = false;
    } else if (text[1] !== '/') {
      isDoubleEscaped = isEscaped;
    } else if (isDoubleEscaped) {
      isDoubleEscaped = false;
    } else {
      return mark.index;
    }
  }
  return html.length;
}

function emitText(html: string, start: number, end: number, handler: HtmlHandler): void {
  const text = html.slice(start, end);
  handler.onText(text.includes('&') ? decodeHTML(text) : text);
}

function after(html: string, mark: string, at: number): number {
  const end = html.indexOf(mark, at);
  return end === -1 ? html.length : end + mark.length;
}

const SLASH = 0x2f;
const EXCLAMATION = 0x21;
const QUESTION = 0x3f;
const GREATER = 0x3e;

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;
}

function isEndOfTagName(code: number): boolean {
  return code === GREATER || code === SLASH || isSpace(code);
}

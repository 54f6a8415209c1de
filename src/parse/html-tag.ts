/**
 * One tag at a time, from the first letter of its name to its ">" (HTML standard 13.2.5.8 to 13.2.5.40).
 *
 * Most attributes of most tags are never asked for, so only their places are noted; values are cut out and decoded when
 * somebody wants them.
 */
import { decodeHTMLAttribute } from 'entities';

/** Attributes of a tag by lower-case name, values decoded; the first of a name counts. Valid until the next tag is read. */
export interface Attributes {
  /** How many there are, those of equal names included. */
  readonly size: number;
  get(name: string): string | undefined;
  has(name: string): boolean;
}

const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
/** Difference between a capital and a small letter. */
const SMALL = 0x20;

/** What a character ends, by its code; all that end anything are ASCII. */
const ENDS_UNQUOTED = 1;
const ENDS_TAG_NAME = 2;
const ENDS_ATTRIBUTE_NAME = 4;
const ENDS = tableOfEnds();

function tableOfEnds(): Uint8Array {
  const table = new Uint8Array(0x80);
  for (const code of [0x09, 0x0a, 0x0c, 0x0d, 0x20, GREATER])
    table[code] = ENDS_UNQUOTED | ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME;
  table[SLASH] = ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME;
  table[EQUALS] = ENDS_ATTRIBUTE_NAME;
  return table;
}

/** Numbers kept of an attribute: where its name begins and ends, where its value begins and ends. */
const PLACES = 4;

/** Reads the tags of one page; its fields are those of the last one. */
export class TagReader implements Attributes {
  /** In lower case. */
  name = '';
  isSelfClosing = false;
  size = 0;
  readonly #html: string;
  readonly #places: number[] = [];
  readonly #names: NameTable = new NameTable();

  constructor(html: string) {
    this.#html = html;
  }

  /** Reads the tag whose name begins at `start`; gives where the tag ends, −1 when the page ends before it does. */
  read(start: number): number {
    const html = this.#html;
    let at = this.#skipTo(start, ENDS_TAG_NAME);
    this.name = this.#names.lower(html, start, at);
    this.isSelfClosing = false;
    this.size = 0;
    while (at < html.length) {
      const code = html.charCodeAt(at);
      if (code === GREATER) return at + 1;
      if (code === SLASH && html.charCodeAt(at + 1) === GREATER) {
        this.isSelfClosing = true;
        return at + 2;
      }
      at = code === SLASH || isSpace(code) ? at + 1 : this.#readAttribute(at);
    }
    return -1;
  }

  get(name: string): string | undefined {
    const place = this.#placeOf(name);
    if (place === -1) return undefined;
    const value = this.#html.slice(this.#places[place + 2], this.#places[place + 3]);
    return value.includes('&') ? decodeHTMLAttribute(value) : value;
  }

  has(name: string): boolean {
    return this.#placeOf(name) !== -1;
  }

  #placeOf(name: string): number {
    const end = this.size * PLACES;
    for (let place = 0; place < end; place += PLACES) {
      const start = this.#places[place] ?? 0;
      const length = (this.#places[place + 1] ?? 0) - start;
      if (length === name.length && isName(this.#html, start, name)) return place;
    }
    return -1;
  }

  /** Reads the attribute at `start`; gives where it ends, which is the end of the page when its quotation does not. */
  #readAttribute(start: number): number {
    const html = this.#html;
    const nameEnd = this.#skipTo(start + 1, ENDS_ATTRIBUTE_NAME); // a leading "=" belongs to the name
    let valueStart = nameEnd;
    let valueEnd = nameEnd;
    let at = this.#skipSpace(nameEnd);
    if (html.charCodeAt(at) === EQUALS) {
      at = this.#skipSpace(at + 1);
      const quote = html.charCodeAt(at);
      if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
        valueStart = at + 1;
        valueEnd = html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", valueStart);
        if (valueEnd === -1) return html.length;
        at = valueEnd + 1;
      } else {
        valueStart = at;
        valueEnd = this.#skipTo(at, ENDS_UNQUOTED);
        at = valueEnd;
      }
    }
    const place = this.size * PLACES;
    this.#places[place] = start;
    this.#places[place + 1] = nameEnd;
    this.#places[place + 2] = valueStart;
    this.#places[place + 3] = valueEnd;
    this.size++;
    return at;
  }

  #skipTo(from: number, what: number): number {
    const html = this.#html;
    let at = from;
    while (at < html.length) {
      const code = html.charCodeAt(at);
      if (code < 0x80 && ((ENDS[code] ?? 0) & what) !== 0) break;
      at++;
    }
    return at;
  }

  #skipSpace(from: number): number {
    let at = from;
    while (isSpace(this.#html.charCodeAt(at))) at++;
    return at;
  }
}

/** Slots of a table: more than a page has different element names. */
const SLOTS = 256;

/**
 * Names of elements in lower case, one string for all elements of a name: strings cut from a page anew are hashed and
 * compared anew by every set they are looked up in.
 */
class NameTable {
  readonly #names: string[] = new Array<string>(SLOTS).fill('');

  /** The name at [start, end); only ASCII letters are lowered (13.2.5.8). */
  lower(html: string, start: number, end: number): string {
    let hash = 0;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + lower(html.charCodeAt(at))) | 0;
    const slot = hash & (SLOTS - 1);
    const known = this.#names[slot] ?? '';
    if (known.length === end - start && isName(html, start, known)) return known;
    const name = html.slice(start, end).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
    this.#names[slot] = name;
    return name;
  }
}

/** Does the page have this name, which is in lower case, at `start`? */
function isName(html: string, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    if (lower(html.charCodeAt(start + i)) !== name.charCodeAt(i)) return false;
  }
  return true;
}

function lower(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code | SMALL : code;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;
}

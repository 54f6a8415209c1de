/**
 * Sitemaps and feeds as what they have in common: a flat list of entries with named fields. Built on the htmlparser2
 * tokenizer in XML mode, which takes any prefix or namespace, forgives what is not well-formed, and knows no external
 * entities: nothing is ever read from file or network, and nothing expands.
 */
import { Parser } from 'htmlparser2';

/** A direct child of an entry. */
export interface XmlField {
  /** Local name, in lower case. */
  readonly name: string;
  readonly text: string;
  /** By local name, in lower case. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Base URL in force (xml:base), or the document's. */
  readonly base: string;
}

export interface XmlEntry {
  readonly name: EntryName;
  readonly fields: readonly XmlField[];
}

export type EntryName = 'url' | 'sitemap' | 'item' | 'entry';

/** What the entries are called in documents with this root element. */
const ENTRIES: ReadonlyMap<string, readonly EntryName[]> = new Map<string, readonly EntryName[]>([
  ['urlset', ['url', 'sitemap']],
  ['sitemapindex', ['sitemap', 'url']],
  ['rss', ['item']],
  ['rdf', ['item']], // RSS 1.0
  ['feed', ['entry']], // Atom
]);

/** Is there a root element of a sitemap or feed, whatever stands before it? */
export function isSitemapXml(text: string): boolean {
  return /<(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|rdf|feed)[\s/>]/i.test(text);
}

/** Deeper documents are attacks on the parser; sitemaps and feeds are five deep. */
const MAX_DEPTH = 200;

/** Text is parsed in slices, so that parsing can stop soon after it should. */
const SLICE_LENGTH = 16_384;

/**
 * Calls `take` with each complete entry, in order, until it returns false. An entry cut off by the end of the
 * document is left out: its URL may be half a URL. `url` is the document's base.
 */
export function readXmlEntries(text: string, url: string, take: (entry: XmlEntry) => boolean): void {
  const reader = new EntryReader(url, take);
  const parser = new Parser(reader, { xmlMode: true });
  for (let at = 0; at < text.length && !reader.isDone; at += SLICE_LENGTH) {
    parser.write(text.slice(at, at + SLICE_LENGTH));
  }
}

interface OpenField extends XmlField {
  text: string;
}

/** Handler of parser events. Elements that are open are a stack of base URLs. */
class EntryReader {
  isDone = false;
  readonly #bases: string[];
  readonly #take: (entry: XmlEntry) => boolean;
  #entryNames: readonly EntryName[] | null = null;
  #entry: { name: EntryName; depth: number; fields: XmlField[] } | null = null;
  #field: OpenField | null = null;

  constructor(url: string, take: (entry: XmlEntry) => boolean) {
    this.#bases = [url];
    this.#take = take;
  }

  onopentag(qualifiedName: string, attributes: Record<string, string>): void {
    if (this.isDone) return;
    const name = localName(qualifiedName);
    const base = this.#openBase(attributes['xml:base']);
    const depth = this.#bases.length;
    if (depth > MAX_DEPTH) this.isDone = true;

    if (this.#entryNames === null) {
      this.#entryNames = ENTRIES.get(name) ?? null;
    } else if (this.#entry === null) {
      const entryName = this.#entryNames.find((candidate) => candidate === name);
      if (entryName !== undefined) this.#entry = { name: entryName, depth, fields: [] };
    } else if (depth === this.#entry.depth + 1) {
      const byLocalName = Object.entries(attributes).map(([key, value]) => [localName(key), value] as const);
      this.#field = { name, text: '', attributes: new Map(byLocalName), base };
    }
  }

  ontext(text: string): void {
    // Only the field's own text: elements inside a field (XInclude, an author's name) are something else.
    if (this.#field !== null && this.#entry !== null && this.#bases.length === this.#entry.depth + 1) {
      this.#field.text += text;
    }
  }

  onclosetag(): void {
    if (this.isDone) return;
    const depth = this.#bases.length;
    this.#bases.pop();
    if (this.#entry === null) return;
    if (depth === this.#entry.depth + 1 && this.#field !== null) {
      this.#entry.fields.push(this.#field);
      this.#field = null;
    } else if (depth === this.#entry.depth) {
      const { name, fields } = this.#entry;
      this.#entry = null;
      if (!this.#take({ name, fields })) this.isDone = true;
    }
  }

  #openBase(declared: string | undefined): string {
    const outer = this.#bases.at(-1) ?? '';
    const base =
      declared !== undefined && URL.canParse(declared, outer) ? new URL(declared, outer).href : outer;
    this.#bases.push(base);
    return base;
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

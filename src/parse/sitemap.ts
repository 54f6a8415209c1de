/**
 * Sitemaps of every kind as one list of URLs: XML (sitemaps.org 0.9 and its elders), indexes, plain text, RSS, Atom and
 * JSON Feed, gzipped or not. The kind is told from the content; name and Content-Type are wrong too often.
 *
 * Entries of other hosts and the path rule of sitemaps.org are not judged here: every entry passes the crawl's scope
 * like any link, so a sitemap never widens a crawl.
 */
import { resolveLink } from '../url/normalize.ts';
import { charsetOfContentType, decodeBody } from './charset.ts';
import { parseDate } from './date.ts';
import { feedEntry, type ListedUrl, parseJsonFeed } from './feed.ts';
import { gunzip } from './gunzip.ts';
import { isSitemapXml, readXmlEntries, type XmlEntry } from './xml-entries.ts';

export interface Sitemap {
  /** Pages, in order. */
  readonly urls: readonly ListedUrl[];
  /** Further sitemaps an index names, each once, without itself. */
  readonly sitemaps: readonly string[];
  /** What was wrong, one English sentence each; what could be read is in the lists all the same. */
  readonly problems: readonly string[];
}

/** sitemaps.org: at most 50,000 entries and 50 MB, uncompressed. */
export const MAX_SITEMAP_ENTRIES = 50_000;
export const MAX_SITEMAP_BYTES: number = 50 * 1024 * 1024;

/** Reads a sitemap or feed that was found at `url`, the base of relative entries. Never throws. */
export function parseSitemap(body: Uint8Array, url: string, contentType: string | null): Sitemap {
  const list = new SitemapList(url);
  const { bytes, problem } = gunzip(body, MAX_SITEMAP_BYTES);
  if (problem !== null) list.problem(problem);
  const isCut = problem !== null || bytes.length > MAX_SITEMAP_BYTES;
  if (bytes.length > MAX_SITEMAP_BYTES) list.problem('It is larger than 50 MB; the rest was left out.');

  const text = decode(bytes.subarray(0, MAX_SITEMAP_BYTES), contentType).trimStart();
  if (isSitemapXml(text)) {
    readXmlEntries(text, url, (entry) => list.addEntry(entry));
  } else if (text.startsWith('{')) {
    const pages = parseJsonFeed(text, url);
    if (pages === null) list.problem(UNKNOWN);
    for (const page of pages ?? []) if (!list.addPage(page)) break;
  } else if (text.startsWith('<') || text === '') {
    list.problem(UNKNOWN);
  } else {
    readLines(isCut ? wholeLines(text) : text, list);
  }
  return list.result();
}

const UNKNOWN = 'It is neither a sitemap nor a feed.';

/** The default encoding of sitemaps is UTF-8, as of XML, so that is what they are decoded as whatever their type. */
function decode(bytes: Uint8Array, contentType: string | null): string {
  const charset = charsetOfContentType(contentType);
  return decodeBody(bytes, charset === null ? 'application/xml' : `application/xml; charset=${charset}`).text;
}

/** A text sitemap: one absolute URL per line. */
function readLines(text: string, list: SitemapList): void {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const href = line.trim();
    if (href === '' || href.startsWith('#')) continue;
    const url = /^https?:/i.test(href) ? resolveLink(href, null) : null;
    if (!list.addPage(url === null ? null : { url, lastmod: null })) break;
  }
}

/** Text without its last line, which a cut may have left with half a URL. */
function wholeLines(text: string): string {
  return text.slice(0, text.search(/[\r\n][^\r\n]*$/) + 1);
}

/** Collects entries up to the limit. The adding methods return false when there was no room left. */
class SitemapList {
  readonly #url: string;
  readonly #urls: ListedUrl[] = [];
  readonly #sitemaps: Set<string> = new Set();
  readonly #problems: string[] = [];
  #entries = 0;
  #unusable = 0;
  #badDates = 0;

  constructor(url: string) {
    this.#url = url;
  }

  problem(sentence: string): void {
    this.#problems.push(sentence);
  }

  addEntry(entry: XmlEntry): boolean {
    if (entry.name === 'item' || entry.name === 'entry') return this.addPage(feedEntry(entry));
    const locations = entry.fields.filter((field) => field.name === 'loc');
    if (locations.length === 0) return this.addPage(null);
    // A second location in one entry does not inherit the date of the first.
    return locations.every(({ text, base }, i) => {
      const href = text.trim();
      const url = href === '' ? null : resolveLink(href, base);
      if (url !== null && entry.name === 'sitemap') return this.#addSitemap(url);
      return this.addPage(url === null ? null : { url, lastmod: i === 0 ? this.#lastmod(entry) : null });
    });
  }

  /** Null stands for an entry without a URL that could be used. */
  addPage(page: ListedUrl | null): boolean {
    if (!this.#takeRoom()) return false;
    if (page === null) this.#unusable++;
    else this.#urls.push(page);
    return true;
  }

  result(): Sitemap {
    const problems = [...this.#problems];
    if (this.#entries > MAX_SITEMAP_ENTRIES) {
      problems.push(`It has more than ${MAX_SITEMAP_ENTRIES} entries; the rest was left out.`);
    }
    if (this.#unusable > 0) problems.push(`Entries without a usable URL: ${this.#unusable}.`);
    if (this.#badDates > 0) problems.push(`Dates that cannot be read: ${this.#badDates}.`);
    return { urls: this.#urls, sitemaps: [...this.#sitemaps], problems };
  }

  #addSitemap(url: string): boolean {
    if (!this.#takeRoom()) return false;
    if (url !== this.#url) this.#sitemaps.add(url);
    return true;
  }

  #takeRoom(): boolean {
    return ++this.#entries <= MAX_SITEMAP_ENTRIES;
  }

  #lastmod(entry: XmlEntry): number | null {
    const text = entry.fields.find((field) => field.name === 'lastmod')?.text.trim() ?? '';
    const date = parseDate(text);
    if (date === null && text !== '') this.#badDates++;
    return date;
  }
}

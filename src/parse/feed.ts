/** RSS 0.9x, 1.0 and 2.0, Atom and JSON Feed as lists of URLs with dates. What the entries say is read on their pages. */
import { resolveLink } from '../url/normalize.ts';
import { parseDate } from './date.ts';
import type { XmlEntry, XmlField } from './xml-entries.ts';

/** A URL announced by a sitemap or feed. */
export interface ListedUrl {
  /** Absolute http(s) URL without fragment. */
  readonly url: string;
  /** When the page last changed, as announced; null when no date is given or it cannot be read. */
  readonly lastmod: number | null;
}

/** The page of an RSS `item` or Atom `entry`; null when it names none. */
export function feedEntry({ fields }: XmlEntry): ListedUrl | null {
  const url = pageLink(fields) ?? permalink(fields);
  return url === null ? null : { url, lastmod: newestDate(fields) };
}

/**
 * The pages of a JSON Feed (jsonfeed.org, version 1.1): `url`, else `external_url`. Null when the text is something
 * else. `base` resolves relative URLs.
 */
export function parseJsonFeed(text: string, base: string): ListedUrl[] | null {
  const feed = parseJson(text);
  if (!isObject(feed) || !Array.isArray(feed.items)) return null;
  const listed: ListedUrl[] = [];
  for (const item of feed.items) {
    if (!isObject(item)) continue;
    const href = stringOf(item.url) ?? stringOf(item.external_url);
    const url = href === null ? null : resolveLink(href.trim(), base);
    const date = stringOf(item.date_modified) ?? stringOf(item.date_published);
    if (url !== null) listed.push({ url, lastmod: date === null ? null : parseDate(date) });
  }
  return listed;
}

/** `<link>URL</link>` (RSS) or `<link href="URL">` (Atom, and Atom elements in RSS); the first that means the page. */
function pageLink(fields: readonly XmlField[]): string | null {
  for (const { name, text, attributes, base } of fields) {
    if (name !== 'link' || (attributes.get('rel') ?? 'alternate') !== 'alternate') continue;
    const href = (attributes.get('href') ?? text).trim();
    const url = href === '' ? null : resolveLink(href, base);
    if (url !== null) return url;
  }
  return null;
}

/** RSS `guid`: the URL of the page unless isPermaLink says it is not, or it does not look like one. */
function permalink(fields: readonly XmlField[]): string | null {
  const guid = fields.find((field) => field.name === 'guid');
  if (guid === undefined || guid.attributes.get('ispermalink')?.toLowerCase() === 'false') return null;
  return resolveLink(guid.text.trim(), null);
}

/** RSS, Dublin Core, Atom 1.0 and Atom 0.3. */
const DATES: ReadonlySet<string> = new Set(['pubdate', 'date', 'published', 'updated', 'modified', 'issued']);

function newestDate(fields: readonly XmlField[]): number | null {
  const dates = fields
    .filter((field) => DATES.has(field.name))
    .map((field) => parseDate(field.text))
    .filter((date) => date !== null);
  return dates.length === 0 ? null : Math.max(...dates);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // not JSON: the caller is told so
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

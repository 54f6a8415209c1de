/** What a page declares about itself: title, base, canonical, refresh, robots, description, language, date, author. */
import { resolveLink } from '../url/normalize.ts';
import { detach } from './detach.ts';
import type { Attributes } from './html-tag.ts';
import { relTokens } from './links.ts';

/** Longest value kept of a title, a description and the like. */
const VALUE_LIMIT = 1_000;
/** Largest JSON-LD block read. */
const JSON_LD_LIMIT = 200_000;

/** Declarations as they stand in a page, white space folded. */
export interface Declarations {
  readonly title: string;
  readonly description: string;
  /** As declared: html lang, else Content-Language, else og:locale. */
  readonly language: string | null;
  readonly base: string;
  readonly canonical: string | null;
  readonly refresh: { readonly delay: number; readonly url: string } | null;
  /** Contents of the robots metas that concern us. */
  readonly robots: readonly string[];
  /** Feeds (RSS, Atom) named by link elements. */
  readonly feeds: readonly string[];
  readonly openGraphTitle: string;
  /** As written; mostly ISO 8601. */
  readonly published: string | null;
  readonly author: string | null;
}

/** Gathers declarations in the order of the page; the first of a kind counts. */
export class DeclarationCollector {
  private readonly metas: Map<string, string> = new Map();
  private readonly robots: string[] = [];
  private readonly canonicals: string[] = [];
  private readonly feeds: string[] = [];
  private readonly productToken: string;
  private readonly url: string;
  private title = '';
  private language: string | null = null;
  private baseHref: string | null = null;
  private refresh: { delay: number; href: string } | null = null;
  private jsonLd: JsonLdFacts = { published: null, author: null };

  constructor(url: string, productToken: string) {
    this.url = url;
    this.productToken = productToken.toLowerCase();
  }

  addTitle(text: string): void {
    this.title ||= fold(text);
  }

  addHtml(attributes: Attributes): void {
    this.language ??= attributes.get('lang')?.trim() || attributes.get('xml:lang')?.trim() || null;
  }

  /** Only the first base that has an href counts, be it valid or not (HTML standard 4.2.3). */
  addBase(attributes: Attributes): void {
    this.baseHref ??= attributes.get('href') ?? null;
  }

  addMeta(attributes: Attributes): void {
    const content = attributes.get('content');
    if (content === undefined) return;
    const pragma = attributes.get('http-equiv')?.trim().toLowerCase();
    if (pragma === 'refresh') this.refresh ??= parseRefresh(content);
    else if (pragma === 'content-language') this.remember('content-language', content);
    const name = attributes.get('name')?.trim().toLowerCase();
    if (name === 'robots' || (name !== undefined && name === this.productToken)) this.robots.push(content);
    else if (name !== undefined) this.remember(name, content);
    const property = attributes.get('property')?.trim().toLowerCase();
    if (property !== undefined) this.remember(property, content);
  }

  /** A link element; a canonical one is believed only in the head, where visitors of the page cannot put it. */
  addLink(attributes: Attributes, isInHead: boolean): void {
    const href = attributes.get('href');
    if (!href) return; // an empty one makes no link (HTML standard 4.2.4.3)
    const rel = relTokens(attributes);
    if (rel.includes('canonical') && isInHead) this.canonicals.push(href);
    if (rel.includes('alternate') && isFeed(attributes)) this.feeds.push(href);
  }

  addJsonLd(text: string): void {
    if (text.length > JSON_LD_LIMIT) return;
    const { published, author } = readJsonLd(text);
    this.jsonLd = { published: this.jsonLd.published ?? published, author: this.jsonLd.author ?? author };
  }

  finish(): Declarations {
    const base = this.resolveBase();
    const { refresh } = this;
    const refreshUrl = refresh === null ? null : resolveLink(refresh.href, base);
    const meta = (name: string): string | null => this.metas.get(name) || null;
    return {
      title: this.title,
      description: meta('description') ?? meta('og:description') ?? '',
      language: (this.language && detach(this.language)) ?? meta('content-language') ?? meta('og:locale'),
      base,
      canonical: this.resolveCanonical(base),
      refresh: refresh === null || refreshUrl === null ? null : { delay: refresh.delay, url: refreshUrl },
      robots: this.robots.map(detach),
      feeds: [...new Set(this.feeds.map((href) => resolveLink(href, base)).filter((url) => url !== null))],
      openGraphTitle: meta('og:title') ?? '',
      published: meta('article:published_time') ?? this.jsonLd.published ?? meta('date') ?? meta('dc.date'),
      author: meta('author') ?? this.jsonLd.author ?? meta('dc.creator'),
    };
  }

  private remember(name: string, content: string): void {
    if (wantedMetas.has(name) && !this.metas.get(name)) this.metas.set(name, fold(content));
  }

  private resolveBase(): string {
    if (this.baseHref === null) return this.url;
    const base = URL.canParse(this.baseHref, this.url) ? new URL(this.baseHref, this.url) : null;
    return base === null || base.protocol === 'javascript:' || base.protocol === 'data:'
      ? this.url
      : base.href;
  }

  /** Pages that name several disagree with themselves; another host cannot be taken at the page's word (RFC 6596). */
  private resolveCanonical(base: string): string | null {
    const urls = new Set(this.canonicals.map((href) => resolveLink(href, base)));
    const [url] = urls;
    if (urls.size !== 1 || !url) return null;
    return new URL(url).hostname === new URL(this.url).hostname ? url : null;
  }
}

const wantedMetas: ReadonlySet<string> = new Set([
  'description',
  'og:description',
  'og:title',
  'og:locale',
  'content-language',
  'article:published_time',
  'date',
  'dc.date',
  'author',
  'dc.creator',
]);

/**
 * HTML standard 4.2.5.3, "shared declarative refresh steps", up to the URL. Null when there is no URL: a page that
 * reloads itself leads nowhere.
 */
function parseRefresh(content: string): { delay: number; href: string } | null {
  const [, digits = '', fraction = '', separator = '', rest = ''] =
    /^\s*(\d*)([\d.]*)(\s*[;,]?\s*)([\s\S]*)$/.exec(content) ?? [];
  if ((digits === '' && fraction === '') || separator === '' || rest === '') return null;
  const target = rest.replace(/^url\s*=\s*/i, '');
  const quote = target[0];
  const href = quote === '"' || quote === "'" ? (target.slice(1).split(quote, 1)[0] ?? '') : target;
  return { delay: Number(digits), href };
}

function isFeed(attributes: Attributes): boolean {
  return /^\s*application\/(?:rss|atom)\+xml\b/i.test(attributes.get('type') ?? '');
}

interface JsonLdFacts {
  readonly published: string | null;
  readonly author: string | null;
}

/** Date and author of the first thing in a JSON-LD block that has them (schema.org CreativeWork). */
function readJsonLd(text: string): JsonLdFacts {
  let published: string | null = null;
  let author: string | null = null;
  const queue = [parseJson(text)];
  for (let i = 0; i < queue.length && i < 1_000; i++) {
    const thing = queue[i];
    if (Array.isArray(thing)) queue.push(...thing.slice(0, 100));
    if (!isRecord(thing)) continue;
    if (typeof thing.datePublished === 'string') published ??= fold(thing.datePublished);
    author ??= nameOf(thing.author);
    queue.push(thing['@graph'], thing.mainEntity);
  }
  return { published, author };
}

function nameOf(author: unknown): string | null {
  const first: unknown = Array.isArray(author) ? author[0] : author;
  const name = isRecord(first) ? first.name : first;
  return typeof name === 'string' && name !== '' ? fold(name) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // authors make mistakes; then the page declares nothing
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fold(text: string): string {
  return detach(
    text
      .slice(0, 2 * VALUE_LIMIT)
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, VALUE_LIMIT),
  );
}

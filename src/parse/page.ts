/** A response body as a parsed page: decoded, read as HTML or plain text, with everything an index and a crawl need. */
import { hash } from 'node:crypto';
import { robotsDirectives } from '../robots/directives.ts';
import type { Directives, ParsedPage } from '../types.ts';
import { hasChallengeMark } from './challenge.ts';
import { decodeBody } from './charset.ts';
import { type ParsedHtml, parseHtml } from './html.ts';
import { detectLanguage } from './language.ts';

/** Raised whenever what is extracted from the same bytes changes, so that pages are extracted anew (R19). */
export const EXTRACTOR_VERSION = 1;

/** How much of a body is looked at to tell what it is. */
const SNIFF_BYTES = 512;
/** Share of control characters from which on a body is no text. Pictures and archives have a tenth, text has hardly any. */
const BINARY_SHARE = 0.05;

/** A check for robots has less text than this, UTF-16 code units. */
const CHALLENGE_TEXT = 600;

/** What is known of an answer besides its body. */
export interface PageHead {
  /** URL of the page, after redirects. */
  readonly url: string;
  readonly contentType: string | null;
  /** Values of X-Robots-Tag. */
  readonly robotsHeaders: readonly string[];
  /** When it was received: dates given with `unavailable_after` may have passed by then. */
  readonly receivedAt: number;
}

/** Reads a page. Never throws for what the body holds: whatever it is, something can be made of it. */
export function parsePage(body: Uint8Array, head: PageHead, productToken: string): ParsedPage {
  const { text, encoding } = decodeBody(body, head.contentType);
  const fromHeaders = robotsDirectives(head.robotsHeaders, productToken, head.receivedAt);
  if (mediaType(head.contentType) === 'text/plain') return plainPage(text, encoding, head.url, fromHeaders);
  const html = parseHtml(text, head.url, { productToken, nowMs: head.receivedAt });
  return {
    url: head.url,
    title: html.title || html.openGraphTitle || (html.headings[0] ?? ''),
    headings: html.headings,
    text: html.text,
    description: html.description,
    language: languageOf(html),
    encoding,
    base: html.base,
    canonical: html.canonical,
    refresh: html.refresh,
    links: html.links,
    linksLeftOut: html.linksLeftOut,
    feeds: html.feeds,
    robots: bothPermit(fromHeaders, html.robots),
    hasPasswordField: html.hasPasswordField,
    hasChallengeMark: html.text.length < CHALLENGE_TEXT && hasChallengeMark(text),
    contentHash: hashOf(html.title, html.headings, html.text),
  };
}

/**
 * True for the kinds of content parsePage reads: HTML, XHTML, plain text, and unlabelled bodies that look like HTML. Pictures,
 * archives and PDF that are labelled as text are none.
 */
export function isParsableType(contentType: string | null, body: Uint8Array): boolean {
  const type = mediaType(contentType);
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, SNIFF_BYTES)).toString(
    'latin1',
  );
  if (type === 'text/html' || type === 'application/xhtml+xml' || type === 'text/plain')
    return isWide(contentType, start) || !isBinary(start);
  if (type !== '') return false;
  return /^\W*<(?:!--|(?:!doctype\s+html|html|head|body|title|meta|script|p|div|h1|table|a|br)\b)/i.test(
    start,
  );
}

/** UTF-16, as its byte order mark or its label says: any byte may stand in it. */
function isWide(contentType: string | null, start: string): boolean {
  return /^(?:\xfe\xff|\xff\xfe)/.test(start) || /charset=["']?utf-16/i.test(contentType ?? '');
}

/** By the binary data bytes of the MIME Sniffing Standard (section 3), NUL left aside: old text files are padded with it. */
function isBinary(start: string): boolean {
  if (start.startsWith('%PDF-')) return true;
  let found = 0;
  for (let at = 0; at < start.length; at++) {
    const code = start.charCodeAt(at);
    if (code > 0 && code < 0x20 && !'\t\n\f\r\x1b'.includes(start.charAt(at))) found++;
  }
  return found > start.length * BINARY_SHARE;
}

/** The readable part of a page and who wrote it when; the rest of a page is in `parseHtml`. */
export interface MainContent {
  /** The page's own heading, without the name of the site. */
  readonly title: string;
  readonly text: string;
  readonly language: string | null;
  readonly description: string;
  readonly published: string | null;
  readonly author: string | null;
}

/** The main content of an HTML page, paragraphs separated by line breaks. */
export function extractMainContent(html: string, url: string): MainContent {
  const page = parseHtml(html, url);
  return {
    title: page.mainHeading ?? (page.openGraphTitle || page.title),
    text: page.text,
    language: languageOf(page),
    description: page.description,
    published: page.published,
    author: page.author,
  };
}

function plainPage(text: string, encoding: string, url: string, robots: Directives): ParsedPage {
  const clean = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\t\n])\p{Cc}/gu, '')
    .trim();
  const title = clean.slice(0, 200).split('\n', 1)[0]?.trim() ?? '';
  return {
    url,
    title,
    headings: [],
    text: clean,
    description: '',
    language: detectLanguage(clean, null),
    encoding,
    base: url,
    canonical: null,
    refresh: null,
    links: [],
    linksLeftOut: 0,
    feeds: [],
    robots,
    hasPasswordField: false,
    hasChallengeMark: false,
    contentHash: hashOf(title, [], clean),
  };
}

function languageOf(page: ParsedHtml): string | null {
  return detectLanguage(page.text || page.title, page.language);
}

function bothPermit(a: Directives, b: Directives): Directives {
  return {
    index: a.index && b.index,
    follow: a.follow && b.follow,
    archive: a.archive && b.archive,
    snippet: a.snippet && b.snippet,
  };
}

function hashOf(title: string, headings: readonly string[], text: string): string {
  return hash('sha256', JSON.stringify([title, headings, text]), 'hex');
}

function mediaType(contentType: string | null): string {
  return contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
}

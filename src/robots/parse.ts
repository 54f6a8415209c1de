/**
 * robots.txt as RFC 9309 reads it, with the tolerance real files need: any line ending, a byte order mark, misspelt
 * field names, a missing colon, bytes that are not UTF-8. Groups naming the same product token are merged; `*` is
 * used only when no group names ours. Crawl-delay and Sitemap lines are read too and never end a group (2.2.4).
 */
import { compilePattern, matchesPattern, type PathPattern, pathToMatch } from './match.ts';

/** The line that decided about a URL. */
export interface RuleLine {
  /** Line number in the file, from 1. */
  readonly line: number;
  /** The line as written, without white space around it. */
  readonly text: string;
  readonly allow: boolean;
}

/** What a robots.txt says to one crawler. */
export interface RobotsRules {
  /** False when a rule disallows the URL, or when it is no URL. `/robots.txt` itself is always allowed (2.2.2). */
  isAllowed(url: string): boolean;
  /** The rule that decides about the URL: the longest that matches, Allow before Disallow. Null: none matches. */
  matchingRule(url: string): RuleLine | null;
  /** Largest Crawl-delay of our group; null when there is none that is a plain number of seconds. */
  readonly crawlDelayMs: number | null;
  /** URLs of the Sitemap lines of the whole file, each once, in order. */
  readonly sitemaps: readonly string[];
}

/** RFC 9309 2.5: at least 500 KiB are parsed. What comes after is dropped, with the line the limit cuts. */
export const MAX_ROBOTS_BYTES: number = 500 * 1024;

/**
 * Reads a robots.txt for the crawler named by `productToken` (a whole agent string will do).
 * `robotsUrl` is the base of relative Sitemap lines, which are dropped without it. Never throws.
 */
export function parseRobots(
  body: string | Uint8Array,
  productToken: string,
  robotsUrl?: string,
): RobotsRules {
  const file = readFile(body, productTokenOf(productToken), robotsUrl);
  const group = file.own.isNamed ? file.own : file.any;
  const rules = group.rules.sort(
    (a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow),
  );

  const matching = (path: string | null): Rule | undefined =>
    path === null || path === '/robots.txt'
      ? undefined
      : rules.find((rule) => matchesPattern(rule.pattern, path));
  return {
    isAllowed: (url) => {
      const path = pathToMatch(url);
      return matching(path)?.allow ?? path !== null;
    },
    matchingRule: (url) => {
      const rule = matching(pathToMatch(url));
      return rule === undefined ? null : { line: rule.line, text: utf8(rule.text), allow: rule.allow };
    },
    crawlDelayMs: group.crawlDelayMs,
    sitemaps: [...file.sitemaps],
  };
}

/**
 * The part of an agent string that robots.txt names it by, in lower case: `FooBot/1.0 (+https://foo)` is `foobot`, and so is
 * `Mozilla/5.0 (compatible; FooBot/1.0)`. Empty for `*`.
 */
export function productTokenOf(agent: string): string {
  const claimed = /^Mozilla\/\S* \(compatible; ([^;)]*)/i.exec(agent)?.[1] ?? agent;
  return leadingToken(latin1(trim(claimed)));
}

/** The body cut to the limit, at the end of a line. */
export function clipRobots(body: Uint8Array): Uint8Array {
  if (body.length <= MAX_ROBOTS_BYTES) return body;
  let end = MAX_ROBOTS_BYTES;
  while (end > 0 && body[end - 1] !== 0x0a && body[end - 1] !== 0x0d) end--;
  // A copy: a view would keep the whole body in memory.
  return Uint8Array.from(body.subarray(0, end));
}

interface Rule {
  readonly allow: boolean;
  readonly pattern: PathPattern;
  readonly line: number;
  readonly text: string;
}

/** Everything said to one token, over all its groups. */
interface Group {
  isNamed: boolean;
  readonly rules: Rule[];
  crawlDelayMs: number | null;
}

interface RobotsFile {
  /** Groups with our token, and groups with `*`. */
  readonly own: Group;
  readonly any: Group;
  readonly sitemaps: Set<string>;
}

function readFile(body: string | Uint8Array, token: string, robotsUrl: string | undefined): RobotsFile {
  const own: Group = { isNamed: false, rules: [], crawlDelayMs: null };
  const any: Group = { isNamed: false, rules: [], crawlDelayMs: null };
  const sitemaps = new Set<string>();
  /** Which of the two the lines being read belong to. */
  let open: Group[] = [];
  /** Rules have been read, so the next user-agent line starts a new group. */
  let hasRules = false;

  for (const [index, text] of octetsOf(body)
    .split(/\r\n?|\n/)
    .entries()) {
    const record = parseLine(text);
    if (record === null) continue;
    const { field, value } = record;
    if (field === 'user-agent') {
      if (hasRules) open = [];
      hasRules = false;
      const group = isAnyAgent(value) ? any : token !== '' && leadingToken(value) === token ? own : null;
      if (group === null) continue;
      group.isNamed = true;
      if (!open.includes(group)) open.push(group);
    } else if (field === 'sitemap') {
      const url = sitemapUrl(text, robotsUrl);
      if (url !== null) sitemaps.add(url);
    } else if (field === 'crawl-delay') {
      for (const group of open) group.crawlDelayMs = larger(group.crawlDelayMs, parseDelay(value));
    } else {
      hasRules = true;
      const pattern = open.length > 0 ? compilePattern(value) : null;
      if (pattern === null) continue;
      for (const group of open)
        group.rules.push({ allow: field === 'allow', pattern, line: index + 1, text: trim(text) });
    }
  }
  return { own, any, sitemaps };
}

type Field = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap';

/** Field names as they are found in the wild, in lower case. */
const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['crawl-delay', 'crawl-delay'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
]);

function parseLine(text: string): { field: Field; value: string } | null {
  const comment = text.indexOf('#');
  const line = trim(comment < 0 ? text : text.slice(0, comment));
  let separator = line.indexOf(':');
  // Without a colon, white space may stand for it when there are exactly two words.
  if (separator < 0) separator = /^\S+[ \t]+\S+$/.test(line) ? line.search(/[ \t]/) : -1;
  if (separator < 0) return null;
  const field = FIELDS.get(trim(line.slice(0, separator)).toLowerCase());
  return field === undefined ? null : { field, value: trim(line.slice(separator + 1)) };
}

/** In a URL, `#` starts a comment only after white space: elsewhere it is a fragment somebody copied along. */
function sitemapUrl(line: string, robotsUrl: string | undefined): string | null {
  const value = trim(line.slice(line.indexOf(':') + 1).replace(/(?:^|[ \t])#.*/, ''));
  if (value === '') return null;
  try {
    const url = new URL(utf8(value), robotsUrl);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}

function isAnyAgent(value: string): boolean {
  return /^\*(?:[ \t]|$)/.test(value);
}

/** Product tokens are letters, `_` and `-` in RFC 9309; digits, dots and other scripts are in use all the same. */
function leadingToken(value: string): string {
  return /^[\w.\-\x80-\xff]*/.exec(value)?.[0].toLowerCase() ?? '';
}

function parseDelay(value: string): number | null {
  return /^(?:\d+\.?\d*|\.\d+)$/.test(value) ? Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER) : null;
}

function larger(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}

/** The octets of a body, one per unit, without the byte order mark. UTF-16 is read when its mark says so. */
function octetsOf(body: string | Uint8Array): string {
  const bytes = clipRobots(typeof body === 'string' ? Buffer.from(body) : body);
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (isLittle || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return latin1(new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(bytes));
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text;
}

/** Text as its UTF-8 octets, one per unit; and back. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function utf8(octets: string): string {
  return Buffer.from(octets, 'latin1').toString();
}

/** `String.trim` would take octets of a UTF-8 letter for white space, and a regular expression is not linear here. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(octet: number): boolean {
  return octet === 0x20 || octet === 0x09 || octet === 0x0b || octet === 0x0c;
}

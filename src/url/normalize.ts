/**
 * One key per page: what two spellings of a URL have in common. Based on the WHATWG URL Standard, then RFC 3986 § 6.2.2
 * (case, percent-encoding, dot segments) and what crawling adds (R4). Every choice that could have gone the other way is
 * in docs/decisions/0002-url-keys.md.
 */
import { isNoise, type NoiseFilter, withoutPathSession } from './noise.ts';

export interface NormalizeOptions {
  /** Which query parameters to leave out; default: the built-in list of tracking and session parameters. */
  readonly isNoise?: NoiseFilter;
}

/**
 * The frontier key of an absolute URL, or null when it is not a crawlable http(s) URL. Idempotent; never throws.
 *
 * Off: fragment, credentials, default port, trailing dots of the host, tracking parameters, session ids, empty query,
 * parameters without a name. Parameters are sorted by name, equal names keep their order. Percent-encoding is upper
 * case, used for every character RFC 3986 does not allow and for no unreserved one; reserved characters stay as they
 * are, since `%2F` and `/` may name different pages. ASCII only.
 */
export function normalizeUrl(url: string, options: NormalizeOptions = {}): string | null {
  const noise = options.isNoise ?? isNoise;
  return keyOfPlain(url, noise) ?? keyOfParsed(url, noise);
}

/**
 * The URL a link leads to: absolute, http(s), without fragment; null when it leads elsewhere or is no URL. `base` is the
 * document's base URL; null or empty: `href` must be absolute. WHATWG URL Standard, § 4.4. Never throws.
 */
export function resolveLink(href: string, base: string | null): string | null {
  const parsed = parse(href, base || undefined);
  if (parsed === null) return null;
  if (parsed.hash === '' && !parsed.href.endsWith('#')) return parsed.href;
  return parsed.href.slice(0, parsed.href.indexOf('#'));
}

/**
 * Text of a path or query with canonical percent-encoding (RFC 3986 § 6.2.2.1–2): unreserved characters decoded, others
 * encoded in upper case, a `%` that encodes nothing becomes `%25`. Delimiters stay as they are. Takes ASCII. Linear.
 */
export function cleanEncoding(text: string): string {
  if (CLEAN.test(text)) return text;
  // From right to left, so that digits uncovered by decoding (`%%300`) are seen by the `%` before them.
  const reversed: string[] = [];
  for (let i = text.length - 1; i >= 0; i--) {
    const char = text.charAt(i);
    if (char === '%') reversePercent(reversed);
    else if (ALLOWED.test(char)) reversed.push(char);
    else pushReversed(reversed, encode(char));
  }
  return reversed.reverse().join('');
}

/** Unreserved characters, sub-delims, and `:@/?` as RFC 3986 § 3.3 and § 3.4 allow them in path and query. */
const ALLOWED = /^[\w\-.~!$&'()*+,;=:@/?]$/;
const UNRESERVED = /^[\w\-.~]$/;
const HEX_PAIR = /^[0-9a-f]{2}$/i;

/** `ALLOWED` characters and upper-case escapes of octets that are not unreserved. */
const CLEAN = /^(?:[\w\-.~!$&'()*+,;=:@/?]|%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF]))*$/;

/**
 * Most URLs of the web: lower-case DNS name, no port, path of harmless segments. A segment with a leading dot, `;` or `(`
 * may have to go, and a name with `xn--` to be checked.
 */
const PLAIN = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/(?!\.)(?:[\w~!$&'*+,=:@.-]|%[89A-F][0-9A-F])*)+$/;

/** A query the URL parser leaves as it is. */
const PLAIN_QUERY = /^\?[\w\-.~!$&()*+,;=:@/?%]*$/;

/** Left before a name by a second `?` or by an `&` escaped once too often; the rest is still the name. */
const BROKEN_START = /^(?:amp;|\?|%3f)+/;

const DOT_SEGMENT = /\/\.\.?(?:\/|$)/;

/** The key of a URL the parser would not change, without asking it; null for others. */
function keyOfPlain(url: string, isNoise: NoiseFilter): string | null {
  const queryStart = url.indexOf('?');
  const bare = queryStart === -1 ? url : url.slice(0, queryStart);
  if (!PLAIN.test(bare) || bare.includes('xn--')) return null;
  if (queryStart === -1) return url;
  const search = url.slice(queryStart);
  return PLAIN_QUERY.test(search) ? bare + cleanQuery(search, isNoise) : null;
}

function keyOfParsed(url: string, isNoise: NoiseFilter): string | null {
  const parsed = parse(url);
  if (parsed === null) return null;
  const { protocol, hostname, port, pathname, search } = parsed;
  const host = hostname.endsWith('.') ? hostname.replace(/(?<!\.)\.+$/, '') : hostname;
  if (host === '') return null;
  const path = withoutDotSegments(withoutPathSession(cleanEncoding(pathname)));
  const key = `${protocol}//${host}${port && `:${port}`}${path}${cleanQuery(search, isNoise)}`;
  // A shortened host may mean something new to the parser (`1.2.3.4..`): settle it.
  return host === hostname ? key : keyOfParsed(key, isNoise);
}

/** RFC 3986 § 5.2.4, for dots that decoding uncovered (`/%%32e/`) and those Node 20's parser leaves (`parse`). */
function withoutDotSegments(path: string): string {
  if (!DOT_SEGMENT.test(path)) return path;
  const segments = path.split('/').slice(1);
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  const last = segments.at(-1);
  return `/${kept.join('/')}${(last === '.' || last === '..') && kept.length > 0 ? '/' : ''}`;
}

function parse(url: string, base?: string): URL | null {
  try {
    const parsed = new URL(url, base);
    if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return null;
    // Node 20 leaves the dots of `//.a/./b` where all of it is ASCII.
    if (DOT_SEGMENT.test(parsed.pathname)) parsed.pathname = withoutDotSegments(parsed.pathname);
    return parsed;
  } catch (error) {
    // The only way Node 20 has to say "not a URL"; anything else is ours.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Puts a `%` before text held in reverse: as part of an escape, decoded when unreserved, or escaped itself. */
function reversePercent(reversed: string[]): void {
  const pair = `${reversed.at(-1)}${reversed.at(-2)}`;
  if (!HEX_PAIR.test(pair)) {
    pushReversed(reversed, '%25');
    return;
  }
  reversed.length -= 2;
  const char = String.fromCharCode(Number.parseInt(pair, 16));
  pushReversed(reversed, UNRESERVED.test(char) ? char : `%${pair.toUpperCase()}`);
}

function pushReversed(reversed: string[], text: string): void {
  for (let i = text.length - 1; i >= 0; i--) reversed.push(text.charAt(i));
}

function encode(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** A query with its `?`, or '': without noise and nameless parameters, sorted by name. */
function cleanQuery(search: string, isNoise: NoiseFilter): string {
  if (search.length < 2) return '';
  const parameters: { name: string; text: string }[] = [];
  let isSorted = true;
  for (const text of cleanEncoding(search.slice(1)).split('&')) {
    const end = text.indexOf('=');
    const name = end === -1 ? text : text.slice(0, end);
    if (
      name === '' ||
      isNoise(name.toLowerCase().replace(BROKEN_START, ''), end === -1 ? '' : text.slice(end + 1))
    )
      continue;
    const last = parameters.at(-1);
    if (last !== undefined && last.name > name) isSorted = false;
    parameters.push({ name, text });
  }
  if (!isSorted) parameters.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return parameters.length === 0 ? '' : `?${parameters.map((parameter) => parameter.text).join('&')}`;
}

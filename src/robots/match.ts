/**
 * Matching of robots.txt path patterns (RFC 9309 2.2.2 and 2.2.3): `*` is any run of octets, a final `$` is the end.
 *
 * Both sides are brought to one spelling first, so that `/bücher`, `/b%c3%bccher` and `/b%C3%BCcher` are the same.
 * Octets are held one per UTF-16 unit ("latin1 text"), so bytes that are not UTF-8 keep their own identity.
 * A match is a few substring searches from left to right: no backtracking, whatever the pattern.
 */

/** A compiled path pattern. */
export interface PathPattern {
  /** Literal pieces between the wildcards, in one spelling. The first one starts the path. */
  readonly pieces: readonly string[];
  /** True when the pattern ended in `$`. */
  readonly isAnchored: boolean;
  /** Octets of the pattern: the longest one that matches decides. */
  readonly length: number;
}

/** Compiles the value of an allow or disallow line, given as latin1 text. An empty value matches nothing: null. */
export function compilePattern(value: string): PathPattern | null {
  if (value === '') return null;
  const isAnchored = value.endsWith('$');
  const body = isAnchored ? value.slice(0, -1) : value;
  if (!body.includes('*')) {
    const piece = oneSpelling(body);
    return { pieces: [piece], isAnchored, length: piece.length + (isAnchored ? 1 : 0) };
  }
  const all = body.split('*').map(oneSpelling);
  const last = all.length - 1;
  const octets = all.reduce((sum, piece) => sum + piece.length, last + (isAnchored ? 1 : 0));
  // A run of stars is one star.
  return {
    pieces: all.filter((piece, i) => i === 0 || i === last || piece !== ''),
    isAnchored,
    length: octets,
  };
}

/** Does the pattern match a path as `pathToMatch` gives it? Linear in the path for every piece. */
export function matchesPattern(pattern: PathPattern, path: string): boolean {
  const { pieces, isAnchored } = pattern;
  const last = pieces.length - 1;
  const start = pieces[0] ?? '';
  if (!path.startsWith(start)) return false;
  let at = start.length;
  if (last === 0) return !isAnchored || at === path.length;
  // Taking the leftmost place for each piece leaves the most room for the rest, so one pass decides.
  for (let i = 1; i < last; i++) {
    const piece = pieces[i] ?? '';
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const end = pieces[last] ?? '';
  if (isAnchored) return path.length - end.length >= at && path.endsWith(end);
  return path.includes(end, at);
}

/**
 * Path and query of a URL in the spelling patterns are compiled to; a reference such as `/a?b` is taken as a path.
 * The URL is read as the fetcher will read it (WHATWG), so `/x/../secret` is judged as `/secret`. Null: not a URL.
 */
export function pathToMatch(url: string): string | null {
  let href: string;
  try {
    href = new URL(url.startsWith('/') ? `http://host${url}` : url).href;
  } catch {
    return null;
  }
  const start = href.indexOf('/', href.indexOf('://') + 3);
  const end = href.indexOf('#', start);
  return oneSpelling(end < 0 ? href.slice(start) : href.slice(start, end));
}

/** What is not already in the one spelling: percent-encoded octets, and octets that must be percent-encoded. */
const TO_RESPELL = /%[0-9A-Fa-f]{2}|[^\x21-\x7e]|["<>\\^`{|}]/g;

/**
 * Octets written plainly whether or not they came percent-encoded: unreserved ones (RFC 9309 2.2.2), and reserved
 * ones that separate nothing. `/ ? # & = +` and `%` mean something else when encoded, so their two forms stay two.
 */
const PLAIN = /[\w.~!'()*$,:;@[\]-]/;

function oneSpelling(text: string): string {
  // `search` is cheaper than `replace`, and nearly every path has nothing to respell.
  return text.search(TO_RESPELL) < 0 ? text : text.replace(TO_RESPELL, respell);
}

function respell(found: string): string {
  if (found.length === 1) return `%${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  const octet = String.fromCharCode(Number.parseInt(found.slice(1), 16));
  return PLAIN.test(octet) ? octet : found.toUpperCase();
}

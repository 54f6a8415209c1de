/**
 * Globs over normalised URLs, matched without regular expressions: time grows with pattern × URL length whatever the
 * pattern, so no configuration can stall a crawl.
 *
 *     *             anything within one path segment         **         anything
 *     /docs/**      everything under /docs/                  /docs/     the same
 *     *.pdf         no leading slash: at any depth           a/**\/b    a/b too: whole segments or none
 *     *?sort=*      with a parameter named sort              /p?a&b=1   with a parameter a and the parameter b=1
 *     //*.a.test/x  host and path, with either scheme        https://a.test/x  scheme, host and path
 *
 * The path is matched as a whole and by case. What follows `?` are conditions on single parameters in any order, since
 * the parameters of a key are sorted; without `?` any query will do. Text may be written plainly or percent-encoded.
 */
import { domainToASCII } from 'node:url';
import { cleanEncoding } from '../url/normalize.ts';
import { splitUrl } from '../url/site.ts';

/** Tells whether a normalised URL matches. */
export type Glob = (url: string) => boolean;

/** Compiles a pattern. Any text is a pattern. */
export function compileGlob(pattern: string): Glob {
  const { scheme, host, rest } = splitPattern(pattern.trim());
  const queryStart = rest.indexOf('?');
  const path = compilePath(queryStart === -1 ? rest : rest.slice(0, queryStart));
  const conditions = queryStart === -1 ? [] : splitQuery(rest.slice(queryStart + 1)).map(compileCondition);
  const hostMatches = host === null ? null : compileText(host, false);
  return (url) => {
    const parts = splitUrl(url);
    if (scheme !== null && scheme !== (parts.isSecure ? 'https' : 'http')) return false;
    if (hostMatches !== null && !hostMatches(parts.host)) return false;
    const end = parts.path.indexOf('?');
    if (conditions.length > 0) {
      const parameters = end === -1 ? [] : splitQuery(parts.path.slice(end + 1));
      if (!conditions.every((matches) => parameters.some(matches))) return false;
    }
    return path(end === -1 ? parts.path : parts.path.slice(0, end));
  };
}

type TextGlob = (text: string) => boolean;

/** What a pattern is made of: a literal character, `*`, `**`, or `**` with its slash where both may be absent. */
type Token = string | typeof WITHIN | typeof ANY | typeof SEGMENTS;
const WITHIN = 0;
const ANY = 1;
const SEGMENTS = 2;

function splitPattern(pattern: string): { scheme: string | null; host: string | null; rest: string } {
  const match = /^(?:(https?|\*):)?\/\/([^/?]*)(.*)$/is.exec(pattern);
  if (match === null) return { scheme: null, host: null, rest: encodeUnicode(pattern) };
  const scheme = match[1]?.toLowerCase() ?? '*';
  const host = (match[2] ?? '').toLowerCase().split('.').map(asciiLabel).join('.');
  return { scheme: scheme === '*' ? null : scheme, host, rest: encodeUnicode(match[3] || '/**') };
}

function asciiLabel(label: string): string {
  return /^[\0-\x7f]*$/.test(label) ? label : domainToASCII(label);
}

function splitQuery(query: string): string[] {
  return query.split('&').filter((parameter) => parameter !== '');
}

function compilePath(path: string): TextGlob {
  const anchored = path.startsWith('/') ? path : `/**/${path}`;
  return compileText(cleanEncoding(anchored.endsWith('/') ? `${anchored}**` : anchored), true);
}

/** A parameter condition: `name` alone means the name with any value. */
function compileCondition(condition: string): TextGlob {
  const text = cleanEncoding(condition);
  if (text.includes('=') || text.endsWith('*')) return compileText(text, false);
  const withValue = compileText(`${text}=*`, false);
  return (parameter) => parameter === text || withValue(parameter);
}

/** `hasSegments`: `*` stops at slashes. The literal beginning is compared as text, the rest by simulation. */
function compileText(pattern: string, hasSegments: boolean): TextGlob {
  const star = pattern.indexOf('*');
  if (star === -1) return (text) => text === pattern;
  const prefix = pattern.slice(0, star);
  const tokens = tokenize(pattern.slice(star), hasSegments, prefix.endsWith('/'));
  if (tokens.length === 1 && tokens[0] === ANY) return (text) => text.startsWith(prefix);
  // Most texts that do not match already differ at one of their ends.
  const suffix = pattern.slice(pattern.lastIndexOf('*') + 1);
  return (text) => text.startsWith(prefix) && text.endsWith(suffix) && simulate(tokens, text, prefix.length);
}

function tokenize(pattern: string, hasSegments: boolean, isSegmentStart: boolean): Token[] {
  const tokens: Token[] = [];
  for (const part of pattern.match(/\*\*+\/?|\*|[^*]+/g) ?? []) {
    if (part === '*') tokens.push(hasSegments ? WITHIN : ANY);
    else if (!part.startsWith('*')) for (const char of part) tokens.push(char);
    else if (!part.endsWith('/')) tokens.push(ANY);
    else if (tokens.length === 0 ? isSegmentStart : tokens.at(-1) === '/' || tokens.at(-1) === SEGMENTS)
      tokens.push(SEGMENTS);
    else tokens.push(ANY, '/');
  }
  return tokens;
}

/**
 * Runs the pattern as a nondeterministic automaton: `active[i]` says that the text so far fits the tokens before i.
 * Every character is looked at once for every token.
 */
function simulate(tokens: readonly Token[], text: string, start: number): boolean {
  let active = new Uint8Array(tokens.length + 1);
  let next = new Uint8Array(tokens.length + 1);
  active[0] = 1;
  for (let at = start; at <= text.length; at++) {
    const char = text[at];
    const isSegmentStart = text[at - 1] === '/';
    let isAlive = false;
    next.fill(0);
    for (let i = 0; i < tokens.length; i++) {
      if (active[i] === 0) continue;
      const token = tokens[i];
      // Wildcards may stand for nothing; SEGMENTS is left only where a segment starts.
      if (token === WITHIN || token === ANY || (token === SEGMENTS && isSegmentStart)) active[i + 1] = 1;
      if (char === undefined) continue;
      if (token === char) next[i + 1] = 1;
      else if (token === ANY || token === SEGMENTS || (token === WITHIN && char !== '/')) next[i] = 1;
      else continue;
      isAlive = true;
    }
    if (char === undefined || !isAlive) return char === undefined && active[tokens.length] === 1;
    [active, next] = [next, active];
  }
  return false;
}

/** Non-ASCII text as a normalised URL spells it. */
function encodeUnicode(text: string): string {
  return text.replace(/[^\0-\x7f]+/g, (run) => encodeURI(run.replace(/\p{Surrogate}/gu, '\ufffd')));
}

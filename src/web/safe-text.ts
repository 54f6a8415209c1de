/**
 * Everything crawled is hostile. JSX escapes text and attributes; here is what escaping does not cover: which URLs may
 * become links, how a URL is shown, what may stand in a `lang` attribute. Pure.
 */
import { printable } from '../printable.ts';

/** A piece of text, marked or not. */
export interface Segment {
  readonly text: string;
  readonly isMarked: boolean;
}

/** The URL, absolute, when it is http or https and so may be a link; else null (`javascript:`, `data:`, broken ones). */
export function linkable(url: string, base?: string): string | null {
  if (!URL.canParse(url, base)) return null;
  const parsed = new URL(url, base);
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : null;
}

/**
 * A URL for people: without scheme, its path decoded where that gives visible text. The host stays in ASCII, so that
 * one made of look-alike letters is seen.
 */
export function displayUrl(url: string): string {
  const [, host = url, path = ''] = /^https?:\/\/([^/?#]*)(.*)$/.exec(url) ?? [];
  return printable(host + decodePath(path)).replace(/\/$/, '');
}

/** A language that may stand in a `lang` attribute (BCP 47), or undefined. */
export function languageTag(language: string | null): string | undefined {
  return language !== null && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language) ? language : undefined;
}

/** Cuts a text at its marks; marks out of order or out of the text are left out. */
export function segmentsOf(
  text: string,
  marks: readonly (readonly [start: number, end: number])[],
): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    if (start < at || end <= start || end > text.length) continue;
    if (start > at) segments.push({ text: text.slice(at, start), isMarked: false });
    segments.push({ text: text.slice(start, end), isMarked: true });
    at = end;
  }
  if (at < text.length) segments.push({ text: text.slice(at), isMarked: false });
  return segments;
}

/** Percent-encoding undone where that is unambiguous: not for reserved characters, not for spaces. */
function decodePath(path: string): string {
  try {
    const decoded = decodeURI(path);
    return /\s/.test(decoded) ? path : decoded;
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

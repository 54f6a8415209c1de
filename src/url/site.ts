/** Whose a URL is: its registrable domain, its queue in the frontier, and its parts as the frontier stores them. */
import { getDomain } from 'tldts';

/** The parts of a normalised URL; `joinUrl` puts them together again. */
export interface UrlParts {
  readonly isSecure: boolean;
  /** Queue key: host name, with the port when it is not the scheme's default. */
  readonly host: string;
  /** Path and query, beginning with `/`. */
  readonly path: string;
}

/**
 * The domain somebody registered, by the public suffix list, for a host name without port: `docs.example.co.uk` →
 * `example.co.uk`. Private suffixes count (`a.github.io` and `b.github.io` belong to different people). Null for IP
 * addresses, single labels and public suffixes themselves.
 */
export function registrableDomain(host: string): string | null {
  const name = host.toLowerCase().replace(/(?<!\.)\.+$/, '');
  if (name.startsWith('.') || name.includes('..')) return null;
  return getDomain(name, { allowPrivateDomains: true, extractHostname: false });
}

/** The queue a normalised URL waits in: its host name, with the port when it is not the scheme's default. */
export function queueKey(url: string): string {
  const start = hostStart(url);
  return url.slice(start, pathStart(url, start));
}

/** Takes a normalised URL apart. Throws RangeError for anything else, which is a bug of the caller. */
export function splitUrl(url: string): UrlParts {
  const start = hostStart(url);
  const end = pathStart(url, start);
  return { isSecure: start === SECURE.length, host: url.slice(start, end), path: url.slice(end) };
}

/** The inverse of `splitUrl`. */
export function joinUrl(parts: UrlParts): string {
  return (parts.isSecure ? SECURE : INSECURE) + parts.host + parts.path;
}

const SECURE = 'https://';
const INSECURE = 'http://';

function hostStart(url: string): number {
  if (url.startsWith(SECURE)) return SECURE.length;
  if (url.startsWith(INSECURE)) return INSECURE.length;
  throw new RangeError(`not a normalised URL: ${url}`);
}

function pathStart(url: string, start: number): number {
  const end = url.indexOf('/', start);
  if (end === -1) throw new RangeError(`not a normalised URL: ${url}`);
  return end;
}

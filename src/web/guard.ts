/** Who is answered, and under which headers. A page of another site must not be able to read, embed or rebind to us. */
import type { MiddlewareHandler } from 'hono';
import { parseIp } from '../url/ip.ts';

/** Headers of our own pages (ux.md 6.4). There is no script at all, so none is allowed. */
const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'self'; script-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // A browser looks up the hosts of all links on a page without TLS, before anybody clicks.
  'X-DNS-Prefetch-Control': 'off',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // What somebody searches for is nobody else's business, not even the disk's.
  'Cache-Control': 'private, no-store',
};

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Sets the headers a response does not set itself. */
export const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(pageHeaders)) {
    if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  }
};

/**
 * Is a Host header one of ours? Loopback names always are, whatever the port (tunnels change it). Anything else is how
 * DNS rebinding shows itself: a stranger's name that resolves to this machine.
 */
export function isOwnHost(header: string | undefined, allowed: readonly string[]): boolean {
  const name = /^(\[[\da-f:.]+\]|[^:@/\\\s]+)(?::\d{1,5})?$/i.exec(header ?? '')?.[1]?.toLowerCase();
  return name !== undefined && [...loopbackNames, ...allowed].includes(name.replace(/\.$/, ''));
}

/**
 * Did a page of somebody else have a browser send this? Then it is refused before anything is done for it: that the page
 * cannot read the answer (CORP, no CORS) saves us neither from its effect nor from the time it took, which tells what is in
 * the index. Following a link to us is no such thing, unless something would be changed by it. Programs send none of these
 * headers, and old browsers Origin only. W3C Fetch Metadata Request Headers, 2; RFC 6454, 7.
 */
export function isForeignPage(header: (name: string) => string | undefined, isChange: boolean): boolean {
  const origin = header('origin');
  // The scheme is not compared: a proxy may have ended TLS.
  if (origin !== undefined && origin.replace(/^https?:\/\//, '') !== header('host')) return true;
  const site = header('sec-fetch-site') ?? 'none';
  if (site === 'none' || site === 'same-origin') return false;
  const isLink = header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document';
  return isChange || !isLink;
}

/** Host names of the configuration, as `isOwnHost` compares them: lower case, without port. */
export function ownHosts(serve: {
  readonly host: string;
  readonly baseUrl: string | null;
  readonly allowedHosts: readonly string[];
}): string[] {
  const base = serve.baseUrl === null ? [] : [new URL(serve.baseUrl).hostname];
  const listed = serve.allowedHosts.map((host) => host.toLowerCase().replace(/:\d+$/, ''));
  return [serve.host.includes(':') ? `[${serve.host}]` : serve.host, ...base, ...listed];
}

/** May the server listen there? 127.0.0.0/8, ::1 and localhost are this machine alone; `127.0.0.256` is a name to look up. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (host.startsWith('127.') && parseIp(host) !== null);
}

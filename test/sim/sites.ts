/** A small language for simulated sites: paths and what they answer. */
import { createHash } from 'node:crypto';
import type { ReasonCode } from '../../src/reasons.ts';
import type { SimAnswer, SimRequest, SimServer } from './sim-web.ts';

/**
 * What a path answers: text with status 200 (a page, a robots.txt); an answer; several, one after the other, the last one
 * for ever; or a function of the request. Null: 404.
 */
export type Reply = string | SimAnswer | readonly Reply[] | ((request: SimRequest) => Reply) | null;

/** Replies by path and query; `*` is asked for every path that is not named. Without `/robots.txt` a site has none (404). */
export type Site = Readonly<Record<string, Reply>>;

/** Sites by host (`a.test`, plain http) or origin (`https://a.test`); other hosts do not resolve. */
export type Sites = Readonly<Record<string, Site>>;

/** A server for all of these sites. */
export function serverOf(sites: Sites): SimServer {
  return (request) => {
    const { origin } = new URL(request.url);
    const site = sites[origin] ?? sites[origin.replace(/^http:\/\//, '')];
    if (site === undefined) return { fails: 'safety.dns', wasSent: false };
    const isNamed = Object.hasOwn(site, request.path);
    const reply = isNamed ? site[request.path] : request.path === '/robots.txt' ? null : site['*'];
    return answerOf(reply ?? null, request);
  };
}

/** A page about something, with links. Pages with the same title and text have the same content. */
export function page(title: string, links: readonly string[] = [], text = `All about ${title}.`): string {
  const anchors = links.map((href) => `<li><a href="${href}">link</a></li>`).join('');
  const head = `<!doctype html><title>${title}</title>`;
  return `${head}<main><h1>${title}</h1><p>${text} ${markOf(title, text)}</p></main><nav><ul>${anchors}</ul></nav>`;
}

/** The one word of a page that no other content has. */
export function markIn(body: string): string | null {
  return /\bmark[a-p]{16}\b/.exec(body)?.[0] ?? null;
}

export function redirect(status: number, location: string): SimAnswer {
  return { status, headers: { location } };
}

export function status(
  code: number,
  headers: Readonly<Record<string, string>> = {},
  body: string | Uint8Array = '',
): SimAnswer {
  return { status: code, headers, body };
}

export function fails(reason: ReasonCode): SimAnswer {
  return { fails: reason };
}

/** A page with an ETag of its content: 304 when that is what the client has. */
export function cached(html: string): (request: SimRequest) => Reply {
  const etag = `"${digest(html).slice(0, 16)}"`;
  return (request) => (request.etag === etag ? status(304, { etag }) : status(200, { etag }, html));
}

/** A sitemap, or anything else in XML. */
export function xml(body: string | Uint8Array, type = 'application/xml'): Reply {
  return status(200, { 'content-type': type }, body);
}

/** Entries with or without the instant of their last change. */
export function urlset(...entries: (string | readonly [loc: string, lastmodAt: number])[]): string {
  const items = entries.map((entry) => {
    const [loc, at] = typeof entry === 'string' ? [entry, null] : entry;
    return `<url><loc>${loc}</loc>${at === null ? '' : `<lastmod>${new Date(at).toISOString()}</lastmod>`}</url>`;
  });
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${items.join('')}</urlset>`;
}

/** A sitemap index. */
export function index(...urls: string[]): string {
  return `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;
}

/** A robots.txt that names sitemaps. */
export function robots(...urls: string[]): string {
  return urls.map((url) => `Sitemap: ${url}`).join('\n');
}

/** A reply that takes `afterMs` longer. */
export function slow(afterMs: number, answer: SimAnswer | string): SimAnswer {
  return { ...(typeof answer === 'string' ? status(200, {}, answer) : answer), afterMs };
}

function answerOf(reply: Reply, request: SimRequest): SimAnswer {
  if (reply === null) return status(404);
  if (typeof reply === 'string') return status(200, {}, reply);
  if (typeof reply === 'function') return answerOf(reply(request), request);
  if (isSeveral(reply)) return answerOf(reply[Math.min(request.nth, reply.length - 1)] ?? null, request);
  return reply;
}

function isSeveral(reply: SimAnswer | readonly Reply[]): reply is readonly Reply[] {
  return Array.isArray(reply);
}

function markOf(title: string, text: string): string {
  const letters = [...digest(title + text).slice(0, 16)].map(
    (digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)],
  );
  return `mark${letters.join('')}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

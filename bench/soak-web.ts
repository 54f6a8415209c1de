/**
 * A small web on loopback that lives: every page has a pace of its own at which it changes, some come and go, some move, hosts
 * have bad hours. Started by soak.ts as a process; says its origins to its parent.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seededRandom } from './seeded-random.ts';
import { proses } from './synthetic-prose.ts';

const HOSTS = 20;
const PAGES_A_HOST = 200;
/** The paces of pages: this many milliseconds from change to change, doubled up to `PACES - 1` times. */
const FASTEST_MS = 60_000;
const PACES = 6;
/** Every so many pages one comes and goes, one moves, one is slow. */
const COMES_AND_GOES = 23;
const MOVES = 29;
const IS_SLOW = 31;
const SLOW_MS = 1_500;
/** One minute in ten a host answers 503, each at another one. */
const STORM_MS = 60_000;
const STORMS = 10;
const PARAGRAPHS = 12;
const WORDS = 60;
const [english, chinese] = proses(1);

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

let requests = 0;

function answer(host: number, path: string, noneMatch: string | undefined): Answer {
  const now = Date.now();
  if (path === '/robots.txt') return { status: 200, body: 'User-agent: *\nDisallow: /private/\n' };
  if ((Math.floor(now / STORM_MS) + host) % STORMS === 0) {
    return { status: 503, headers: { 'retry-after': '20' } };
  }
  const page = pageOf(path);
  const edition = Math.floor(now / (FASTEST_MS * 2 ** ((page ?? 0) % PACES)));
  if (page === null || (page > 0 && page % COMES_AND_GOES === 0 && edition % 2 === 1)) return { status: 404 };
  if (page > 0 && page % MOVES === 0) return { status: 301, headers: { location: `/${page - 1}` } };
  const etag = `"${page}-${edition}"`;
  if (noneMatch === etag) return { status: 304, headers: { etag } };
  return { status: 200, headers: { etag }, body: html(host, page, edition) };
}

function serve(host: number, request: IncomingMessage, response: ServerResponse): void {
  requests++;
  const path = request.url ?? '/';
  const { status, headers = {}, body = '' } = answer(host, path, request.headers['if-none-match']);
  const type = body.startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain';
  const send = (): void => void response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  if ((pageOf(path) ?? 0) % IS_SLOW === IS_SLOW - 1) setTimeout(send, SLOW_MS);
  else send();
}

function pageOf(path: string): number | null {
  const page = Number(path.slice(1));
  return Number.isInteger(page) && page >= 0 && page < PAGES_A_HOST ? page : null;
}

/** A page links to its ten children, and to one of another host. */
function html(host: number, page: number, edition: number): string {
  const children = Array.from({ length: 10 }, (_, nth) => page * 10 + nth + 1).filter(
    (child) => child < PAGES_A_HOST,
  );
  const links = children.map((child) => `<li><a href="/${child}">Part ${child}</a></li>`).join('');
  return `<!doctype html><html lang="en"><title>Page ${page} of site ${host}, edition ${edition}</title>
<main><h1>Page ${page}</h1>${text(host, page, edition)}</main><nav><ul>${links}</ul></nav></html>`;
}

/** English on even pages, Chinese on odd ones. */
function text(host: number, page: number, edition: number): string {
  const random = seededRandom(host, page, edition);
  const prose = page % 2 === 0 ? english : chinese;
  return Array.from({ length: PARAGRAPHS }, () => `<p>${prose?.words(random, WORDS)}.</p>`).join('');
}

const origins = await Promise.all(
  Array.from(
    { length: HOSTS },
    (_, host) =>
      new Promise<string>((resolve) => {
        const server = createServer((request, response) => serve(host, request, response));
        server.listen(0, '127.0.0.1', () =>
          resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
        );
      }),
  ),
);
process.send?.(origins);
process.on('message', () => process.send?.(requests));
process.once('disconnect', () => process.exit(0));

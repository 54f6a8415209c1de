/** Serves one demo site on a loopback port and keeps what a judge of crawlers wants to know. */
import { createHash } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../clock.ts';
import { type Answer, answer, type DemoSite, type SiteName, type Visit } from './page.ts';

/** One request as the server saw it. */
export interface DemoRequest {
  readonly at: number;
  readonly site: SiteName;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
}

export interface Peak {
  readonly requests: number;
  readonly connections: number;
}

/** What all sites of one web share. */
export interface World {
  readonly clock: Clock;
  readonly edition: () => number;
  readonly record: (request: DemoRequest) => void;
}

export class SiteServer {
  readonly #name: SiteName;
  readonly #world: World;
  readonly #server: Server;
  readonly #counts = new Map<string, number>();
  readonly #gauge = { requests: 0, connections: 0 };
  readonly #peak = { requests: 0, connections: 0 };
  #site: DemoSite | null = null;

  constructor(name: SiteName, world: World) {
    this.#name = name;
    this.#world = world;
    this.#server = createServer((request, response) => {
      this.#rise('requests');
      response.once('close', () => this.#gauge.requests--);
      void this.#respond(request, response);
    });
    this.#server.on('connection', (socket) => {
      this.#rise('connections');
      socket.once('close', () => this.#gauge.connections--);
    });
  }

  /** The most there ever was at once. */
  get peak(): Peak {
    return { ...this.#peak };
  }

  /** Takes the port, or any free one for 0, and says which. */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  /** Sets what is served; links between sites are known only when every site has its port. */
  show(site: DemoSite): void {
    this.#site = site;
  }

  /** Ends open connections as well; closing what never listened is fine. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? '/';
    const count = this.#counts.get(target) ?? 0;
    this.#counts.set(target, count + 1);
    const now = this.#world.clock.now();
    const made = this.#answer(request.method, { target, count, edition: this.#world.edition(), now });
    const status = isUnchanged(made, request.headers) ? 304 : made.status;
    const { method = 'GET', headers } = request;
    this.#world.record({ at: now, site: this.#name, method, target, status, headers });
    if (made.delayMs !== undefined) await this.#world.clock.sleep(made.delayMs);
    send(response, made, status, now);
  }

  #answer(method: string | undefined, visit: Visit): Answer {
    if (method !== 'GET' && method !== 'HEAD')
      return answer('Only reading is possible here.\n', 'text/plain', 405);
    if (visit.target === '/robots.txt' && this.#site !== null) return this.#site.robots(visit);
    const page = this.#site?.pages.find(({ path }) => encodeURI(path) === visit.target);
    const made = page?.answer(visit) ?? this.#site?.endless?.(visit);
    return made ?? answer('<!doctype html><title>Not found</title><p>No such page.', undefined, 404);
  }

  #rise(what: 'requests' | 'connections'): void {
    this.#gauge[what]++;
    this.#peak[what] = Math.max(this.#peak[what], this.#gauge[what]);
  }
}

function send(response: ServerResponse, made: Answer, status: number, now: number): void {
  const body = status === 304 ? null : made.body;
  response.sendDate = false; // Node would take the machine's clock
  response.writeHead(status, {
    ...made.headers,
    ...validatorsOf(made),
    date: new Date(now).toUTCString(),
    ...(body === null ? {} : { 'content-length': body.length }),
  });
  if (body === null) response.end();
  else if (made.cutAfter === undefined) response.end(body);
  else response.write(body.subarray(0, made.cutAfter), () => response.destroy());
}

/** RFC 9110 section 13.2.2: If-None-Match decides when it is there, If-Modified-Since otherwise. */
function isUnchanged(made: Answer, headers: IncomingHttpHeaders): boolean {
  const { etag, 'last-modified': modified } = validatorsOf(made);
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) return etag !== undefined && noneMatch === etag;
  const since = headers['if-modified-since'];
  return since !== undefined && modified !== undefined && Date.parse(since) >= Date.parse(modified);
}

function validatorsOf({ body, validator }: Answer): { etag?: string; 'last-modified'?: string } {
  if (validator === undefined) return {};
  if (validator === 'etag')
    return { etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"` };
  return { 'last-modified': new Date(validator.modifiedAt).toUTCString() };
}

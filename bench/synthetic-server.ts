/**
 * The process that serves the synthetic web: a bare HTTP/1.1 server for GET without bodies, so that little of a shared
 * machine goes into serving. Started by synthetic-web.ts; talks to it by messages.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Rendered, response, SyntheticPages, type WebShape } from './synthetic-pages.ts';

export interface ServerOptions extends WebShape {
  /** Wait before each answer. */
  readonly latencyMs: number;
}

/** What the server counted since it started. */
export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
  readonly notModified: number;
  /** Different pages that were asked for. */
  readonly pages: number;
  /** Requests for what robots.txt forbids. */
  readonly forbidden: number;
  readonly trapped: number;
  readonly missing: number;
  readonly robots: number;
  /** CPU time spent on serving. */
  readonly cpuMs: number;
}

export type FromServer =
  | { readonly kind: 'ready'; readonly origins: readonly string[] }
  | { readonly kind: 'traffic'; readonly traffic: Traffic };

const ROBOTS = response([Buffer.from('User-agent: *\nDisallow: /private/\n')], {
  'Content-Type': 'text/plain',
});
const MISSING = [
  Buffer.from('HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n'),
];
const HEAD_END = '\r\n\r\n';

type Counts = { -readonly [Name in keyof Traffic]: Traffic[Name] };

class SyntheticServer {
  readonly #options: ServerOptions;
  readonly #pages: SyntheticPages;
  readonly #rendered: Map<string, Rendered>[] = [];
  readonly #asked = new Set<Rendered>();
  readonly #cpuAtStart: NodeJS.CpuUsage;
  readonly #counts: Counts = {
    requests: 0,
    bytes: 0,
    notModified: 0,
    pages: 0,
    forbidden: 0,
    trapped: 0,
    missing: 0,
    robots: 0,
    cpuMs: 0,
  };

  constructor(options: ServerOptions, origins: readonly string[]) {
    this.#options = options;
    this.#pages = new SyntheticPages(options, origins);
    // Everything is rendered before the first request: compressing while a crawler is measured would cost it its time.
    for (let host = 0; host < options.hosts; host++) this.#rendered.push(this.#renderAll(host));
    this.#cpuAtStart = process.cpuUsage();
  }

  get traffic(): Traffic {
    const { user, system } = process.cpuUsage(this.#cpuAtStart);
    return { ...this.#counts, pages: this.#asked.size, cpuMs: (user + system) / 1_000 };
  }

  serve(host: number, socket: Socket): void {
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy()); // the crawler went away
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let end = received.indexOf(HEAD_END); end >= 0; end = received.indexOf(HEAD_END)) {
        this.#send(socket, this.#answer(host, received.slice(0, end)));
        received = received.slice(end + HEAD_END.length);
      }
    });
  }

  #renderAll(host: number): Map<string, Rendered> {
    const rendered = new Map<string, Rendered>([['/robots.txt', ROBOTS]]);
    for (let index = 0; index < this.#pages.count(host); index++) {
      rendered.set(this.#pages.path(host, index), this.#pages.render(host, index));
    }
    return rendered;
  }

  #answer(host: number, head: string): readonly Uint8Array[] {
    const path = head.slice(head.indexOf(' ') + 1, head.indexOf(' HTTP/'));
    this.#counts.requests++;
    const page = this.#rendered[host]?.get(path) ?? this.#trap(path);
    if (page === ROBOTS) this.#counts.robots++;
    else if (page !== null) this.#asked.add(page);
    else if (path.startsWith('/private/')) this.#counts.forbidden++;
    else this.#counts.missing++;
    if (page === null) return MISSING;
    if (!head.includes(page.etag)) return page.chunks;
    this.#counts.notModified++;
    return [Buffer.from(`HTTP/1.1 304 Not Modified\r\nETag: ${page.etag}\r\n\r\n`)];
  }

  #send(socket: Socket, chunks: readonly Uint8Array[]): void {
    const write = (): void => {
      socket.cork();
      for (const chunk of chunks) {
        this.#counts.bytes += chunk.length;
        socket.write(chunk);
      }
      socket.uncork();
    };
    if (this.#options.latencyMs > 0) setTimeout(write, this.#options.latencyMs);
    else write();
  }

  /** Endless months and endless folders. */
  #trap(path: string): Rendered | null {
    const month = /^\/calendar\?month=(\d+)-(\d+)$/.exec(path);
    const isDeeper = /^\/(deeper\/)+$/.test(path);
    if (!this.#options.hasTraps || (month === null && !isDeeper)) return null;
    this.#counts.trapped++;
    const next = month === null ? 'deeper/' : `?month=${nextMonth(Number(month[1]), Number(month[2]))}`;
    const html = `<!doctype html><title>${path}</title><p>Nothing at ${path}. <a href="${next}">Next</a>`;
    return response([Buffer.from(html)], { 'Content-Type': 'text/html; charset=utf-8' });
  }
}

function nextMonth(year: number, month: number): string {
  return new Date(Date.UTC(year, month)).toISOString().slice(0, 7);
}

async function main(options: ServerOptions): Promise<void> {
  let server: SyntheticServer | null = null;
  const listeners = await Promise.all(
    Array.from({ length: options.hosts }, (_, host) => listen((socket) => server?.serve(host, socket))),
  );
  const origins = listeners.map((listener) => `http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
  const ready = new SyntheticServer(options, origins);
  server = ready;
  process.on('message', () => send({ kind: 'traffic', traffic: ready.traffic }));
  process.on('disconnect', () => process.exit());
  send({ kind: 'ready', origins });
}

function listen(onConnection: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(onConnection);
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

function send(message: FromServer): void {
  process.send?.(message);
}

await main(JSON.parse(process.argv[2] ?? '') as ServerOptions);

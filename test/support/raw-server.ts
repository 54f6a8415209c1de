/**
 * A web server for tests that sends exactly the bytes a script says, well formed or not, and notes what it was asked.
 * One script per path; listens on a free port of 127.0.0.1.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** One thing done with the connection of a request. `send` takes text as latin1, so any byte can be written. */
export type Step =
  | { readonly send: string | Uint8Array }
  | { readonly waitMs: number }
  /** Sends one piece again and again until the other side closes. */
  | { readonly drip: string; readonly everyMs: number }
  /** Sends one piece again and again, as fast as the other side takes it, until it closes. */
  | { readonly flood: string | Uint8Array }
  /** Ends the connection in order (FIN), or breaks it (RST). */
  | { readonly close: 'end' | 'reset' };

/** What to do for a request; a function is given the head and the number of requests on this connection so far, from 1. */
export type Script = readonly Step[] | ((head: string, nthOnConnection: number) => readonly Step[]);

export interface RawServerOptions {
  /** Done with every connection before anything is read; requests are not answered then. */
  readonly greeting?: readonly Step[];
  /** Speaks TLS with this key and certificate. */
  readonly tls?: TlsOptions;
}

export interface RawServer {
  readonly port: number;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** Heads of the requests received, in order: request line and header lines as sent, latin1. */
  readonly requests: readonly string[];
  /** Their bodies in the same order, latin1; of those that tell a Content-Length. */
  readonly bodies: readonly string[];
  /** Connections accepted so far. */
  readonly connections: number;
  /** Connections open now. */
  readonly open: number;
  /** Bytes written to connections that are closed by now. */
  readonly sent: number;
  close(): Promise<void>;
}

/** Starts a server; `scripts` is by request target, `*` answers every other one. */
export async function startRawServer(
  scripts: Readonly<Record<string, Script>>,
  { greeting, tls }: RawServerOptions = {},
): Promise<RawServer> {
  const received: Received = { requests: [], bodies: [] };
  const sockets = new Set<Socket>();
  let connections = 0;
  let sent = 0;
  const accept = (socket: Socket): void => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      sent += socket.bytesWritten;
    });
    socket.on('error', () => socket.destroy());
    if (greeting === undefined) serve(socket, scripts, received);
    else void play(socket.resume(), greeting);
  };
  const server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept);
  const port = await listen(server);
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    ...received,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    get sent() {
      return sent;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A whole answer with Content-Length, for scripts where framing is not the point. */
export function answer(
  status: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array = '',
): Step[] {
  const bytes = Buffer.from(body as string);
  const lines = Object.entries({ 'Content-Length': String(bytes.length), ...headers });
  const head = `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return [{ send: Buffer.concat([Buffer.from(head, 'latin1'), bytes]) }];
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address.port);
    });
  });
}

interface Received {
  readonly requests: string[];
  readonly bodies: string[];
}

function serve(
  socket: Socket,
  scripts: Readonly<Record<string, Script>>,
  { requests, bodies }: Received,
): void {
  let received = '';
  let nth = 0;
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
      const head = received.slice(0, end);
      const bodyEnd = end + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (received.length < bodyEnd) return;
      requests.push(head);
      bodies.push(received.slice(end + 4, bodyEnd));
      received = received.slice(bodyEnd);
      nth += 1;
      const target = head.split(' ', 2)[1] ?? '';
      const script = scripts[target] ?? scripts['*'] ?? answer('404 Not Found', {});
      void play(socket, typeof script === 'function' ? script(head, nth) : script);
    }
  });
}

async function play(socket: Socket, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (socket.destroyed) return;
    if ('send' in step) socket.write(bytesOf(step.send));
    else if ('flood' in step) await flood(socket, bytesOf(step.flood));
    else if ('waitMs' in step) await pause(step.waitMs);
    else if ('close' in step) step.close === 'end' ? socket.end() : socket.resetAndDestroy();
    else {
      while (!socket.destroyed) {
        socket.write(step.drip);
        await pause(step.everyMs);
      }
    }
  }
}

/** Pieces are written by the hundred kilobytes: a write of its own for each would be the server's time, not the client's. */
async function flood(socket: Socket, piece: Uint8Array): Promise<void> {
  const times = Math.max(1, Math.floor(100_000 / piece.length));
  const bytes = Buffer.alloc(times * piece.length, piece);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  while (!socket.destroyed) {
    if (socket.write(bytes)) continue;
    await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
}

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Listens for browsers, on this machine only. */
import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import { UserError } from '../errors.ts';
import { createApp } from './app.tsx';
import { isLoopback } from './guard.ts';
import type { Web } from './respond.tsx';

export interface WebServer {
  /** Where it answers: `http://127.0.0.1:7700/`. */
  readonly url: string;
  /** Ends open connections and stops listening. */
  close(): Promise<void>;
}

/** What one connection may cost, and how many there may be. */
export interface ServerLimits {
  /** Until the headers are there. A browser sends them at once; who does not is holding a connection for nothing. */
  readonly headersMs: number;
  /** Until the whole request is there: 4 MiB of pushed URLs at 140 kB a second. */
  readonly requestMs: number;
  /** Without a byte in either direction, and between two requests. */
  readonly silenceMs: number;
  readonly idleMs: number;
  /** How often the first two are looked at. */
  readonly checkEveryMs: number;
  /** Open at once; more are closed at once. A browser has six, and half of the usual 1,024 file descriptors stay ours. */
  readonly connections: number;
}

export const serverLimits: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  silenceMs: 30_000,
  idleMs: 5_000,
  checkEveryMs: 2_000,
  connections: 512,
};

/** Request line and headers; the longest query, 1,000 characters of three bytes each, is 9,000 percent-encoded. */
const MAX_HEAD_BYTES = 16 * 1024;

/**
 * Serves on `config.serve`. Throws UserError when the address is not loopback: there is no login yet, so nobody else
 * may reach it; and when the port is taken.
 */
export async function startServer(web: Web, limits: ServerLimits = serverLimits): Promise<WebServer> {
  const { host, port } = web.config.serve;
  if (!isLoopback(host)) {
    throw new UserError(
      'config',
      `serve.host ${host} is not a loopback address, and this version has no login to protect it`,
      'use 127.0.0.1, and a reverse proxy with a login in front to reach it from elsewhere (then set serve.base_url)',
    );
  }
  const server = createAdaptorServer({
    fetch: createApp(web).fetch,
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: MAX_HEAD_BYTES,
    },
  });
  server.setTimeout(limits.silenceMs);
  server.maxConnections = limits.connections;
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw explain(error, host, port);
  }
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}

function explain(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') {
    return new UserError(
      'config',
      `port ${port} on ${host} is in use`,
      'is Freshet serving already? Or choose another with --port',
      { cause: error },
    );
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return new UserError(
      'config',
      `cannot listen on ${host}:${port} (${code})`,
      'choose another with --host and --port',
      { cause: error },
    );
  }
  return error;
}

import { afterEach, expect, test } from 'vitest';
import { noMetrics } from '../../test/support/web-world.ts';
import { defaultConfig } from '../config.ts';
import { UserError } from '../errors.ts';
import { silentLog } from '../log.ts';
import type { Web } from './respond.tsx';
import { startServer, type WebServer } from './server.ts';

const running: WebServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

const web = (host: string, port = 0): Web => ({
  index: {
    write() {},
    document: () => null,
    isElsewhere: () => false,
    count: () => 0,
    search: () => ({ hits: [], total: 0, isTotalExact: true, hasMore: false, isRelaxed: false }),
  },
  archive: { write() {}, read: () => null },
  inbox: { isCrawled: () => true, check: () => null, put: () => true },
  reads: {
    page: () => null,
    status: () => ({ documents: 0, known: 0, lastFetchedAt: null }),
    metrics: () => noMetrics,
  },
  clock: { now: () => 0 },
  log: silentLog,
  config: {
    ...defaultConfig(),
    serve: { host, port, baseUrl: 'https://search.example.org/', allowedHosts: ['Other.Example:8443'] },
  },
});

async function start(host: string, port = 0): Promise<WebServer> {
  const server = await startServer(web(host, port));
  running.push(server);
  return server;
}

const refusal = (starting: Promise<unknown>): Promise<UserError | null> =>
  starting.then(
    () => null,
    (error: unknown) => {
      if (error instanceof UserError) return error;
      throw error;
    },
  );

test('answers on loopback, and stops', async () => {
  const server = await start('127.0.0.1');
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const response = await fetch(`${server.url}healthz`);
  expect(await response.json()).toEqual({ status: 'ok', documents: 0, known: 0, lastFetchedAt: null });
  await running.pop()?.close();
  await expect(fetch(server.url)).rejects.toThrow();
});

test('takes what is pushed to it', async () => {
  const { url } = await start('127.0.0.1');
  const body = JSON.stringify({ host: 'a.example', key: 'a1b2c3d4', urlList: ['https://a.example/'] });
  const push = (headers: Record<string, string>) =>
    fetch(`${url}indexnow`, { method: 'POST', headers, body });
  expect((await push({ 'content-type': 'application/json' })).status).toBe(202);
  expect((await push({ 'content-type': 'text/plain' })).status).toBe(400);
});

test.each(['0.0.0.0', '::', '192.0.2.1', 'example.org', '127.0.0.1.evil.example', '127.0.0.256', '127.1'])(
  'refuses to listen on %s',
  async (host) => {
    const error = await refusal(startServer(web(host)));
    expect(error?.exit).toBe('config');
    expect(error?.message).toContain('not a loopback address');
    expect(error?.hint).toContain('reverse proxy');
  },
);

test('a port in use is a clear error', async () => {
  const { url } = await start('127.0.0.1');
  const error = await refusal(startServer(web('127.0.0.1', Number(new URL(url).port))));
  expect(error?.message).toContain('is in use');
});

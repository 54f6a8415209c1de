/**
 * What tests of the HTTP downloader share: servers and downloaders that are closed after each test, and a fetch of one
 * scripted answer.
 */
import { afterEach } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { FetchRequest } from '../../src/fetch/downloader.ts';
import { HttpDownloader, type HttpOptions } from '../../src/fetch/http.ts';
import { defaultFetchLimits, type FetchLimits } from '../../src/fetch/limits.ts';
import type { FetchResult } from '../../src/types.ts';
import { parseAllowList } from '../../src/url/address.ts';
import { stubResolver } from './public-names.ts';
import { type RawServer, type Script, startRawServer } from './raw-server.ts';

export const alive: AbortSignal = new AbortController().signal;

/** To be closed after the test, the newest first. */
export const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

export async function serve(scripts: Readonly<Record<string, Script>>): Promise<RawServer> {
  const server = await startRawServer(scripts);
  open.push(server);
  return server;
}

export function download(
  limits: Partial<FetchLimits> = {},
  options: Partial<HttpOptions> = {},
): HttpDownloader {
  const downloader = new HttpDownloader({
    userAgent: 'freshet-test/1 (+https://a.test/bot)',
    limits: { ...defaultFetchLimits, ...limits },
    allow: parseAllowList(['127.0.0.0/8']),
    resolver: stubResolver({}),
    clock: systemClock,
    connectionsPerOrigin: 1,
    ...options,
  });
  open.push(downloader);
  return downloader;
}

/** One fetch of a path served as told. */
export async function fetchOnce(
  script: Script,
  limits: Partial<FetchLimits> = {},
  request: Partial<FetchRequest> = {},
): Promise<{ result: FetchResult; server: RawServer; tookMs: number }> {
  const server = await serve({ '*': script });
  const startedAt = performance.now();
  const result = await download(limits).fetch({ url: `${server.origin}/page`, ...request }, alive);
  return { result, server, tookMs: performance.now() - startedAt };
}

export function textOf(result: FetchResult): string | null {
  return result.kind === 'ok' ? Buffer.from(result.body.bytes).toString() : null;
}

/** True when the one connection made is closed and none made after it; the server notices a moment later. */
export async function allClosed(server: RawServer): Promise<boolean> {
  for (let tries = 0; tries < 50 && server.open > 0; tries += 1) await systemClock.sleep(5);
  return server.open === 0 && server.connections === 1;
}

/** Every row through the real downloader, over real sockets: typed ends, bounded bytes and memory, no connection left. */
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { FetchResult } from '../../src/types.ts';
import { alive, download } from '../support/downloads.ts';
import { type RawServer, startRawServer } from '../support/raw-server.ts';
import { bodies } from './bodies.ts';
import { connections, secure } from './connections.ts';
import { heads } from './heads.ts';
import { pages } from './pages.ts';
import { disguises, redirects } from './redirects.ts';
import type { Row } from './row.ts';

const MiB = 1024 * 1024;
/** Short, so that nobody waits; one megabyte of body is enough to see where it ends. */
const limits = { connectMs: 400, idleMs: 400, totalMs: 800, maxBodyBytes: MiB, minBytesPerSecond: 100 };
/** Of an answer the limit may be taken, and what has been sent before the connection is closed: the buffers of two sockets. */
const MOST_SENT = 24 * MiB;
const MOST_GROWTH = 300 * MiB;

const isBroken: ReadonlySet<string> = new Set([
  'net.timeout',
  'net.headers',
  'net.protocol',
  'net.reset',
  'net.tls',
]);

const rssAtStart = process.memoryUsage.rss();
afterAll(() => expect(process.memoryUsage.rss() - rssAtStart).toBeLessThan(MOST_GROWTH));

describe.each([
  ['heads', heads],
  ['bodies', bodies],
  ['connections', connections],
  ['TLS', secure],
  ['redirects', redirects],
  ['pages', pages],
])('%s', (kind, rows) => {
  test.each(rows)('$name: $fetched', async (row) => {
    const { result, sent } = await fetchFrom(row, kind === 'TLS' ? 'https' : 'http');
    expect(result.kind === 'failed' ? result.reason : result.kind).toBe(row.fetched);
    expect(sent).toBeLessThan(MOST_SENT);
  });
});

test.each(disguises)('where a redirect to %s leads is not asked', async (target) => {
  const row = redirects.find(({ name }) => name === `to ${target}`);
  const { result } = await fetchFrom(row as Row, 'http');
  const location = result.kind === 'redirect' ? (result.location ?? '') : '';
  expect(await download(limits).fetch({ url: location }, alive)).toMatchObject({
    reason: 'safety.private',
    wasSent: false,
  });
});

/** Asks for the page of a row; resolves when all of its connections are closed. */
async function fetchFrom(row: Row, scheme: string): Promise<{ result: FetchResult; sent: number }> {
  const server = await startRawServer({ '*': row.page }, row);
  const downloader = download(limits);
  const result = await downloader.fetch({ url: `${scheme}://127.0.0.1:${server.port}/page` }, alive);
  // After an answer that was whole, whatever was in it, the connection is kept; after a broken one it is closed at once.
  if (result.kind === 'failed' && isBroken.has(result.reason)) await allClosed(server);
  await downloader.close();
  await allClosed(server);
  await server.close();
  return { result, sent: server.sent };
}

/** Resolves when the server has no connection any more; it notices a moment later than the client. */
async function allClosed(server: RawServer): Promise<void> {
  while (server.open > 0) await systemClock.sleep(5);
}

/**
 * A crawl of all of it at once, as users run it but for shorter limits: a start page links to every nasty page, each on a host of its
 * own with honest pages around it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Config, defaultConfig } from '../../src/config.ts';
import { type FreshetNode, openNode } from '../../src/node.ts';
import { parseQuery } from '../../src/search/query.ts';
import { answer, type RawServer, startRawServer } from '../support/raw-server.ts';
import { bodies } from './bodies.ts';
import { connections, secure } from './connections.ts';
import { heads } from './heads.ts';
import { lists } from './lists.ts';
import { pages } from './pages.ts';
import { redirects } from './redirects.ts';
import { html, type Row, story } from './row.ts';

interface Host {
  readonly row: Row;
  readonly server: RawServer;
  readonly origin: string;
  /** A word that only its honest page has; null when the host cannot be talked to, or asks to be left alone. */
  readonly word: string | null;
}

const MiB = 1024 * 1024;
const MOST_GROWTH = 300 * MiB;
/** Reading pages shares the thread with the servers here, and with whatever else the machine does. */
const LONGEST_DELAY_MS = 2_000;

const hosts: Host[] = [];
const problems: string[] = [];
let start: RawServer;
let folder: string;
let node: FreshetNode;
let delay: IntervalHistogram;
let growth = 0;
let why = '';

beforeAll(async () => {
  for (const row of [...heads, ...bodies, ...connections, ...redirects, ...pages, ...lists])
    await open(row, 'http');
  for (const row of secure) await open(row, 'https');
  const links = hosts.map(({ origin }) => `<a href="${origin}/page">${origin}</a>`);
  start = await startRawServer({ '/': html(story('the start') + links.join(' ')) });
  folder = mkdtempSync(join(tmpdir(), 'freshet-hostile-'));
  const note = (message: string, fields = {}): void =>
    void problems.push(`${message} ${JSON.stringify(fields)}`);
  node = openNode(configOf(), true, { log: { debug() {}, info() {}, warn: note, error: note } });
  await node.seed();
  const before = process.memoryUsage.rss();
  delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const never = new AbortController().signal;
  const budget = { maxPages: null, maxBytes: null, maxTimeMs: null };
  const end = await node.crawl({ concurrency: 32, budget, isWatching: false, stop: never, abort: never });
  delay.disable();
  growth = process.memoryUsage.rss() - before;
  why = end.why;
}, 120_000);

afterAll(async () => {
  await node.close();
  for (const { server } of [...hosts, { server: start }]) await server.close();
  rmSync(folder, { recursive: true });
});

/** A host with a row's page, an honest page that links to it, and an honest one that is linked beside it. */
async function open(row: Row, scheme: string): Promise<void> {
  const isLeft = row.crawled.startsWith('waiting') || row.greeting !== undefined || scheme === 'https';
  const word = isLeft ? null : `honest${hosts.length}word`;
  const link = '<a href="/page">on</a> <a href="/fine">on</a>';
  const honest = {
    '/': html(`${story(`the door of host ${hosts.length}`)}${link}`),
    '/fine': html(story(`${word} and`)),
    '/robots.txt': answer('404 Not Found', {}),
    '/sitemap.xml': answer('404 Not Found', {}),
  };
  const server = await startRawServer({ ...honest, ...row.more, '/page': row.page }, row);
  hosts.push({ row, server, word, origin: `${scheme}://127.0.0.1:${server.port}` });
}

function configOf(): Config {
  const standard = defaultConfig();
  const doors = [start.origin, ...hosts.map(({ origin }) => origin)].map((origin) => `${origin}/`);
  return {
    ...standard,
    sites: [{ start: doors, include: [], exclude: [], sitemaps: 'auto', label: null }],
    scope: { ...standard.scope, maxDepth: 30 },
    politeness: { ...standard.politeness, delayMs: 10, jitter: 0 },
    limits: {
      ...standard.limits,
      ...{ connectMs: 2_000, readMs: 2_000, totalMs: 4_000, maxBodyBytes: 2 * MiB },
      ...{ maxRetries: 0, maxTimeoutRetries: 0 },
    },
    security: { allowPrivate: ['127.0.0.1'] },
    storage: { ...standard.storage, dir: folder },
  };
}

test('it ends by itself, and nothing is wrong with Freshet', () => {
  expect([why, problems]).toEqual(['idle', []]);
});

test('every nasty page has its state and reason', () => {
  const rows = new Map([...node.reports.urls()].map((row) => [row.url, row]));
  const stands = hosts.map(({ row: { name }, origin }) => {
    const row = rows.get(`${origin}/page`);
    return `${name}: ${row?.state}${row?.reason == null ? '' : ` ${row.reason}`}`;
  });
  expect(stands).toEqual(hosts.map(({ row: { name, crawled } }) => `${name}: ${crawled}`));
});

test('every honest page is found', () => {
  const wanted = hosts.filter(({ word }) => word !== null);
  const missed = wanted.filter(({ word, origin }) => {
    const { hits } = node.index.search(parseQuery(word ?? ''), { limit: 5 });
    return !hits.some(({ url }) => url === `${origin}/fine`);
  });
  expect(missed.map(({ row }) => row.name)).toEqual([]);
});

test('sites without end are left', () => {
  const endless = hosts.filter(({ row }) => row.mostRequests !== undefined);
  const tooMany = endless.filter(({ row, server }) => server.requests.length > (row.mostRequests ?? 0));
  expect(tooMany.map(({ row, server }) => [row.name, server.requests.length])).toEqual([]);
});

test('memory and the event loop stay within bounds', () => {
  // Nothing measured would be within any bounds.
  expect(delay.count).toBeGreaterThan(100);
  expect(growth).toBeLessThan(MOST_GROWTH);
  expect(delay.max / 1e6).toBeLessThan(LONGEST_DELAY_MS);
});

/** The web application on interfaces that answer from memory, asked without a socket. */
import type { Snapshot } from '../../src/archive/archive.ts';
import { defaultConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import type { SearchHit, SearchIndex, SearchOptions, SearchResult } from '../../src/search/search-index.ts';
import { openMemoryDatabase } from '../../src/store/database.ts';
import { Submissions } from '../../src/store/submissions.ts';
import { createApp } from '../../src/web/app.tsx';
import type { PageInfo, WebMetrics, WebStatus } from '../../src/web/reads.ts';
import type { Web } from '../../src/web/respond.tsx';

export const NOW: number = Date.UTC(2026, 0, 10, 12);
export const HOUR = 3_600_000;
/** Headers of a browser on this machine. */
export const own = { host: '127.0.0.1:7700' };

export interface World {
  result: SearchResult;
  pages: Map<number, PageInfo>;
  snapshots: Map<number, Snapshot>;
  status: WebStatus;
  metrics: WebMetrics;
  /** In place of giving `result`. */
  search: SearchIndex['search'] | null;
  serve: Partial<Web['config']['serve']>;
  now(): number;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  header(name: string): string | null;
}

export interface WebWorld {
  get(path: string, headers?: Record<string, string>, method?: string, body?: string): Promise<Answer>;
  /** What the application is made of, to be served over sockets. */
  readonly web: Web;
  /** Where pushed URLs are left. */
  readonly inbox: Submissions;
  /** Makes a host known to the crawl. */
  knowHost(host: string): void;
  /** Options of the searches that reached the index. */
  readonly asked: (SearchOptions | undefined)[];
  /** Lines of the log. */
  readonly logged: string[];
}

export function webWorld(change: Partial<World> = {}): WebWorld {
  const page = {
    url: 'https://docs.example.org/guide/',
    title: 'Guide',
    fetchedAt: NOW - HOUR,
    hasSnapshot: true,
  };
  const world: World = {
    result: found([hit()]),
    pages: new Map([[7, page]]),
    snapshots: new Map(),
    status: { documents: 1_204, known: 5_000, lastFetchedAt: NOW - 60_000 },
    metrics: noMetrics,
    search: null,
    serve: {},
    now: () => NOW,
    ...change,
  };
  const db = openMemoryDatabase();
  const inbox = new Submissions(db);
  const asked: (SearchOptions | undefined)[] = [];
  const logged: string[] = [];
  const search: SearchIndex['search'] = (query, options) => {
    asked.push(options);
    return world.search === null ? world.result : world.search(query, options);
  };
  const web: Web = {
    index: {
      write() {},
      count: () => world.status.documents,
      search,
      document: () => null,
      isElsewhere: () => false,
    },
    archive: { write() {}, read: (id) => world.snapshots.get(id) ?? null },
    inbox,
    reads: {
      page: (id) => world.pages.get(id) ?? null,
      status: () => world.status,
      metrics: () => world.metrics,
    },
    clock: { now: () => world.now() },
    log: createLog({ level: 'debug', format: 'json', stream: { write: (line) => logged.push(line) } }),
    config: {
      ...defaultConfig(),
      serve: { ...defaultConfig().serve, port: 0, ...world.serve },
      name: 'Example <search>',
      sites: [
        { start: ['https://docs.example.org/'], include: [], exclude: [], sitemaps: 'auto', label: 'Docs' },
      ],
    },
  };
  const app = createApp(web);
  return {
    web,
    asked,
    logged,
    inbox,
    knowHost: (host) => void db.prepare('INSERT INTO host (name, known) VALUES (?, 1)').run(host),
    async get(path, headers = own, method = 'GET', body) {
      const response = await app.request(path, { method, headers, ...(body === undefined ? {} : { body }) });
      const text = await response.text();
      return { status: response.status, text, header: (name) => response.headers.get(name) };
    },
  };
}

export const noMetrics: WebMetrics = {
  documents: 0,
  states: [],
  overdue: 0,
  held: 0,
  freshness: {
    expectedCurrent: null,
    meanAgeMs: null,
    budget: null,
    planned: 0,
    looks: 0,
    wasted: 0,
    savedBytes: 0,
    curve: [],
  },
};

export function found(hits: readonly SearchHit[], total: number = hits.length): SearchResult {
  return { hits, total, isTotalExact: true, hasMore: total > hits.length, isRelaxed: false };
}

export function hit(fields: Partial<SearchHit> = {}): SearchHit {
  return {
    id: 7,
    url: 'https://docs.example.org/guide/',
    host: 'docs.example.org',
    title: 'Installing the guide',
    snippet: 'run the install script',
    marks: [[8, 15]],
    titleMarks: [[0, 10]],
    language: 'en',
    score: 1,
    fetchedAt: NOW - 2 * HOUR,
    changedAt: NOW - 72 * HOUR,
    hasSnapshot: true,
    duplicates: [],
    similar: 0,
    ...fields,
  };
}

export function snapshot(body: string, fields: Partial<Snapshot> = {}): Snapshot {
  return {
    url: 'https://docs.example.org/guide/',
    at: NOW - 24 * HOUR,
    status: 200,
    headers: [['Content-Type', 'text/html']],
    remoteAddress: null,
    encoding: 'utf-8',
    bytes: new TextEncoder().encode(body),
    ...fields,
  };
}

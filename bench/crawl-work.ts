/** One crawl in a process of its own, put together as node.ts does, with or without index and archive. */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteArchive } from '../src/archive/sqlite.ts';
import { systemClock, systemRandom } from '../src/clock.ts';
import { defaultConfig } from '../src/config.ts';
import { createCommitter } from '../src/crawl/committer.ts';
import { crawl } from '../src/crawl/crawler.ts';
import { admitter } from '../src/crawl/gate.ts';
import { defaultRefreshPolicy, defaultRetryPolicy } from '../src/crawl/policy.ts';
import { SeenBodies } from '../src/crawl/seen-bodies.ts';
import { gateOf } from '../src/crawl/sites.ts';
import { QueryVariants } from '../src/crawl/variants.ts';
import { visit } from '../src/crawl/visit.ts';
import { HttpDownloader } from '../src/fetch/http.ts';
import { defaultFetchLimits } from '../src/fetch/limits.ts';
import { DnsResolver } from '../src/fetch/resolver.ts';
import { SqliteFrontier } from '../src/frontier/sqlite.ts';
import { RobotsCache } from '../src/robots/cache.ts';
import { DEFAULT_ROBOTS_POLICY } from '../src/robots/policy.ts';
import { SqliteSearchIndex } from '../src/search/sqlite.ts';
import { DATABASE_FILE, openDatabase } from '../src/store/database.ts';
import { transactionOf } from '../src/store/unit-of-work.ts';
import { ReaderPool } from '../src/threads/reader-pool.ts';
import { parseAllowList } from '../src/url/address.ts';

export interface CrawlWork {
  readonly startUrls: readonly string[];
  readonly keeps: 'state only' | 'index and archive';
}

export interface Crawled {
  readonly pages: number;
  readonly diskBytes: number;
  /** The most files and sockets open at once; 0 where the system does not tell. */
  readonly descriptors: number;
}

/** Open files are counted every so many pages. */
const PAGES_A_LOOK = 50;
const DESCRIPTORS = '/proc/self/fd';
/** More than the 80 slots of 40 hosts, so that nothing but politeness bounds the visits. */
const CONCURRENCY = 128;
const nothing = { write: () => undefined, document: () => null, isElsewhere: () => false };

export async function work({ startUrls, keeps }: CrawlWork): Promise<Crawled> {
  const dir = mkdtempSync(join(tmpdir(), 'freshet-bench-'));
  const db = openDatabase(dir);
  try {
    const config = { ...defaultConfig(), security: { allowPrivate: ['127.0.0.1'] } };
    const gate = gateOf(config, [
      { start: startUrls, include: [], exclude: [], sitemaps: 'auto', label: null },
    ]);
    const clock = systemClock;
    const frontier = new SqliteFrontier(db, { clock, policy: { delayMs: 0, maxDepth: 100 } });
    const robots = new RobotsCache(db, 'freshet', DEFAULT_ROBOTS_POLICY);
    const downloader = new HttpDownloader({
      userAgent: 'freshet-bench',
      limits: defaultFetchLimits,
      allow: parseAllowList(config.security.allowPrivate),
      resolver: new DnsResolver(clock),
      clock,
      connectionsPerOrigin: 2,
    });
    const isKeeping = keeps === 'index and archive';
    const index = isKeeping ? new SqliteSearchIndex(db) : nothing;
    const archive = isKeeping ? new SqliteArchive(db, { keep: 5 }) : nothing;
    const policy = {
      schedule: 'optimal' as const,
      refresh: defaultRefreshPolicy,
      retry: defaultRetryPolicy,
      maxRedirects: 5,
      productToken: 'freshet',
    };
    const seen = { seenBodies: new SeenBodies(), variants: new QueryVariants() };
    const submissions = { waiting: () => [], write: () => undefined };
    const known = { frontier, robots, gate, admitLink: admitter(gate), policy, submissions, index };
    const script = isKeeping ? '../src/threads/reader-thread.js' : './page-thread.js';
    const reader = new ReaderPool(new URL(script, import.meta.url), clock, 1);
    const parts = { downloader, reader, ...known, ...seen, clock, random: systemRandom };
    await frontier.add(
      startUrls.map((url) => ({ url, depth: 0, priority: 0, redirects: 0, referrerId: null })),
    );
    let pages = 0;
    let descriptors = 0;
    const never = new AbortController().signal;
    await crawl(
      {
        frontier,
        committer: createCommitter({ archive, index, robots, submissions, frontier }, transactionOf(db)),
        visit: (request, signal) => visit(request, parts, signal),
        collect: () => undefined,
        clock,
      },
      {
        concurrency: CONCURRENCY,
        budget: { maxPages: null, maxBytes: null, maxTimeMs: null },
        isWatching: false,
        stop: never,
        abort: never,
        onOutcome: (outcome) => {
          if (outcome.outcome === 'UPDATED') pages++;
          if (pages % PAGES_A_LOOK === 0) descriptors = Math.max(descriptors, openDescriptors());
        },
      },
    );
    await downloader.close();
    await reader.close();
    return { pages, diskBytes: statSync(join(dir, DATABASE_FILE)).size, descriptors };
  } finally {
    db.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

function openDescriptors(): number {
  return existsSync(DESCRIPTORS) ? readdirSync(DESCRIPTORS).length : 0;
}

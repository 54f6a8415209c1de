/** Plain records to start tests from. */
import { newCrawl, newHost } from '../../src/crawl/freshness/memory.ts';
import type { CrawlRequest, PageRecord, Surroundings } from '../../src/types.ts';

/** A URL that was never fetched, changed as the test wants. */
export function newRecord(changes: Partial<PageRecord> = {}): PageRecord {
  return {
    id: 1,
    url: 'https://site.test/page',
    host: 'site.test',
    kind: 'page',
    depth: 0,
    priority: 0,
    redirects: 0,
    state: 'waiting',
    reason: null,
    status: null,
    etag: null,
    lastModified: null,
    requestUrl: null,
    redirectTo: null,
    firstSeenAt: 0,
    fetchedAt: null,
    changedAt: null,
    visits: 0,
    changes: 0,
    unchanged: 0,
    failures: 0,
    missing: 0,
    intervalMs: 0,
    contentHash: null,
    extractorVersion: 0,
    bodyBytes: 0,
    lookedAt: null,
    evidence: { changes: 0, days: 0 },
    volatility: 'unknown',
    changesInRow: 0,
    signalledAt: null,
    ...changes,
  };
}

/** Where nothing is known yet. */
export const unknownWorld: Surroundings = {
  host: newHost,
  crawl: newCrawl,
  bounds: { leastMs: 1_800_000, mostMs: 90 * 86_400_000 },
};

/** A loan of that record. */
export function loanOf(record: PageRecord, lease = 600_000): CrawlRequest {
  return { record, around: unknownWorld, lease, isNew: record.fetchedAt === null };
}

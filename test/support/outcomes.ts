/** Links and visit outcomes for tests of the frontier. */
import type { CrawlRequest, HostEffect, Link, VisitOutcome } from '../../src/types.ts';

export function link(url: string, changes: Partial<Link> = {}): Link {
  return { url, depth: 0, priority: 0, redirects: 0, referrerId: null, ...changes };
}

/** `count` links `http://host/1` … */
export function links(host: string, count: number, changes: Partial<Link> = {}): Link[] {
  return Array.from({ length: count }, (_, index) => link(`http://${host}/${index + 1}`, changes));
}

/** The outcome of a visit that found new content at `at`, changed as the test wants. */
export function fetched(
  request: CrawlRequest,
  at: number,
  changes: Partial<Omit<VisitOutcome, 'hostEffect'>> & { hostEffect?: Partial<HostEffect> } = {},
): VisitOutcome {
  const { record } = request;
  return {
    request,
    outcome: 'UPDATED',
    reason: null,
    record: { ...record, state: 'indexed', status: 200, fetchedAt: at, visits: record.visits + 1 },
    nextVisitAt: null,
    notBefore: null,
    links: [],
    refused: {},
    refusedSamples: [],
    replacesLinks: true,
    document: { action: 'keep' },
    capture: null,
    head: null,
    robots: null,
    bytes: 0,
    savedBytes: 0,
    ...changes,
    hostEffect: {
      host: record.host,
      requestedAt: at,
      healthy: true,
      restUntil: null,
      crawlDelayMs: undefined,
      ...changes.hostEffect,
    },
  };
}

/** The outcome of a visit that made no request for its page. */
export function putOff(request: CrawlRequest, notBefore: number | null = null): VisitOutcome {
  return fetched(request, 0, {
    outcome: 'DEFERRED',
    record: request.record,
    notBefore,
    replacesLinks: false,
    hostEffect: { requestedAt: null, healthy: null },
  });
}

/** The outcome of a visit whose server failed at `at`; the URL is tried again at `nextVisitAt`. */
export function failed(
  request: CrawlRequest,
  at: number,
  nextVisitAt: number | null,
  hostEffect: Partial<HostEffect> = {},
): VisitOutcome {
  const { record } = request;
  return fetched(request, at, {
    outcome: 'ERROR',
    reason: 'http.5xx',
    record: { ...record, state: 'failed', reason: 'http.5xx', status: 503, failures: record.failures + 1 },
    nextVisitAt,
    replacesLinks: false,
    hostEffect: { healthy: false, ...hostEffect },
  });
}

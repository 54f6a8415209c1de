/**
 * A visit whose one request goes to robots.txt, because nothing may be asked of an origin before (RFC 9309 2.3). The page
 * that caused it keeps its place in the frontier. Each hop of a redirected robots.txt is a visit of its own, so every
 * request rests its host.
 */
import type { Clock } from '../clock.ts';
import type { Downloader } from '../fetch/downloader.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { RobotsSource } from '../robots/robots-source.ts';
import type {
  CrawlRequest,
  FetchResult,
  HostEffect,
  PageRecord,
  RobotsRecord,
  VisitOutcome,
} from '../types.ts';
import { queueKey } from '../url/site.ts';
import { askedRest, hostHealth } from './findings.ts';
import type { Gate } from './gate.ts';
import { sitemapsOf } from './lists.ts';

export interface RobotsVisitParts {
  readonly downloader: Downloader;
  readonly frontier: Pick<Frontier, 'takeTurn'>;
  readonly robots: RobotsSource;
  readonly gate: Gate;
  readonly clock: Clock;
}

/**
 * How much of a robots.txt is taken, whatever the limit for pages; a longer one is cut here and then to what RFC 9309 2.5
 * wants parsed. Room for the rare one that comes packed without being asked for so.
 */
const MAX_BODY_BYTES = 5 * 1024 * 1024;

/** Fetches robots.txt for the origin of a request from `fetchUrl`, and gives the request its place back. */
export async function visitRobots(
  request: CrawlRequest,
  fetchUrl: string,
  parts: RobotsVisitParts,
  signal: AbortSignal,
): Promise<VisitOutcome> {
  const { origin } = new URL(request.record.url);
  const claim = parts.robots.claim(origin);
  if (!claim.isMine) {
    await claim.done;
    return deferred(request);
  }
  let result: FetchResult | null = null;
  let robots: RobotsRecord | null = null;
  try {
    const host = queueKey(fetchUrl);
    const waitMs = host === request.record.host ? 0 : await parts.frontier.takeTurn(host);
    if (waitMs > 0) return deferred(request, parts.clock.now() + waitMs);
    const validators = parts.robots.validators(origin, fetchUrl);
    result = await parts.downloader.fetch(
      {
        url: fetchUrl,
        accept: 'text/plain, */*;q=0.1',
        takesStart: true,
        maxBodyBytes: MAX_BODY_BYTES,
        ...validators,
      },
      signal,
    );
  } finally {
    // A request that was broken off says nothing about the site.
    robots = parts.robots.settle(origin, fetchUrl, signal.aborted ? null : result, parts.clock.now());
  }
  const isDecided = robots !== null && (robots.state === 'rules' || robots.state === 'none');
  // A hop to another host was paid for by taking that host's turn, and tells nothing of the health of our own.
  const isOwnHost = queueKey(fetchUrl) === request.record.host;
  return {
    ...deferred(request),
    ...(isDecided ? sitemapsOf(request.record, parts.robots.sitemaps(origin), parts.gate) : {}),
    robots,
    bytes: result.head?.wireBytes ?? 0,
    head: result.head,
    hostEffect: {
      host: request.record.host,
      requestedAt: isOwnHost ? startOf(result) : null,
      healthy: isOwnHost ? hostHealth(result) : null,
      // A wait named with robots.txt is a wish of the host, so its other origins and rules still in force wait as well.
      restUntil: isOwnHost ? askedRest(result, parts.clock.now()) : null,
      crawlDelayMs:
        robots === null || robots.state === 'redirecting' ? undefined : parts.robots.crawlDelayMs(robots),
    },
  };
}

/** An outcome that changes nothing: the URL keeps its place, not before `notBefore` when given. */
export function deferred(request: CrawlRequest, notBefore: number | null = null): VisitOutcome {
  return {
    request,
    outcome: 'DEFERRED',
    reason: 'wait.robots',
    record: request.record,
    nextVisitAt: null,
    notBefore,
    links: [],
    refused: {},
    refusedSamples: [],
    replacesLinks: false,
    document: { action: 'keep' },
    capture: null,
    head: null,
    robots: null,
    hostEffect: {
      host: request.record.host,
      requestedAt: null,
      healthy: null,
      restUntil: null,
      crawlDelayMs: undefined,
    },
    bytes: 0,
    savedBytes: 0,
  };
}

/** What an answer teaches about the host of the record it was asked for. */
export function hostEffect(record: PageRecord, result: FetchResult, restUntil: number | null): HostEffect {
  return {
    host: record.host,
    requestedAt: startOf(result),
    healthy: hostHealth(result),
    restUntil,
    crawlDelayMs: undefined,
  };
}

/** When a request was started; null when none left this machine. */
function startOf(result: FetchResult): number | null {
  if (result.kind !== 'failed') return result.head.startedAt;
  return result.wasSent ? result.startedAt : null;
}

/**
 * What an answer to a robots.txt request means (RFC 9309 2.3 and 2.4), and what the record of an origin says about a
 * URL. Pure: the caller makes the requests, one per visit, and stores the records.
 *
 * 2xx: rules · 3xx: one hop more, up to five, judged for the origin that was asked first · 4xx: no limits ·
 * 429, 5xx and every failure of the network: everything is disallowed, unless rules known before are fresh enough to
 * go on with. RFC 9309 would allow crawling freely after 30 days without an answer; Freshet never does: a site that
 * cannot say what it wants is left alone, and asked again at most once an hour.
 */
import { retryAfterMs } from '../fetch/http-date.ts';
import type { ReasonCode } from '../reasons.ts';
import type { FetchResult, HeaderList, ResponseHead, RobotsRecord } from '../types.ts';
import { clipRobots, type RuleLine } from './parse.ts';
import type { RobotsRulesCache } from './rules-cache.ts';

export interface RobotsPolicy {
  /** An answer is used so long. RFC 9309 2.4: not more than 24 hours. */
  readonly freshMs: number;
  /** Cache-Control max-age may shorten that, but not below this: robots.txt is not asked for before every page. */
  readonly minFreshMs: number;
  /** While robots.txt is unreachable, rules are used so much longer than `freshMs` after their last confirmation. */
  readonly staleMs: number;
  /** First retry of an unreachable robots.txt; doubles with each failure up to `maxRetryMs`. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
  /** Redirects followed. RFC 9309 2.3.1.2: at least five. */
  readonly maxHops: number;
}

export const DEFAULT_ROBOTS_POLICY: RobotsPolicy = {
  freshMs: 24 * 3_600_000,
  minFreshMs: 60_000,
  staleMs: 24 * 3_600_000,
  retryMs: 60_000,
  maxRetryMs: 3_600_000,
  maxHops: 5,
};

/** May the URL be requested? */
export type RobotsVerdict =
  | { readonly kind: 'allowed'; readonly rule: RuleLine | null }
  | {
      readonly kind: 'disallowed';
      /** `robots.disallow`; or `robots.unreachable` or `safety.…` when there are no rules to judge by. */
      readonly reason: ReasonCode;
      readonly rule: RuleLine | null;
      /** When robots.txt will be asked for again: the verdict holds until then. */
      readonly retryAt: number;
    }
  /** robots.txt must be requested first, at `fetchUrl`: never asked, expired, or in the middle of a redirect. */
  | { readonly kind: 'unknown'; readonly fetchUrl: string };

/** Judges an absolute URL by the record of its origin; `rules` knows the product token. */
export function robotsVerdict(
  record: RobotsRecord | null,
  url: string,
  rules: RobotsRulesCache,
  nowMs: number,
): RobotsVerdict {
  if (record === null || nowMs >= record.expiresAt)
    return { kind: 'unknown', fetchUrl: robotsUrl(new URL(url).origin) };
  switch (record.state) {
    case 'redirecting':
      return { kind: 'unknown', fetchUrl: record.next ?? robotsUrl(record.origin) };
    case 'none':
      return { kind: 'allowed', rule: null };
    case 'unreachable': {
      const reason = record.reason?.startsWith('safety.') ? record.reason : 'robots.unreachable';
      return { kind: 'disallowed', reason, rule: null, retryAt: record.expiresAt };
    }
    case 'rules': {
      const known = rules.rulesFor(record);
      const rule = known.matchingRule(url);
      if (known.isAllowed(url)) return { kind: 'allowed', rule };
      return { kind: 'disallowed', reason: 'robots.disallow', rule, retryAt: record.expiresAt };
    }
  }
}

/**
 * The record after a request for robots.txt of `origin` that went to `requestedUrl` (the `fetchUrl` of the verdict).
 * `previous` is the record that verdict was made from.
 */
export function robotsAfter(
  previous: RobotsRecord | null,
  origin: string,
  requestedUrl: string,
  result: FetchResult,
  nowMs: number,
  policy: RobotsPolicy = DEFAULT_ROBOTS_POLICY,
): RobotsRecord {
  const isNextHop = previous?.state === 'redirecting' && previous.next === requestedUrl;
  const answer: RobotsRecord = {
    origin,
    state: 'none',
    status: result.head?.status ?? null,
    reason: null,
    body: null,
    headers: result.head?.headers ?? [],
    next: null,
    hops: isNextHop ? previous.hops : 0,
    fetchedAt: nowMs,
    expiresAt: nowMs + freshness(result.head, policy),
    confirmedAt: null,
    failures: 0,
  };
  const failed = (reason: ReasonCode): RobotsRecord => afterFailure(previous, answer, reason, policy);

  switch (result.kind) {
    case 'ok':
      return { ...answer, state: 'rules', body: clipRobots(result.body.bytes), confirmedAt: nowMs };
    case 'not-modified':
      if (previous?.state !== 'rules') return failed('http.unexpected');
      return {
        ...previous,
        reason: null,
        fetchedAt: nowMs,
        confirmedAt: nowMs,
        expiresAt: answer.expiresAt,
        failures: 0,
      };
    case 'redirect':
      return afterRedirect(previous, answer, redirectTarget(result.location, requestedUrl), policy);
    case 'http-error':
      if (result.head.status === 429) return failed('http.429');
      if (result.head.status >= 500) return failed(result.head.status < 600 ? 'http.5xx' : 'http.unexpected');
      return answer;
    case 'failed':
      return failed(result.reason);
  }
}

/**
 * Validators to request `fetchUrl` with. Only for rules that came straight from there: those of a redirect's target
 * mean nothing to the URL that redirects.
 */
export function robotsValidators(
  record: RobotsRecord | null,
  fetchUrl: string,
): { etag: string | null; lastModified: string | null } {
  if (record?.state !== 'rules' || record.hops > 0 || fetchUrl !== robotsUrl(record.origin)) {
    return { etag: null, lastModified: null };
  }
  return { etag: header(record.headers, 'etag'), lastModified: header(record.headers, 'last-modified') };
}

/** Where robots.txt of an origin is. */
export function robotsUrl(origin: string): string {
  return `${origin}/robots.txt`;
}

/** A robots.txt that redirects too often, or to nowhere, counts as unavailable (2.3.1.2): no limits. */
function afterRedirect(
  previous: RobotsRecord | null,
  answer: RobotsRecord,
  next: string | null,
  policy: RobotsPolicy,
): RobotsRecord {
  if (next === null) return { ...answer, reason: 'redirect.invalid' };
  if (answer.hops >= policy.maxHops) return { ...answer, reason: 'redirect.limit' };
  return {
    ...answer,
    state: 'redirecting',
    next,
    hops: answer.hops + 1,
    expiresAt: answer.fetchedAt + policy.freshMs,
    // Kept in case a later hop fails.
    body: previous?.body ?? null,
    confirmedAt: previous?.confirmedAt ?? null,
    failures: previous?.failures ?? 0,
  };
}

function afterFailure(
  previous: RobotsRecord | null,
  answer: RobotsRecord,
  reason: ReasonCode,
  policy: RobotsPolicy,
): RobotsRecord {
  const now = answer.fetchedAt;
  const failures = (previous?.failures ?? 0) + 1;
  const backoff = Math.min(policy.retryMs * 2 ** (failures - 1), policy.maxRetryMs);
  const asked = retryAfterMs(header(answer.headers, 'retry-after') ?? '', now) ?? 0;
  const retryAt = now + Math.min(Math.max(backoff, asked), policy.freshMs);

  if (previous?.body != null && previous.confirmedAt !== null) {
    const usableUntil = previous.confirmedAt + policy.freshMs + policy.staleMs;
    if (now < usableUntil) {
      const expiresAt = Math.min(retryAt, usableUntil);
      return { ...previous, state: 'rules', reason, next: null, fetchedAt: now, expiresAt, failures };
    }
  }
  return { ...answer, state: 'unreachable', reason, expiresAt: retryAt, failures };
}

/** How long an answer is used: the policy's time, or the server's max-age when that is shorter. */
function freshness(head: ResponseHead | null, policy: RobotsPolicy): number {
  const seconds = /(?:^|[\s,])max-age="?(\d+)/i.exec(header(head?.headers ?? [], 'cache-control') ?? '')?.[1];
  if (seconds === undefined) return policy.freshMs;
  return Math.min(policy.freshMs, Math.max(policy.minFreshMs, Number(seconds) * 1000));
}

function redirectTarget(location: string | null, base: string): string | null {
  if (location === null) return null;
  try {
    const url = new URL(location, base);
    url.hash = '';
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}

function header(headers: HeaderList, name: string): string | null {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? null;
}

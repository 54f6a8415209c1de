/** When to come back. Pure arithmetic on what is remembered of a page. */
import type { Random } from '../clock.ts';
import type { ReasonCode } from '../reasons.ts';
import type { UrlKind } from '../types.ts';
import type { RefreshPolicy, RetryPolicy } from './policy.ts';

/** What a visit found out about a page's content. */
export type Change = 'first' | 'changed' | 'unchanged';

/**
 * The adaptive rule (R21): unchanged × 1.5, changed × 0.5, within the bounds; the first fetch is not a change.
 * Returns the new interval in milliseconds.
 */
export function nextInterval(intervalMs: number, change: Change, policy: RefreshPolicy): number {
  if (change === 'first') return clamp(policy.initialMs, policy);
  const factor = change === 'changed' ? policy.changedFactor : policy.unchangedFactor;
  return clamp(intervalMs * factor, policy);
}

/** Lists tell of new and changed pages, so they are not left for long; a request that is answered 304 costs little. */
const SITEMAP_MAX_MS = 86_400_000;
const FEED_MAX_MS = 7_200_000;

/** The rule for a kind of URL: sitemaps are read once a day at least, feeds every two hours, beginning at the shortest interval. */
export function refreshOf(kind: UrlKind, policy: RefreshPolicy): RefreshPolicy {
  if (kind === 'page') return policy;
  const isFeed = kind === 'feed';
  const maxMs = Math.max(policy.minMs, Math.min(policy.maxMs, isFeed ? FEED_MAX_MS : SITEMAP_MAX_MS));
  return { ...policy, maxMs, initialMs: isFeed ? policy.minMs : policy.initialMs };
}

/** The instant of a planned visit: `intervalMs` from now, moved by up to ± `jitter` of it. */
export function plannedAt(nowMs: number, intervalMs: number, jitter: number, random: Random): number {
  return Math.round(nowMs + intervalMs * (1 + jitter * (2 * random() - 1)));
}

/** What to do about a failed request. */
export interface RetryPlan {
  /** False: the tries are used up; the URL is in the failure list until its next try. */
  readonly isRetry: boolean;
  readonly waitMs: number;
  /** The server named a wait beyond the limit: its whole host sleeps and the try does not count (R12). */
  readonly hostSleeps: boolean;
}

/**
 * Decides the next try after `failures` earlier failures in a row (0 for the first).
 * `retryAfterMs` is what the server asked for, null when it did not.
 */
export function planRetry(
  reason: ReasonCode,
  failures: number,
  retryAfterMs: number | null,
  policy: RetryPolicy,
  refresh: RefreshPolicy,
  random: Random,
): RetryPlan {
  if (retryAfterMs !== null && retryAfterMs > policy.retryAfterMaxMs) {
    return { isRetry: true, waitMs: Math.min(retryAfterMs, refresh.maxMs), hostSleeps: true };
  }
  if (failures < triesFor(reason, policy)) {
    // "Equal jitter": at least the computed wait, up to a quarter more, so that retries spread but never come early.
    const computed = Math.min(policy.baseMs * 2 ** failures, policy.maxWaitMs) * (1 + random() / 4);
    return { isRetry: true, waitMs: Math.round(retryAfterMs ?? computed), hostSleeps: false };
  }
  const beyond = failures - triesFor(reason, policy);
  const waitMs = Math.min(policy.failedRecheckMs * 2 ** Math.min(beyond, 20), refresh.maxMs);
  return { isRetry: false, waitMs, hostSleeps: false };
}

function triesFor(reason: ReasonCode, policy: RetryPolicy): number {
  switch (reason) {
    case 'http.429':
    case 'http.5xx':
    case 'http.4xx':
    case 'net.reset':
    case 'net.truncated':
      return policy.retries;
    case 'net.timeout':
    case 'net.connect':
    case 'safety.dns':
      return policy.timeoutRetries;
    default:
      return 0; // TLS, protocol, coding and internal errors do not mend themselves within a minute
  }
}

function clamp(intervalMs: number, policy: RefreshPolicy): number {
  return Math.round(Math.min(Math.max(intervalMs, policy.minMs), policy.maxMs));
}

/** What answers without a page in them mean, as findings for the life cycle. Pure. */
import { headerValue } from '../fetch/headers.ts';
import { retryAfterMs } from '../fetch/http-date.ts';
import type { ReasonCode } from '../reasons.ts';
import type { FetchResult } from '../types.ts';
import type { Finding } from './lifecycle.ts';

/** A finding that the page is not to be had; `isCertain` when the site said so in words. */
export function lost(
  outcome: Extract<Finding, { kind: 'lost' }>['outcome'],
  reason: ReasonCode | null,
  status: number | null,
  isCertain = false,
): Finding {
  return { kind: 'lost', outcome, reason, status, redirectTo: null, isCertain };
}

/** What a status without content means (R12, R20, R23). */
export function statusFinding(result: Extract<FetchResult, { kind: 'http-error' }>, nowMs: number): Finding {
  const { status, headers } = result.head;
  const again = (reason: ReasonCode): Finding => {
    const asked = headerValue(headers, 'retry-after');
    return {
      kind: 'error',
      reason,
      status,
      retryAfterMs: asked === null ? null : retryAfterMs(asked, nowMs),
    };
  };
  if (status === 404) return lost('NOT_FOUND', 'http.404', status);
  if (status === 410) return lost('GONE', 'http.410', status, true);
  if (status === 401 || status === 407) return lost('BLOCKED', 'http.401', status);
  if (status === 403 || status === 451) return lost('BLOCKED', 'http.403', status);
  if (status === 429) return again('http.429');
  // Request Timeout and Too Early ask to be repeated (RFC 9110 15.5.9, RFC 8470 5.2).
  if (status === 408 || status === 425) return again('http.4xx');
  if (status >= 400 && status < 500) return lost('BLOCKED', 'http.4xx', status);
  if (status >= 500 && status < 600) return again('http.5xx');
  return again('http.unexpected');
}

/** Until when a host asks with its answer to be left alone; null when it names no wait. */
export function askedRest(result: FetchResult, nowMs: number): number | null {
  const finding = result.kind === 'http-error' ? statusFinding(result, nowMs) : null;
  return finding?.kind === 'error' && finding.retryAfterMs !== null ? nowMs + finding.retryAfterMs : null;
}

/** What a request without a usable answer means. */
export function failureFinding(result: Extract<FetchResult, { kind: 'failed' }>): Finding {
  const status = result.head?.status ?? null;
  switch (result.reason) {
    // Properties of the page or of our rules, not of the moment: trying again at once would bring the same.
    case 'content.size':
    case 'content.type':
    case 'safety.private':
    case 'safety.scheme':
    case 'safety.host':
    case 'safety.port':
      return lost('BLOCKED', result.reason, status);
    default:
      return { kind: 'error', reason: result.reason, status, retryAfterMs: null };
  }
}

/** Endings that are the fault of one page, or of whatever makes it; they say nothing about the host. */
const silentReasons: ReadonlySet<ReasonCode> = new Set(['net.headers', 'net.protocol', 'http.unexpected']);
/** Endings of a host that answers well. */
const healthyReasons: ReadonlySet<ReasonCode> = new Set(['content.size', 'content.type', 'content.encoding']);

/** Was the host well, as far as this answer tells? Drives its back-off (R13). Null: no statement. */
export function hostHealth(result: FetchResult): boolean | null {
  if (result.kind === 'failed') {
    if (!result.wasSent || silentReasons.has(result.reason)) return null;
    return healthyReasons.has(result.reason);
  }
  const { status } = result.head;
  if (status >= 600) return null;
  return status !== 429 && status < 500;
}

/** A bug while handling one page is that page's failure (R18): logged with its cause, counted, tried again much later. */
import type { Clock, Random } from '../clock.ts';
import type { Log } from '../log.ts';
import type { CrawlRequest, VisitOutcome } from '../types.ts';
import { settle } from './lifecycle.ts';
import type { VisitPolicy } from './policy.ts';
import { deferred } from './visit-robots.ts';

export interface SafetyParts {
  readonly policy: VisitPolicy;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

type Visit = (request: CrawlRequest, signal: AbortSignal) => Promise<VisitOutcome>;

/** Wraps a visit so that it never rejects. */
export function safely(visit: Visit, parts: SafetyParts): Visit {
  return async (request, signal) => {
    try {
      return await visit(request, signal);
    } catch (error) {
      parts.log.error('visit failed', { url: request.record.url, error });
      const nowMs = parts.clock.now();
      const finding = { kind: 'error', reason: 'internal.error', status: null, retryAfterMs: null } as const;
      const settled = settle(request, finding, parts.policy, nowMs, parts.random);
      const kept = deferred(request);
      return {
        ...kept,
        outcome: settled.outcome,
        reason: 'internal.error',
        record: settled.record,
        nextVisitAt: settled.nextVisitAt,
        // A request may have been sent before the failure.
        hostEffect: { ...kept.hostEffect, requestedAt: nowMs },
      };
    }
  };
}

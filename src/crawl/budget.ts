/** What a run may spend, and which limit it met first (R3). Pure. */
import type { ReasonCode } from '../reasons.ts';
import type { VisitOutcome } from '../types.ts';

/** Limits of one run; null: none. */
export interface Budget {
  /** Requests for pages, of a crawl that stays first ones only; robots.txt, sitemaps and feeds do not count. */
  readonly maxPages: number | null;
  /** Body bytes received. */
  readonly maxBytes: number | null;
  readonly maxTimeMs: number | null;
}

export interface Spent {
  readonly pages: number;
  readonly bytes: number;
}

export const unspent: Spent = { pages: 0, bytes: 0 };

/**
 * Adds what these outcomes cost. A crawl that stays comes back to its pages for as long as it lives, as often as the budget of
 * visits a day admits (crawl/freshness/price.ts): only pages it had never visited count towards its end.
 */
export function spend(spent: Spent, outcomes: readonly VisitOutcome[], isWatching: boolean): Spent {
  const counted = outcomes.filter(
    (outcome) => isPageRequest(outcome) && (!isWatching || outcome.request.isNew),
  );
  return {
    pages: spent.pages + counted.length,
    bytes: outcomes.reduce((sum, outcome) => sum + outcome.bytes, spent.bytes),
  };
}

/** The limit that is spent, null when there is room. */
export function spentLimit(spent: Spent, budget: Budget, elapsedMs: number): ReasonCode | null {
  if (budget.maxPages !== null && spent.pages >= budget.maxPages) return 'limit.pages';
  if (budget.maxBytes !== null && spent.bytes >= budget.maxBytes) return 'limit.bytes';
  if (budget.maxTimeMs !== null && elapsedMs >= budget.maxTimeMs) return 'limit.time';
  return null;
}

function isPageRequest(outcome: VisitOutcome): boolean {
  const { record } = outcome;
  return record.kind === 'page' && outcome.outcome !== 'DEFERRED' && outcome.hostEffect.requestedAt !== null;
}

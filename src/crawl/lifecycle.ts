/**
 * The life of a page as one pure function: what a visit found × what is remembered → what is remembered next, when to
 * come back, and what happens to its document.
 *
 * A good document goes at once only when the site says so in words (410, noindex). Everything else that looks like a
 * loss (404, a redirect elsewhere, a login, an empty page) must be found `strikes` times in a row, on a short schedule of
 * its own (R23); so must content that is hardly there any more, before it takes the document's place. Errors change neither
 * interval nor document.
 */
import type { Random } from '../clock.ts';
import type { ReasonCode } from '../reasons.ts';
import type { CrawlRequest, Outcome, PageRecord, PageState, UrlKind } from '../types.ts';
import { comeBack, type Terms } from './come-back.ts';
import type { VisitPolicy } from './policy.ts';
import { type Change, nextInterval, plannedAt, planRetry } from './schedule.ts';

/** What a visit found, without the details of how. */
export type Finding =
  | Content
  /** Content that is hardly there any more: believed when it is found `strikes` times in a row. */
  | { readonly kind: 'doubted'; readonly reason: ReasonCode; readonly content: Content }
  | { readonly kind: 'unchanged'; readonly etag: string | null; readonly lastModified: string | null }
  | {
      readonly kind: 'lost';
      readonly outcome: 'NOT_FOUND' | 'GONE' | 'REDIRECTED' | 'BLOCKED';
      readonly reason: ReasonCode | null;
      readonly status: number | null;
      readonly redirectTo: string | null;
      /** The site said so in words: no second look is needed. */
      readonly isCertain: boolean;
    }
  | {
      readonly kind: 'error';
      readonly reason: ReasonCode;
      readonly status: number | null;
      readonly retryAfterMs: number | null;
    };

/** A page, or a list, with something in it. */
export interface Content {
  readonly kind: 'content';
  readonly status: number;
  readonly contentHash: string;
  readonly extractorVersion: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface Settlement {
  readonly outcome: Outcome;
  readonly record: PageRecord;
  readonly nextVisitAt: number;
  readonly document: 'put' | 'remove' | 'keep';
  /** The whole host should rest until then; null: no wish. */
  readonly restUntil: number | null;
}

/** Settles what a finding means for a page at `nowMs`. */
export function settle(
  { record, around }: Pick<CrawlRequest, 'record' | 'around'>,
  finding: Finding,
  policy: VisitPolicy,
  nowMs: number,
  random: Random,
): Settlement {
  const terms: Terms = { ...policy, around };
  switch (finding.kind) {
    case 'content':
      return settleContent(record, finding, terms, nowMs, random);
    case 'doubted':
      return settleDoubted(record, finding, terms, nowMs, random);
    case 'unchanged':
      return settleUnchanged(record, finding, terms, nowMs, random);
    case 'lost':
      return settleLost(record, finding, terms, nowMs, random);
    case 'error':
      return settleError(record, finding, terms, nowMs, random);
  }
}

function settleContent(
  record: PageRecord,
  finding: Content,
  terms: Terms,
  nowMs: number,
  random: Random,
): Settlement {
  const isSame =
    record.contentHash === finding.contentHash && record.extractorVersion === finding.extractorVersion;
  if (isSame) return settleUnchanged(record, finding, terms, nowMs, random);
  const change = changeOf(record, finding);
  const { plan, nextVisitAt } = comeBack(record, change, finding.lastModified, terms, nowMs, random);
  return {
    outcome: 'UPDATED',
    record: {
      ...seen(record, nowMs),
      state: goodState(record),
      reason: null,
      status: finding.status,
      etag: finding.etag,
      lastModified: finding.lastModified,
      changedAt: change === 'changed' ? nowMs : record.changedAt,
      visits: record.visits + 1,
      changes: record.changes + (change === 'changed' ? 1 : 0),
      unchanged: 0,
      ...plan,
      contentHash: finding.contentHash,
      extractorVersion: finding.extractorVersion,
    },
    nextVisitAt,
    document: 'put',
    restUntil: null,
  };
}

/**
 * The first content of a URL is no change (fault 3). Neither is the first by a new extractor, which can differ though the
 * page does not.
 */
function changeOf(record: PageRecord, finding: Content): Change {
  if (record.contentHash === null) return 'first';
  return record.extractorVersion === finding.extractorVersion ? 'changed' : 'unchanged';
}

function settleUnchanged(
  record: PageRecord,
  finding: { readonly etag: string | null; readonly lastModified: string | null },
  terms: Terms,
  nowMs: number,
  random: Random,
): Settlement {
  const { plan, nextVisitAt } = comeBack(record, 'unchanged', finding.lastModified, terms, nowMs, random);
  return {
    outcome: 'NOT_MODIFIED',
    record: {
      ...seen(record, nowMs),
      state: goodState(record),
      reason: null,
      // A 304 without validators leaves the stored ones in force (RFC 9110 15.4.5).
      etag: finding.etag ?? record.etag,
      lastModified: finding.lastModified ?? record.lastModified,
      visits: record.visits + 1,
      unchanged: record.unchanged + 1,
      ...plan,
    },
    nextVisitAt,
    document: 'keep',
    restUntil: null,
  };
}

function settleDoubted(
  record: PageRecord,
  { reason, content }: Extract<Finding, { kind: 'doubted' }>,
  terms: Terms,
  nowMs: number,
  random: Random,
): Settlement {
  const missing = record.missing + 1;
  if (missing >= terms.refresh.strikes) return settleContent(record, content, terms, nowMs, random);
  const doubted = { ...seen(record, nowMs), missing, reason, status: content.status };
  return keptForNow('BLOCKED', doubted, terms, nowMs, random);
}

function settleLost(
  record: PageRecord,
  finding: Extract<Finding, { kind: 'lost' }>,
  policy: VisitPolicy,
  nowMs: number,
  random: Random,
): Settlement {
  const { refresh } = policy;
  const missing = record.missing + 1;
  const hasDocument = record.contentHash !== null;
  const isConfirmed = finding.isCertain || missing >= refresh.strikes;
  const keepsDocument = hasDocument && !isConfirmed;
  const lost: PageRecord = {
    ...seen(record, nowMs),
    missing,
    reason: finding.reason,
    status: finding.status,
  };
  if (keepsDocument) return keptForNow(finding.outcome, lost, policy, nowMs, random);
  // Nothing is indexed any more: look rarely, in case it comes back. A 404 is confirmed quickly, then rests as long as allowed.
  const isGone = finding.outcome === 'GONE' || finding.outcome === 'NOT_FOUND';
  const restMs =
    isGone && isConfirmed
      ? refresh.maxMs
      : nextInterval(record.intervalMs || refresh.initialMs, 'unchanged', refresh);
  return {
    outcome: finding.outcome,
    record: {
      ...lost,
      state: lostState(finding.outcome, isConfirmed),
      etag: null,
      lastModified: null,
      redirectTo: finding.redirectTo,
      intervalMs: restMs,
      contentHash: null,
    },
    nextVisitAt: plannedAt(nowMs, restMs, refresh.jitter, random),
    document: 'remove',
    restUntil: null,
  };
}

/** A strike: the document stays with the validators it has, and the page is looked at again soon. */
function keptForNow(
  outcome: Outcome,
  record: PageRecord,
  { refresh }: VisitPolicy,
  nowMs: number,
  random: Random,
): Settlement {
  return {
    outcome,
    record: { ...record, state: goodState(record) },
    nextVisitAt: plannedAt(nowMs, refresh.missingRecheckMs, refresh.jitter, random),
    document: 'keep',
    restUntil: null,
  };
}

function lostState(outcome: Outcome, isConfirmed: boolean): PageState {
  if (outcome === 'GONE') return 'gone';
  if (outcome === 'NOT_FOUND') return isConfirmed ? 'gone' : 'missing';
  return outcome === 'REDIRECTED' ? 'redirected' : 'blocked';
}

function settleError(
  record: PageRecord,
  finding: Extract<Finding, { kind: 'error' }>,
  policy: VisitPolicy,
  nowMs: number,
  random: Random,
): Settlement {
  const plan = planRetry(
    finding.reason,
    record.failures,
    finding.retryAfterMs,
    policy.retry,
    policy.refresh,
    random,
  );
  const hasDocument = record.contentHash !== null;
  // 429 is a statement about the client, so all of the host waits, not this URL alone (RFC 6585 4). A wait the server names
  // holds though the tries of this URL are used up.
  const computedRestMs = finding.reason === 'http.429' && plan.isRetry ? plan.waitMs : null;
  const restMs = finding.retryAfterMs ?? computedRestMs;
  return {
    outcome: 'ERROR',
    record: {
      ...record,
      state: hasDocument ? goodState(record) : plan.isRetry ? 'waiting' : 'failed',
      reason: finding.reason,
      status: finding.status,
      fetchedAt: nowMs,
      failures: plan.hostSleeps ? record.failures : record.failures + 1,
    },
    nextVisitAt: nowMs + plan.waitMs,
    document: 'keep',
    restUntil: restMs === null ? null : nowMs + restMs,
  };
}

/** How a URL stands that is what it should be. */
export function goodState({ kind }: { readonly kind: UrlKind }): PageState {
  return kind === 'page' ? 'indexed' : 'listed';
}

/** A sensible answer ends a row of failures; one that found the page also ends a row of misses. */
function seen(record: PageRecord, nowMs: number): PageRecord {
  return { ...record, fetchedAt: nowMs, failures: 0, missing: 0, redirectTo: null };
}

/** When to come back after a look at a URL: from its record to the schedule of its kind, and back. */
import type { Random } from '../clock.ts';
import { parseHttpDate } from '../fetch/http-date.ts';
import type { PageRecord, Surroundings } from '../types.ts';
import { memoryOf } from './freshness/memory.ts';
import { nextVisit } from './freshness/next-visit.ts';
import { pollInterval } from './freshness/poll.ts';
import type { VisitPolicy } from './policy.ts';
import { type Change, nextInterval, plannedAt, refreshOf } from './schedule.ts';

/** The rules of the crawl, and what is known around the URL. */
export interface Terms extends VisitPolicy {
  readonly around: Surroundings;
}

export interface ComeBack {
  readonly plan: Pick<
    PageRecord,
    'intervalMs' | 'lookedAt' | 'evidence' | 'volatility' | 'changesInRow' | 'signalledAt'
  >;
  readonly nextVisitAt: number;
}

/** Plans the next visit after a look at `nowMs`; `lastModified` is the header field of the answer. */
export function comeBack(
  record: PageRecord,
  change: Change,
  lastModified: string | null,
  terms: Terms,
  nowMs: number,
  random: Random,
): ComeBack {
  if (record.kind !== 'page') return comeBackToList(record, change, terms, nowMs, random);
  const { refresh, schedule, around } = terms;
  const look = {
    at: nowMs,
    change,
    lastModifiedAt: lastModified === null ? null : parseHttpDate(lastModified, nowMs),
  };
  const { page, dueAt } = nextVisit(
    memoryOf(record),
    look,
    around.host,
    around.crawl,
    schedule === 'adaptive' ? { kind: schedule, refresh } : { kind: schedule, bounds: around.bounds },
    random,
  );
  const { intervalMs, lookedAt, evidence, volatility, changesInRow, signalledAt } = page;
  return {
    plan: { intervalMs, lookedAt, evidence, volatility, changesInRow, signalledAt },
    nextVisitAt: dueAt,
  };
}

/** A list brings new pages too, so it is not left longer than `refreshOf` says, whatever it is worth for those known. */
function comeBackToList(
  record: PageRecord,
  change: Change,
  { refresh, schedule, around }: Terms,
  nowMs: number,
  random: Random,
): ComeBack {
  const { evidence, volatility, changesInRow, signalledAt } = record;
  const rule = refreshOf(record.kind, refresh);
  const intervalMs =
    schedule === 'adaptive'
      ? nextInterval(record.intervalMs, change, rule)
      : pollInterval(around.host, around.crawl, { leastMs: rule.minMs, mostMs: rule.maxMs });
  return {
    plan: { intervalMs, lookedAt: nowMs, evidence, volatility, changesInRow, signalledAt },
    nextVisitAt: plannedAt(nowMs, intervalMs, refresh.jitter, random),
  };
}

/**
 * When to come back to a page, and what the look at it taught. One pure function stands before both policies of R21:
 *
 * - `adaptive`: the interval grows by half after an unchanged look and halves after a changed one (schedule.ts).
 * - `optimal`: the page is visited when that is worth the price of a fetch (value.ts, price.ts).
 *
 * Both learn the same, so a crawl can change its policy any day, and freshness can be told under either (outlook.ts).
 * Only looks come here: an answer with content, or 304. Errors and losses keep evidence and interval as they are and have
 * schedules of their own (lifecycle.ts).
 */
import type { Random } from '../../clock.ts';
import type { CrawlMemory, HostMemory, IntervalBounds } from '../../types.ts';
import type { RefreshPolicy } from '../policy.ts';
import { type Change, nextInterval, plannedAt } from '../schedule.ts';
import { learn, type Observation } from './belief.ts';
import type { PageMemory } from './memory.ts';
import { poolAfter, priorOf } from './pool.ts';
import { type SignalTrust, trustIn } from './signals.ts';
import { evidenceShown, lookAgain, pageBelief } from './volatility.ts';
import { DAY_MS, worthwhileInterval } from './worth.ts';

export type SchedulePolicy =
  | { readonly kind: 'adaptive'; readonly refresh: RefreshPolicy }
  | { readonly kind: 'optimal'; readonly bounds: IntervalBounds };

/** A look at a page. */
export interface Look {
  readonly at: number;
  readonly change: Change;
  /** Last-Modified of the answer, as an instant; null: none. Believed when it fits what else is known. */
  readonly lastModifiedAt: number | null;
}

export interface NextVisit {
  readonly page: PageMemory;
  readonly dueAt: number;
}

/** A date younger than this is the time of the answer, not of a change. */
const LEAST_AGE_MS = 300_000;

/** Learns from a look and plans the next visit. O(1). */
export function nextVisit(
  before: PageMemory,
  look: Look,
  host: HostMemory,
  crawl: CrawlMemory,
  policy: SchedulePolicy,
  random: Random,
): NextVisit {
  const seen = learnFrom(before, look, host, crawl);
  const [knew, knows] = [evidenceShown(before), evidenceShown(seen)];
  const wiserHost = { ...host, pool: poolAfter(host.pool, knew, knows) };
  const wiserCrawl = { ...crawl, pool: poolAfter(crawl.pool, knew, knows) };
  const intervalMs =
    policy.kind === 'adaptive'
      ? nextInterval(before.intervalMs, look.change, policy.refresh)
      : worthwhileInterval(seen, wiserHost, wiserCrawl, policy.bounds);
  return {
    page: { ...seen, intervalMs },
    // Under `optimal`, intervals differ by themselves: no two pages know the same.
    dueAt: plannedAt(look.at, intervalMs, policy.kind === 'adaptive' ? policy.refresh.jitter : 0, random),
  };
}

/**
 * Plans a page anew with what is known now: for the sweep, for a signal that has come, and for a due page that is no longer
 * worthwhile. Under `adaptive` the plan stands. `dueAt` may lie in the past: then the page is due.
 */
export function replan(
  page: PageMemory,
  host: HostMemory,
  crawl: CrawlMemory,
  policy: SchedulePolicy,
): NextVisit {
  const intervalMs =
    policy.kind === 'adaptive' ? page.intervalMs : worthwhileInterval(page, host, crawl, policy.bounds);
  return { page: { ...page, intervalMs }, dueAt: page.lookedAt + intervalMs };
}

function learnFrom(page: PageMemory, look: Look, host: HostMemory, crawl: CrawlMemory): PageMemory {
  const seen: PageMemory = { ...page, lookedAt: look.at, signalledAt: null };
  const prior = priorOf(crawl.pool, host.pool);
  const observation = observe(page, look, trustIn(host.signals));
  if (look.change === 'first') return { ...seen, evidence: learn(prior, page.evidence, observation) };
  const isChanged = look.change === 'changed';
  const rest = lookAgain(page, isChanged, pageBelief(prior, page), gapDays(page, look));
  const isBelieved = rest.volatility !== 'volatile';
  return {
    ...seen,
    ...rest,
    evidence: isBelieved ? learn(prior, page.evidence, observation) : page.evidence,
  };
}

function observe(page: PageMemory, look: Look, trust: SignalTrust): Observation {
  if (look.change === 'unchanged') return { kind: 'unchanged', gapDays: gapDays(page, look) };
  const changedAt = changeTime(page, look, trust);
  if (changedAt !== null) return { kind: 'dated', ageDays: (look.at - changedAt) / DAY_MS };
  return look.change === 'first' ? { kind: 'none' } : { kind: 'changed', gapDays: gapDays(page, look) };
}

/** When the page changed last, if somebody who can be believed says so: after the look before, and not just now. */
function changeTime(page: PageMemory, look: Look, trust: SignalTrust): number | null {
  const earliest = look.change === 'first' ? 0 : page.lookedAt;
  const isPossible = (at: number | null): at is number =>
    at !== null && at > earliest && at <= look.at - LEAST_AGE_MS;
  if (isPossible(look.lastModifiedAt)) return look.lastModifiedAt;
  return trust.odds > 1 && isPossible(page.signalledAt) ? page.signalledAt : null;
}

function gapDays(page: PageMemory, look: Look): number {
  return Math.max(0, look.at - page.lookedAt) / DAY_MS;
}

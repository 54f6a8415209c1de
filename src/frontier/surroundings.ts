/** What plans rest on beyond their page, read from the rows that keep it. Pure. */
import { budgetFor } from '../crawl/freshness/price.ts';
import { longestIntervalMs } from '../crawl/freshness/worth.ts';
import type { CrawlMemory, IntervalBounds, Surroundings } from '../types.ts';
import { type HostState, hostMemory } from './host-state.ts';
import type { PlanningPolicy } from './policy.ts';
import type { Schedule } from './schedule-row.ts';

/** What a visit to a page of a host is told. */
export function surroundings(host: HostState, schedule: Schedule, policy: PlanningPolicy): Surroundings {
  return { host: hostMemory(host), crawl: crawlMemory(schedule), bounds: boundsOf(schedule, policy) };
}

export function crawlMemory({ totals, logPrice }: Schedule): CrawlMemory {
  return { pool: totals.pool, logPrice };
}

/** Visits a day to known pages. */
export function budgetOf({ totals }: Schedule, { budget }: PlanningPolicy): number {
  return budgetFor(budget, totals.pages);
}

export function boundsOf(schedule: Schedule, policy: PlanningPolicy): IntervalBounds {
  const roundDays = schedule.totals.pages / budgetOf(schedule, policy);
  return { leastMs: policy.minMs, mostMs: policy.maxMs ?? longestIntervalMs(roundDays) };
}

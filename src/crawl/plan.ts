/** The plan of one page in numbers and in words: what is believed of it, and why the next visit is when it is. Pure. */
import type { Evidence, PageRecord, Surroundings, Volatility } from '../types.ts';
import { memoryOf, type PageMemory } from './freshness/memory.ts';
import { priorOf } from './freshness/pool.ts';
import { trustIn } from './freshness/signals.ts';
import { chanceUnchanged } from './freshness/value.ts';
import { pageBelief } from './freshness/volatility.ts';
import { chanceFresh, DAY_MS } from './freshness/worth.ts';

export interface Plan {
  readonly policy: 'optimal' | 'adaptive';
  readonly lookedAt: number;
  readonly intervalMs: number;
  /** Null: never by itself. */
  readonly nextVisitAt: number | null;
  /** Due for another reason than the plan: a try after an error, a second look at a loss, somebody asked. */
  readonly isOffPlan: boolean;
  readonly evidence: Evidence;
  readonly volatility: Volatility;
  /** Expected changes a day: the page's evidence with what its host lets expect. */
  readonly changesPerDay: number;
  /** The chance that the copy is right now; none when the last look did not find the page. */
  readonly chanceFresh: number;
  readonly signalledAt: number | null;
  /** Are signals of its host believed? */
  readonly hasTrust: boolean;
  /** The chance that it has changed, by time since the last look; the planned interval is one of the times. */
  readonly curve: readonly { readonly afterMs: number; readonly chanceChanged: number }[];
  /** Why the next visit is when it is. */
  readonly why: string;
}

/** Points of every curve, days. */
const CURVE_DAYS = [1 / 24, 0.25, 1, 3, 7, 14, 30, 90];
const HOUR_MS = 3_600_000;

/** Null when no copy of the page is held: then it has no plan. */
export function planOf(
  record: PageRecord,
  dueAt: number | null,
  around: Surroundings,
  policy: Plan['policy'],
  nowMs: number,
): Plan | null {
  if (record.lookedAt === null || record.contentHash === null || record.kind !== 'page') return null;
  const page = memoryOf(record);
  const belief = pageBelief(priorOf(around.crawl.pool, around.host.pool), page);
  const plannedAt = page.lookedAt + page.intervalMs;
  const facts = {
    policy,
    lookedAt: page.lookedAt,
    intervalMs: page.intervalMs,
    nextVisitAt: dueAt,
    isOffPlan: policy === 'optimal' && dueAt !== plannedAt,
    evidence: page.evidence,
    volatility: page.volatility,
    changesPerDay: belief.shape / belief.days,
    chanceFresh: record.missing > 0 ? 0 : chanceFresh(page, around.host, around.crawl, nowMs),
    signalledAt: page.signalledAt,
    hasTrust: trustIn(around.host.signals).odds > 1,
    curve: [...CURVE_DAYS.map((days) => days * DAY_MS), page.intervalMs]
      .sort((a, b) => a - b)
      .map((afterMs) => ({ afterMs, chanceChanged: 1 - chanceUnchanged(belief, afterMs / DAY_MS) })),
  };
  if (policy === 'adaptive') return { ...facts, why: byRule(record) };
  const why = byPrice(facts, page, around);
  return { ...facts, why: facts.isOffPlan ? `${offPlan(record)}; by plan ${why}` : why };
}

/** Why a page is due at another time than planned. */
function offPlan({ failures, missing }: PageRecord): string {
  if (failures > 0) return 'tried again after an error';
  return missing > 0
    ? 'looked at again, to see whether it is lost'
    : 'visited out of turn: somebody asked for it, or another policy planned it';
}

function byRule({ intervalMs, unchanged, visits, changes }: PageRecord): string {
  const row = unchanged > 0 ? `; ${counted(unchanged, 'unchanged look')} in a row` : '';
  return `every ${span(intervalMs)} by the adaptive rule: longer after an unchanged look, shorter after a changed one (${counted(visits, 'look')}, ${counted(changes, 'change')}${row})`;
}

function byPrice(plan: Omit<Plan, 'why'>, page: PageMemory, { bounds }: Surroundings): string {
  const { intervalMs, evidence, volatility, hasTrust, signalledAt } = plan;
  const rate = `one change in ${span(DAY_MS / plan.changesPerDay)} is expected`;
  const seen = evidence.days === 0 ? 'as of a usual page of its host' : `its record is ${shown(evidence)}`;
  const basis =
    volatility === 'volatile'
      ? `${rate} as of a usual page of its host: it is volatile, its content differs at every look, so its own changes are not believed`
      : `${rate}, ${seen}`;
  if (volatility === 'suspect') {
    return `looked at again after ${span(intervalMs)}: it was found changed ${page.changesInRow} times in a row, and a second look at once tells whether its changes mean anything`;
  }
  const when =
    intervalMs >= bounds.mostMs
      ? `every ${span(intervalMs)}, as rarely as allowed`
      : intervalMs <= bounds.leastMs
        ? `every ${span(intervalMs)}, as often as allowed`
        : `${span(intervalMs)} after the last look, when a visit is worth its price`;
  const signal =
    signalledAt === null
      ? ''
      : `; its host says that it changed on ${new Date(signalledAt).toISOString().slice(0, 10)}, which is ${hasTrust ? 'believed' : 'not believed'}`;
  return `${when}: ${basis}${signal}`;
}

function shown({ changes, days }: Evidence): string {
  return `${counted(Math.round(changes * 10) / 10, 'change')} in ${span(days * DAY_MS)}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** A duration as people say it: 45 min, 2.3 h, 12 d. */
export function span(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(1, Math.round(ms / 60_000))} min`;
  const [amount, unit] = ms < 2 * DAY_MS ? [ms / HOUR_MS, 'h'] : [ms / DAY_MS, 'd'];
  return `${amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${unit}`;
}

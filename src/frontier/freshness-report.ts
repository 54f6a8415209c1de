/**
 * How fresh the index is, as numbers (R26): the model's own belief, and what other budgets would buy. Reads only, so it works
 * beside a crawl. Of a large crawl a sample is read.
 */
import type { PageOfHost } from '../crawl/freshness/memory.ts';
import { type BudgetPoint, budgetCurve, freshnessAt, freshnessFor } from '../crawl/freshness/outlook.ts';
import { emptyPool, priorOf } from '../crawl/freshness/pool.ts';
import { usualPrice } from '../crawl/freshness/price.ts';
import { type Plan, planOf } from '../crawl/plan.ts';
import type { Database } from '../store/database.ts';
import type { PageRecord } from '../types.ts';
import { HostTable, hostMemory } from './host-state.ts';
import { PlanTable } from './plan-table.ts';
import type { FrontierPolicy } from './policy.ts';
import { ScheduleRow } from './schedule-row.ts';
import { boundsOf, budgetOf, crawlMemory, surroundings } from './surroundings.ts';

export interface Freshness {
  readonly policy: 'optimal' | 'adaptive';
  /** Pages of which a copy is held. */
  readonly pages: number;
  /** Share of them believed current, by weight, in [0, 1]; null without pages. */
  readonly expectedCurrent: number | null;
  /** Since the last look, on average. */
  readonly meanAgeMs: number | null;
  /** Visits a day: what is aimed at, and what is planned. Under `adaptive` nothing is aimed at. */
  readonly budget: number | null;
  readonly planned: number;
  /** Looks ever, and those of them that brought a whole body with nothing new in it. */
  readonly looks: number;
  readonly wasted: number;
  /** Bytes that 304 answers saved. */
  readonly savedBytes: number;
  /** What budgets around today's keep current in the long run. */
  readonly curve: readonly BudgetOutlook[];
}

/** A multiple of today's budget, and what it keeps current. */
export interface BudgetOutlook extends Omit<BudgetPoint, 'logPrice'> {
  readonly multiple: number;
}

const SAMPLE = 1_000;
/** Budgets told of, as multiples of today's. */
const MULTIPLES = [0.25, 0.5, 1, 2, 4];

export class FreshnessReport {
  readonly #plans: PlanTable;
  readonly #schedule: ScheduleRow;
  readonly #hosts: HostTable;
  readonly #policy: FrontierPolicy;
  readonly #count: (name: string) => number;

  constructor(db: Database, policy: FrontierPolicy) {
    this.#plans = new PlanTable(db);
    this.#schedule = new ScheduleRow(db);
    this.#hosts = new HostTable(db, policy, () => 0);
    this.#policy = policy;
    const read = db.prepare<[string], number>('SELECT value FROM counter WHERE name = ?').pluck();
    this.#count = (name) => read.get(name) ?? 0;
  }

  /** The plan of a page that is due at `dueAt`; null when it was never looked at. */
  plan(record: PageRecord, dueAt: number | null, now: number): Plan | null {
    this.#begin();
    const { refresh } = this.#policy;
    const host = this.#hosts.byName(record.host);
    if (host === null) return null;
    return planOf(record, dueAt, surroundings(host, this.#schedule.get(), refresh), refresh.kind, now);
  }

  read(now: number): Freshness {
    this.#begin();
    const schedule = this.#schedule.get();
    const { refresh } = this.#policy;
    const { totals } = schedule;
    const sample = this.#sample(totals.pages);
    const crawl = crawlMemory(schedule);
    const isOptimal = refresh.kind === 'optimal';
    const budget = budgetOf(schedule, refresh);
    const visits = isOptimal ? budget : totals.demand;
    // Without steering there is no price to begin from.
    const usual = usualPrice(
      totals.weight / Math.max(1, totals.pages),
      priorOf(totals.pool, emptyPool),
      totals.pages / Math.max(visits, Number.MIN_VALUE),
    );
    const curve = budgetCurve(
      sample,
      isOptimal ? crawl : { ...crawl, logPrice: usual },
      boundsOf(schedule, refresh),
    );
    const scale = totals.pages / Math.max(1, sample.length);
    return {
      policy: refresh.kind,
      pages: totals.pages,
      expectedCurrent: freshnessAt(sample, crawl, now),
      meanAgeMs: sample.length === 0 ? null : mean(sample.map(({ page }) => now - page.lookedAt)),
      budget: isOptimal ? budget : null,
      planned: totals.demand,
      looks: this.#count('outcome.UPDATED') + this.#count('outcome.NOT_MODIFIED'),
      wasted: this.#count('wasted'),
      savedBytes: this.#count('savedBytes'),
      curve: MULTIPLES.flatMap((multiple) => {
        const freshness = freshnessFor(curve, (visits * multiple) / scale);
        return freshness === null ? [] : [{ multiple, visitsPerDay: visits * multiple, freshness }];
      }),
    };
  }

  #begin(): void {
    this.#hosts.begin();
    this.#schedule.begin();
  }

  #sample(pages: number): PageOfHost[] {
    const planned = pages <= SAMPLE ? [...this.#plans.all()] : this.#plans.sample(SAMPLE);
    return planned.map(({ page, url, isDoubted }) => ({
      page,
      host: hostMemory(this.#hosts.get(url.hostId)),
      isDoubted,
    }));
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

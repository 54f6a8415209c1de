/**
 * Plans made without a visit, under `optimal` (docs/decisions/0007-freshness.md): the price of a visit moves, signals come, and
 * what a page was worth when it was planned is not what it is worth now. Also keeps the totals that prices and beliefs rest on.
 *
 * A page is planned anew only while it is due as planned, `looked_at + interval_ms`. Whatever has another due time has a schedule
 * of its own: a try after an error, a second look at a loss, a visit somebody asked for.
 */
import { importance } from '../crawl/freshness/importance.ts';
import { memoryOf } from '../crawl/freshness/memory.ts';
import { replan } from '../crawl/freshness/next-visit.ts';
import { emptyPool, priorOf } from '../crawl/freshness/pool.ts';
import { steer, steerHost, usualPrice } from '../crawl/freshness/price.ts';
import { noPages, TOTALS_VERSION, type Totals, totalsAfter, totalsOf } from '../crawl/freshness/totals.ts';
import { DAY_MS, isWorthwhile, worthAt, worthOfNew } from '../crawl/freshness/worth.ts';
import { hostDelayMs } from '../crawl/politeness.ts';
import type { Settings } from '../store/settings.ts';
import type { CrawlMemory, PageRecord, Surroundings } from '../types.ts';
import { type HostState, type HostTable, hostMemory } from './host-state.ts';
import type { PlannedPage, PlanTable } from './plan-table.ts';
import type { FrontierPolicy } from './policy.ts';
import type { QueueEntry } from './rank-list.ts';
import type { ScheduleRow } from './schedule-row.ts';
import { budgetOf, crawlMemory, surroundings } from './surroundings.ts';
import type { UrlState, UrlTable } from './url-table.ts';
import type { Lane } from './work-queue.ts';

export interface ReplanningParts {
  readonly settings: Settings;
  readonly plans: PlanTable;
  readonly schedule: ScheduleRow;
  readonly urls: UrlTable;
  readonly hosts: HostTable;
  readonly policy: FrontierPolicy;
  /** Gives a fetched URL another due time. */
  readonly moveDue: (url: UrlState, dueAt: number) => void;
}

/** The price is steered so often in a round, in which the budget visits every page once; and at most once a second. */
const TICKS_A_ROUND = 200;
const SHORTEST_TICK_MS = 1_000;
/** Pages planned anew for each visit the budget admits; and at once, since loans wait meanwhile. */
const SWEPT_PER_VISIT = 5;
const SWEPT_AT_ONCE = 200;
/** So many overdue, as a share of all pages, move the price at full speed (price.ts); more are not counted. */
const MOST_OVERDUE = 0.06;
/** A crawl that has grown by more since the last tick begins its price anew. */
const MUCH_GROWTH = 1.5;
/** The setting that says by what rules the totals were kept. */
const RULES = 'frontier.totals';
/** A plan that differs by less is not worth writing. */
const SAME_PLAN = 0.01;

export class Replanning {
  readonly #parts: ReplanningParts;
  #nextTickAt = 0;

  constructor(parts: ReplanningParts) {
    this.#parts = parts;
  }

  /** What a visit to a page of a host is told. */
  around(host: HostState): Surroundings {
    return surroundings(host, this.#parts.schedule.get(), this.#parts.policy.refresh);
  }

  /** Writes what is remembered of a page, and keeps the totals. */
  keep(url: UrlState, record: PageRecord): void {
    const before = this.#parts.plans.get(url.id);
    this.#parts.urls.replacePage(record);
    const { depth, priority } = url;
    const isHeld = record.kind === 'page' && record.contentHash !== null;
    this.#count(
      url.hostId,
      before === undefined ? noPages : totalsOf(before.page),
      isHeld ? totalsOf(memoryOf({ ...record, depth, priority })) : noPages,
    );
  }

  /** Plans a due page anew that is no longer worth its price; true when it is not due any more. */
  putsOff(id: number, now: number): boolean {
    const planned = this.#parts.plans.get(id);
    if (planned === undefined || !this.#mayReplan(planned, now)) return false;
    const host = hostMemory(this.#parts.hosts.get(planned.url.hostId));
    if (isWorthwhile(planned.page, host, this.#crawl, now)) return false;
    return this.#replan(planned) > now;
  }

  /** Of a host's best new URL and its most overdue page: which is worth more now? Null when one of them has no price. */
  choose(fresh: QueueEntry, again: QueueEntry, now: number): Lane | null {
    const planned = this.#parts.plans.get(again.id);
    const url = this.#parts.urls.byId(fresh.id);
    if (planned === undefined || url === undefined || !this.#mayReplan(planned, now)) return null;
    if (planned.page.volatility === 'suspect') return 'again';
    const host = hostMemory(this.#parts.hosts.get(url.hostId));
    const worthOfFresh = worthOfNew(importance(url.depth, url.priority), host, this.#crawl);
    return worthOfFresh > worthAt(planned.page, host, this.#crawl, now) ? 'fresh' : 'again';
  }

  /** A signal has come for a page, and has been noted. */
  heed(id: number, now: number): void {
    const planned = this.#parts.plans.get(id);
    if (planned !== undefined && this.#mayReplan(planned, now)) this.#replan(planned);
  }

  isTickDue(now: number): boolean {
    return this.#isOptimal && now >= this.#nextTickAt;
  }

  /** Steers the prices by what is planned and what is overdue, and plans some pages anew with them. */
  tick(now: number): void {
    const { schedule, plans } = this.#parts;
    const { totals, tickedAt, tickedPages, logPrice } = schedule.get();
    const { pages, demand, weight, pool } = totals;
    const available = budgetOf(schedule.get(), this.#parts.policy.refresh);
    const days = tickedAt === 0 ? 0 : Math.max(0, now - tickedAt) / DAY_MS;
    const overdue = plans.countOverdue(now, Math.ceil(MOST_OVERDUE * pages));
    schedule.change({
      tickedAt: now,
      tickedPages: pages,
      logPrice:
        pages > MUCH_GROWTH * tickedPages
          ? usualPrice(weight / pages, priorOf(pool, emptyPool), pages / available)
          : steer(logPrice, { demand, available, overdue, pages }, days),
    });
    this.#steerHosts(now, days);
    this.#sweep(Math.min(SWEPT_AT_ONCE, Math.ceil(available * days * SWEPT_PER_VISIT)), now);
    const pause = Math.min(pages / TICKS_A_ROUND, SWEPT_AT_ONCE / SWEPT_PER_VISIT) / available;
    this.#nextTickAt = now + Math.max(SHORTEST_TICK_MS, pause * DAY_MS);
  }

  /** Writes a nearer way to a URL: a page counts for more, the nearer it is to the start. */
  setWay(url: UrlState, depth: number, redirects: number): void {
    const { plans, urls } = this.#parts;
    const before = isNeverFetched(url) ? undefined : plans.get(url.id);
    urls.setWay(url.id, depth, redirects);
    const after = before && plans.get(url.id);
    if (before !== undefined && after !== undefined) {
      this.#count(url.hostId, totalsOf(before.page), totalsOf(after.page));
    }
  }

  /** Adds up the totals where they were kept by other rules: one pass over all pages. */
  addUpOnce(): void {
    const { settings } = this.#parts;
    if (settings.get(RULES) === TOTALS_VERSION) return;
    this.#addUp();
    settings.set(RULES, TOTALS_VERSION);
  }

  get #isOptimal(): boolean {
    return this.#parts.policy.refresh.kind === 'optimal';
  }

  get #crawl(): CrawlMemory {
    return crawlMemory(this.#parts.schedule.get());
  }

  #mayReplan({ url, isAsPlanned }: PlannedPage, now: number): boolean {
    return this.#isOptimal && isAsPlanned && (url.lease === null || url.lease <= now);
  }

  /** Returns when the page is due now. */
  #replan({ url, page }: PlannedPage): number {
    const { hosts, plans, moveDue } = this.#parts;
    const { host, crawl, bounds } = this.around(hosts.get(url.hostId));
    const plan = replan(page, host, crawl, { kind: 'optimal', bounds });
    const difference = Math.abs(plan.page.intervalMs - page.intervalMs);
    if (difference <= SAME_PLAN * page.intervalMs) return page.lookedAt + page.intervalMs;
    plans.setInterval(url.id, plan.page.intervalMs);
    moveDue(url, plan.dueAt);
    this.#count(url.hostId, totalsOf(page), totalsOf(plan.page));
    return plan.dueAt;
  }

  #count(hostId: number, before: Totals, after: Totals): void {
    if (before === after) return;
    const { hosts, schedule } = this.#parts;
    const host = hosts.touch(hostId);
    host.totals = totalsAfter(host.totals, before, after);
    schedule.change({ totals: totalsAfter(schedule.get().totals, before, after) });
  }

  /** Hosts whose pages want more visits than politeness admits take a surcharge, those that did get rid of it. */
  #steerHosts(now: number, days: number): void {
    const { plans, hosts, policy } = this.#parts;
    for (const id of plans.crowdedHosts(policy.delayMs)) {
      const host = hosts.touch(id);
      const delayMs = hostDelayMs(policy, { crawlDelayMs: host.crawlDelayMs, failures: 0 });
      const { demand, pages } = host.totals;
      const overdue = plans.countOverdueOf(id, now, Math.ceil(MOST_OVERDUE * pages));
      host.logFactor = steerHost(
        host.logFactor,
        { demand, available: DAY_MS / delayMs, overdue, pages },
        days,
      );
    }
  }

  #addUp(): void {
    const { plans, hosts, schedule } = this.#parts;
    const byHost = new Map<number, Totals>(plans.countedHosts().map((id) => [id, noPages]));
    let all = noPages;
    for (const { url, page } of plans.all()) {
      const added = totalsOf(page);
      all = totalsAfter(all, noPages, added);
      byHost.set(url.hostId, totalsAfter(byHost.get(url.hostId) ?? noPages, noPages, added));
    }
    for (const [id, totals] of byHost) {
      if (!areAlike(hosts.get(id).totals, totals)) hosts.touch(id).totals = totals;
    }
    schedule.change({ totals: all });
  }

  #sweep(count: number, now: number): void {
    const { plans, schedule } = this.#parts;
    const { pages, lastId } = plans.after(schedule.get().sweptId, count);
    for (const planned of pages) if (this.#mayReplan(planned, now)) this.#replan(planned);
    schedule.change({ sweptId: lastId ?? 0 });
  }
}

/** Is it in the queue of new ones? Then no page is held of it. */
function isNeverFetched({ dueAt }: UrlState): boolean {
  return dueAt !== null && dueAt < 0;
}

/** The same but for rounding errors? */
function areAlike(one: Totals, other: Totals): boolean {
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 * (1 + Math.abs(a));
  return (
    one.pages === other.pages &&
    one.pool.count === other.pool.count &&
    isNear(one.pool.sum, other.pool.sum) &&
    isNear(one.weight, other.weight) &&
    isNear(one.demand, other.demand)
  );
}

/**
 * Freshet's `optimal` policy in the simulated web: the product's own functions (src/crawl/freshness), with arrays and a
 * heap where the product has tables and an index. What it does between visits is what the frontier has to do; see
 * docs/decisions/0007-freshness.md.
 */
import {
  newCrawl,
  newHost,
  newPage,
  type PageMemory,
  type PageOfHost,
} from '../../src/crawl/freshness/memory.ts';
import { nextVisit, replan, type SchedulePolicy } from '../../src/crawl/freshness/next-visit.ts';
import { type BudgetPoint, budgetCurve, freshnessAt } from '../../src/crawl/freshness/outlook.ts';
import { pollInterval } from '../../src/crawl/freshness/poll.ts';
import { steer } from '../../src/crawl/freshness/price.ts';
import { countLook, countsWith } from '../../src/crawl/freshness/signals.ts';
import { noPages, type Totals, totalsAfter, totalsOf } from '../../src/crawl/freshness/totals.ts';
import { isWorthwhile, longestIntervalMs, worthAt, worthOfNew } from '../../src/crawl/freshness/worth.ts';
import type { CrawlMemory, HostMemory } from '../../src/types.ts';
import { IndexHeap } from './heap.ts';
import type { Crawler, Seen } from './simulation.ts';
import { indexAfter, type SimHost, type SimPage, type World } from './world.ts';

const DAY_MS = 86_400_000;
const LEAST_INTERVAL_MS = DAY_MS / 48;
/** The price is steered, and the sweep goes on, so often in a round. */
const TICKS_A_ROUND = 200;
/** Pages planned anew for each one fetched. */
const SWEPT_PER_FETCH = 5;
/** When nothing is due, the best of the first few is fetched. */
const COMPARED = 10;
/** Due pages planned anew before one is fetched anyway. */
const MOST_SKIPPED = 50;

export class Learner implements Crawler {
  readonly #world: World;
  readonly #perDay: number;
  readonly #policy: Extract<SchedulePolicy, { kind: 'optimal' }>;
  readonly #pages: PageMemory[];
  readonly #hosts: HostMemory[];
  #crawl: CrawlMemory = newCrawl;
  readonly #due: IndexHeap;
  /** Pages never fetched, by host, the heaviest last. */
  readonly #unseen: { readonly host: SimHost; readonly pages: SimPage[] }[];
  #totals: Totals = noPages;
  readonly #hostTotals: Totals[];
  #tickedAt = 0;
  #swept = 0;
  /** Hosts with a sitemap: when they were asked, when to ask next, and how often they are all asked together. */
  readonly #mapped: readonly SimHost[];
  readonly #polledAt: Float64Array;
  readonly #polls: IndexHeap;
  #pollsPerDay = 0;

  constructor(world: World, perDay: number, hasSignals: boolean) {
    const size = world.pages.length;
    this.#world = world;
    this.#perDay = perDay;
    const bounds = { leastMs: LEAST_INTERVAL_MS, mostMs: longestIntervalMs(size / perDay) };
    this.#policy = { kind: 'optimal', bounds };
    this.#pages = world.pages.map((page) => newPage((page.weight / world.totalWeight) * size));
    this.#hosts = world.hosts.map(() => newHost);
    this.#hostTotals = world.hosts.map(() => noPages);
    this.#due = new IndexHeap(size);
    this.#unseen = world.hosts.map((host) => ({
      host,
      pages: host.pages.toSorted((a, b) => a.weight - b.weight),
    }));
    this.#mapped = hasSignals ? world.hosts.filter((host) => host.sitemap !== 'none') : [];
    this.#polledAt = new Float64Array(world.hosts.length);
    this.#polls = new IndexHeap(world.hosts.length);
  }

  pick(t: number): SimPage | null {
    const now = t * DAY_MS;
    const round = this.#world.pages.length / this.#perDay;
    if (t - this.#tickedAt >= round / TICKS_A_ROUND) this.#tick(t);
    if (this.#poll(t)) return null;
    const fresh = this.#bestUnseen();
    // New pages take of the same budget here: nothing worth less is bought before the best one left waiting.
    if (fresh !== null) {
      const logPrice = Math.max(this.#crawl.logPrice, Math.log(fresh.worth));
      this.#crawl = { ...this.#crawl, logPrice };
    }
    const due = this.#nextDue(now, fresh?.worth ?? 0);
    return due ?? fresh?.pages.pop() ?? this.#earliest(now);
  }

  fetched(page: SimPage, seen: Seen, t: number): void {
    const { lastModified, kind } = seen;
    const look = {
      at: t * DAY_MS,
      change: kind,
      lastModifiedAt: lastModified === null ? null : lastModified * DAY_MS,
    };
    const before = this.#page(page);
    const next = nextVisit(before, look, this.#host(page.host), this.#crawl, this.#policy, () => 0.5);
    this.#keep(page, next.page, next.dueAt);
    if (kind === 'first') return;
    const host = this.#host(page.host);
    const counted = countLook(kind === 'changed', before.signalledAt !== null);
    this.#hosts[page.host.id] = { ...host, signals: countsWith(host.signals, counted) };
  }

  believed(t: number): number {
    return freshnessAt(this.#all(), this.#crawl, t * DAY_MS) ?? 0;
  }

  /** What other budgets would buy. */
  curve(): readonly BudgetPoint[] {
    return budgetCurve(this.#all(), this.#crawl, this.#policy.bounds);
  }

  /** Steers the price and plans some pages anew with it. */
  #tick(t: number): void {
    const days = t - this.#tickedAt;
    this.#tickedAt = t;
    this.#planPolls();
    const load = {
      demand: this.#totals.demand,
      available: this.#perDay - this.#pollsPerDay,
      overdue: this.#due.countUpTo(t * DAY_MS),
      pages: this.#world.pages.length,
    };
    this.#crawl = { ...this.#crawl, logPrice: steer(this.#crawl.logPrice, load, days) };
    const count = Math.min(Math.ceil(this.#perDay * days * SWEPT_PER_FETCH), this.#pages.length);
    for (let nth = 0; nth < count; nth++) {
      this.#swept = (this.#swept + 1) % this.#pages.length;
      if (this.#due.has(this.#swept)) this.#replan(this.#world.pages[this.#swept] as SimPage);
    }
  }

  /** The most overdue page that is worth its price; null when there is none, or a new one is worth more. */
  #nextDue(now: number, worthOfUnseen: number): SimPage | null {
    for (let skipped = 0; ; skipped++) {
      const id = this.#due.first();
      if (id === undefined || this.#due.key(id) > now) return null;
      const page = this.#world.pages[id] as SimPage;
      const [memory, host] = [this.#page(page), this.#host(page.host)];
      if (!isWorthwhile(memory, host, this.#crawl, now) && skipped < MOST_SKIPPED) {
        this.#replan(page);
        if (this.#due.key(id) > now) continue;
      }
      const isOutbid =
        memory.volatility !== 'suspect' && worthAt(memory, host, this.#crawl, now) < worthOfUnseen;
      return isOutbid ? null : page;
    }
  }

  #earliest(now: number): SimPage | null {
    let best: SimPage | null = null;
    let most = -1;
    for (const id of this.#due.front(COMPARED)) {
      const page = this.#world.pages[id] as SimPage;
      const worth = worthAt(this.#page(page), this.#host(page.host), this.#crawl, now);
      if (worth <= most) continue;
      best = page;
      most = worth;
    }
    return best;
  }

  #bestUnseen(): { readonly pages: SimPage[]; readonly worth: number } | null {
    let best: { pages: SimPage[]; worth: number } | null = null;
    for (const { host, pages } of this.#unseen) {
      const heaviest = pages.at(-1);
      if (heaviest === undefined) continue;
      const worth = worthOfNew(this.#page(heaviest).weight, this.#host(host), this.#crawl);
      if (best === null || worth > best.worth) best = { pages, worth };
    }
    return best;
  }

  #replan(page: SimPage): void {
    const plan = replan(this.#page(page), this.#host(page.host), this.#crawl, this.#policy);
    this.#keep(page, plan.page, plan.dueAt);
  }

  #keep(page: SimPage, memory: PageMemory, dueAt: number): void {
    const before = this.#due.has(page.id) ? totalsOf(this.#page(page)) : noPages;
    const after = totalsOf(memory);
    const ofHost = totalsAfter(this.#hostTotals[page.host.id] as Totals, before, after);
    this.#totals = totalsAfter(this.#totals, before, after);
    this.#hostTotals[page.host.id] = ofHost;
    this.#crawl = { ...this.#crawl, pool: this.#totals.pool };
    this.#hosts[page.host.id] = { ...this.#host(page.host), pool: ofHost.pool };
    this.#pages[page.id] = memory;
    this.#due.set(page.id, dueAt);
  }

  #planPolls(): void {
    this.#pollsPerDay = 0;
    const scale = this.#world.pages.length / this.#world.totalWeight;
    for (const host of this.#mapped) {
      const weight = scale * host.pages.reduce((sum, page) => sum + page.weight, 0);
      const days = pollInterval({ ...this.#host(host), weight }, this.#crawl, this.#policy.bounds) / DAY_MS;
      this.#polls.set(host.id, (this.#polledAt[host.id] as number) + days);
      this.#pollsPerDay += 1 / days;
    }
  }

  /** Asks one host for its sitemap, if it is time: a fetch like any other. */
  #poll(t: number): boolean {
    const id = this.#polls.first();
    if (id === undefined || this.#polls.key(id) > t) return false;
    this.#polledAt[id] = t;
    const host = this.#world.hosts[id] as SimHost;
    for (const page of host.pages) {
      const memory = this.#page(page);
      if (!this.#due.has(page.id) || memory.signalledAt !== null) continue;
      const lastmod = host.sitemap === 'now' ? t : (page.signals[indexAfter(page.signals, t) - 1] ?? 0);
      if (lastmod * DAY_MS <= memory.lookedAt) continue;
      this.#pages[page.id] = { ...memory, signalledAt: lastmod * DAY_MS };
      this.#replan(page);
    }
    this.#planPolls();
    return true;
  }

  #all(): PageOfHost[] {
    return this.#world.pages.map((page) => ({ page: this.#page(page), host: this.#host(page.host) }));
  }

  #page(page: SimPage): PageMemory {
    return this.#pages[page.id] as PageMemory;
  }

  #host(host: SimHost): HostMemory {
    return this.#hosts[host.id] as HostMemory;
  }
}

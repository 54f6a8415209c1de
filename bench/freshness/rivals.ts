/**
 * Rules in use elsewhere, and the simple ones: each keeps an interval per page and looks at the last outcome. Written from
 * their documentation (Apache Nutch, `AdaptiveFetchSchedule` in nutch-default.xml; StormCrawler, `AdaptiveScheduler`), with
 * their default settings. Times are days.
 */
import { defaultRefreshPolicy } from '../../src/crawl/policy.ts';
import { nextInterval } from '../../src/crawl/schedule.ts';
import { IndexHeap } from './heap.ts';
import type { Crawler, Seen } from './simulation.ts';
import type { SimPage, World } from './world.ts';

/** A page's next interval, and from when on it counts. */
type IntervalRule = (
  interval: number,
  seen: Seen,
  t: number,
) => { readonly interval: number; readonly from: number };

const DAY_MS = 86_400_000;

/** Everything in turn. */
export const uniform: IntervalRule = (_interval, _seen, t) => ({ interval: 1e-9, from: t });

/** Freshet's `adaptive` policy: 1 h, × 1.5, × 0.5, within 30 min and 30 d. */
export const adaptive: IntervalRule = (interval, seen, t) => ({
  interval: nextInterval(interval * DAY_MS, seen.kind, defaultRefreshPolicy) / DAY_MS,
  from: t,
});

/** StormCrawler: a day, then × 1.5 and × 0.5 within an hour and two weeks. */
export const stormCrawler: IntervalRule = (interval, seen, t) => {
  const next = seen.kind === 'first' ? 1 : interval * (seen.kind === 'changed' ? 0.5 : 1.5);
  return { interval: clamp(next, 1 / 24, 14), from: t };
};

/** Nutch: 30 days, then × 1.4 and × 0.8; stretched to the page's age, and counted from 0.3 of its age ago. */
export const nutch: IntervalRule = (interval, seen, t) => {
  const next = seen.kind === 'first' ? 30 : interval * (seen.kind === 'changed' ? 0.8 : 1.4);
  const age = t - (seen.lastModified ?? t);
  return { interval: clamp(Math.max(next, age), 1 / 1_440, 90), from: t - 0.3 * age };
};

/** Most overdue first. `isScaled` stretches all intervals alike, so that together they take the budget. */
export class OverdueFirst implements Crawler {
  readonly #pages: readonly SimPage[];
  readonly #rule: IntervalRule;
  readonly #perDay: number;
  readonly #isScaled: boolean;
  readonly #intervals: Float64Array;
  readonly #due: IndexHeap;
  #demand = 0;

  constructor(world: World, perDay: number, rule: IntervalRule, isScaled = false) {
    this.#pages = world.pages;
    this.#rule = rule;
    this.#perDay = perDay;
    this.#isScaled = isScaled;
    this.#intervals = new Float64Array(world.pages.length);
    this.#due = new IndexHeap(world.pages.length);
    for (const page of world.pages) this.#due.set(page.id, -scattered(page.id));
  }

  pick(t: number): SimPage | null {
    const first = this.#due.first() as number;
    return this.#isScaled || this.#due.key(first) <= t ? (this.#pages[first] as SimPage) : null;
  }

  fetched(page: SimPage, seen: Seen, t: number): void {
    const before = this.#intervals[page.id] as number;
    const { interval, from } = this.#rule(before, seen, t);
    this.#intervals[page.id] = interval;
    this.#demand += 1 / interval - (before > 0 ? 1 / before : 0);
    this.#due.set(page.id, from + interval * (this.#isScaled ? this.#demand / this.#perDay : 1));
  }
}

/** Daily batches of what is due, the heaviest pages first: Nutch's generate by score. */
export class BatchByWeight implements Crawler {
  readonly #pages: readonly SimPage[];
  readonly #rule: IntervalRule;
  readonly #intervals: Float64Array;
  readonly #due: IndexHeap;
  readonly #batch: IndexHeap;
  #endsAt = 0;

  constructor(world: World, rule: IntervalRule) {
    const size = world.pages.length;
    this.#pages = world.pages;
    this.#rule = rule;
    this.#intervals = new Float64Array(size);
    this.#due = new IndexHeap(size);
    this.#batch = new IndexHeap(size);
    for (const page of world.pages) this.#due.set(page.id, 0);
  }

  pick(t: number): SimPage | null {
    if (t >= this.#endsAt) this.#generate(t);
    const first = this.#batch.first();
    return first === undefined ? null : (this.#pages[first] as SimPage);
  }

  fetched(page: SimPage, seen: Seen, t: number): void {
    const { interval, from } = this.#rule(this.#intervals[page.id] as number, seen, t);
    this.#intervals[page.id] = interval;
    this.#batch.remove(page.id);
    this.#due.set(page.id, from + interval);
  }

  /** Pages not fetched stay; pages fetched come back with the next batch at the earliest. */
  #generate(t: number): void {
    this.#endsAt = t + 1;
    for (let id = this.#due.first(); id !== undefined && this.#due.key(id) <= t; id = this.#due.first()) {
      this.#due.remove(id);
      this.#batch.set(id, -(this.#pages[id] as SimPage).weight);
    }
  }
}

/** A fixed order without meaning, in [0, 1): Knuth's multiplicative hash. */
function scattered(id: number): number {
  return ((id * 2_654_435_761) % 2 ** 32) / 2 ** 32;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

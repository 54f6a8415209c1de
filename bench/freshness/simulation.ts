/** Runs one crawler through one world and tells how fresh its copies were. Times are days. */
import { indexAfter, type SimPage, type World } from './world.ts';

/** What a crawler sees of a page it fetches. */
export interface Seen {
  readonly kind: 'first' | 'changed' | 'unchanged';
  readonly lastModified: number | null;
}

/** A crawler is asked for a page whenever the budget admits a fetch. */
export interface Crawler {
  /** The page to fetch; null: the turn is spent otherwise (a sitemap), or nothing is to be done. */
  pick(t: number): SimPage | null;
  fetched(page: SimPage, seen: Seen, t: number): void;
  /** Weighted freshness as the crawler believes it is. */
  believed?(t: number): number;
}

export interface Result {
  /** Weighted freshness in [0, 1], averaged over each of `windows`. */
  readonly freshness: readonly number[];
  /** Share of fetches that found nothing new. */
  readonly wasted: number;
  /** Mean of what the crawler believed its freshness to be in the last window; NaN when it has no belief. */
  readonly believed: number;
}

/** Rounds after a cold start: the first, second, third, fifth, tenth, and ten of the steady state. */
export const windows: readonly (readonly [from: number, to: number])[] = [
  [0, 1],
  [1, 2],
  [2, 3],
  [4, 5],
  [9, 10],
  [15, 25],
];
export const ROUNDS = 25;

/** Crawls with `perDay` fetches a day, evenly spread, for 25 rounds. */
export function simulate(world: World, perDay: number, crawler: Crawler): Result {
  const round = world.pages.length / perDay;
  const ledger = new Ledger(world, round);
  const slots = ROUNDS * world.pages.length;
  const sampleEvery = Math.floor(slots / ROUNDS / 2);
  const beliefs: number[] = [];
  for (let slot = 0; slot < slots; slot++) {
    const t = (slot + 0.5) / perDay;
    if (crawler.believed && slot >= 0.6 * slots && slot % sampleEvery === 0)
      beliefs.push(crawler.believed(t));
    const page = crawler.pick(t);
    if (page !== null) crawler.fetched(page, ledger.fetch(page, t), t);
  }
  return {
    freshness: ledger.close(ROUNDS * round),
    wasted: ledger.unchanged / ledger.fetches,
    believed: beliefs.reduce((sum, belief) => sum + belief, 0) / beliefs.length,
  };
}

/** Keeps when each page was fetched, and for how long each copy was right. */
export class Ledger {
  readonly #world: World;
  readonly #windows: readonly (readonly [number, number])[];
  readonly #fetchedAt: Float64Array;
  readonly #fresh = windows.map(() => 0);
  fetches = 0;
  unchanged = 0;

  constructor(world: World, round: number) {
    this.#world = world;
    this.#windows = windows.map(([from, to]) => [from * round, to * round]);
    this.#fetchedAt = new Float64Array(world.pages.length).fill(Number.NaN);
  }

  fetch(page: SimPage, t: number): Seen {
    const before = this.#fetchedAt[page.id] as number;
    const changedAt = page.changes[indexAfter(page.changes, t) - 1] ?? Number.NEGATIVE_INFINITY;
    const isFirst = Number.isNaN(before);
    const isChanged = page.habit === 'restless' || changedAt > before;
    if (!isFirst) this.#credit(page, before, t);
    this.#fetchedAt[page.id] = t;
    this.fetches++;
    if (!isFirst && !isChanged) this.unchanged++;
    return {
      kind: isFirst ? 'first' : isChanged ? 'changed' : 'unchanged',
      lastModified: lastModified(page, changedAt, t),
    };
  }

  close(t: number): number[] {
    for (const page of this.#world.pages) {
      const at = this.#fetchedAt[page.id] as number;
      if (!Number.isNaN(at)) this.#credit(page, at, t);
    }
    return this.#fresh.map((days, nth) => {
      const [from, to] = this.#windows[nth] as readonly [number, number];
      return days / (to - from) / this.#world.totalWeight;
    });
  }

  /** The copy made at `from` was right until the page changed next, or until `to`. */
  #credit(page: SimPage, from: number, to: number): void {
    const stale = page.changes[indexAfter(page.changes, from)] ?? Number.POSITIVE_INFINITY;
    const until = Math.min(stale, to);
    for (const [nth, [begin, end]] of this.#windows.entries()) {
      const days = Math.min(until, end) - Math.max(from, begin);
      if (days > 0) this.#fresh[nth] = (this.#fresh[nth] ?? 0) + page.weight * days;
    }
  }
}

function lastModified(page: SimPage, changedAt: number, t: number): number | null {
  if (page.host.lastModified === 'none') return null;
  return page.host.lastModified === 'now' || page.habit === 'restless' ? t : changedAt;
}

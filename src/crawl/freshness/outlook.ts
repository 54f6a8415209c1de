/**
 * Freshness as a number (R26): the share of weight believed fresh now, and what other budgets would buy. Both are the
 * model's own belief; bench/RESULTS-freshness.md shows how near the truth it is. Both read every page handed in: for a
 * large crawl, a sample of a thousand pages is enough.
 */
import type { CrawlMemory, IntervalBounds } from '../../types.ts';
import type { PageOfHost } from './memory.ts';
import { priorOf } from './pool.ts';
import { trustIn } from './signals.ts';
import { freshDays } from './value.ts';
import { pageBelief } from './volatility.ts';
import { chanceFresh, DAY_MS, visitsPerDay, worthwhileInterval } from './worth.ts';

/** One point of the curve from budget to freshness. */
export interface BudgetPoint {
  readonly logPrice: number;
  /** Visits a day of all pages together. */
  readonly visitsPerDay: number;
  /** Weighted share of pages that are fresh at any time, in [0, 1]. */
  readonly freshness: number;
}

/** The curve reaches prices e^±4 from today's, in steps of √e. */
const REACH = 4;
const STEP = 0.5;

/** Σ w·P(fresh) / Σ w at `now`, in [0, 1]; pages never looked at or not found are not fresh. Null when there are no pages. */
export function freshnessAt(pages: Iterable<PageOfHost>, crawl: CrawlMemory, now: number): number | null {
  let fresh = 0;
  let all = 0;
  for (const { page, host, isDoubted = false } of pages) {
    all += page.weight;
    if (page.intervalMs > 0 && !isDoubted) fresh += page.weight * chanceFresh(page, host, crawl, now);
  }
  return all > 0 ? fresh / all : null;
}

/**
 * What other budgets would buy in the long run: for a range of prices, the visits they make worthwhile, Σ 1/τ, against the
 * freshness they keep up, Σ w·G(τ)/τ / Σ w. From the dearest (fewest visits) to the cheapest. Empty without pages.
 */
export function budgetCurve(
  pages: readonly PageOfHost[],
  crawl: CrawlMemory,
  bounds: IntervalBounds,
): readonly BudgetPoint[] {
  const all = pages.reduce((sum, { page }) => sum + page.weight, 0);
  if (all <= 0) return [];
  const points: BudgetPoint[] = [];
  for (let step = REACH; step >= -REACH; step -= STEP) {
    const logPrice = crawl.logPrice + step;
    let visits = 0;
    let fresh = 0;
    for (const each of pages) {
      const intervalMs = worthwhileInterval(settled(each), each.host, { ...crawl, logPrice }, bounds);
      visits += visitsPerDay(intervalMs);
      fresh += each.page.weight * freshShare(each, crawl, intervalMs / DAY_MS);
    }
    points.push({ logPrice, visitsPerDay: visits, freshness: fresh / all });
  }
  return points;
}

/** The freshness a budget buys, read off a curve (linear in the logarithm of visits); null without a curve. */
export function freshnessFor(curve: readonly BudgetPoint[], visitsPerDay: number): number | null {
  const above = curve.findIndex((point) => point.visitsPerDay >= visitsPerDay);
  const more = curve[above];
  const less = curve[above - 1];
  if (more === undefined) return curve.at(-1)?.freshness ?? null;
  if (less === undefined || less.visitsPerDay === more.visitsPerDay) return more.freshness;
  const part = Math.log(visitsPerDay / less.visitsPerDay) / Math.log(more.visitsPerDay / less.visitsPerDay);
  return less.freshness + part * (more.freshness - less.freshness);
}

/** The part of an interval for which the copy is right: G(ρτ) / ρτ. */
function freshShare({ page, host }: PageOfHost, crawl: CrawlMemory, days: number): number {
  const exposed = trustIn(host.signals).silence * days;
  return freshDays(pageBelief(priorOf(crawl.pool, host.pool), page), exposed) / exposed;
}

/** The page as it is most of the time: no signal has come, no second look is wanted. */
function settled({ page }: PageOfHost): PageOfHost['page'] {
  return {
    ...page,
    signalledAt: null,
    volatility: page.volatility === 'suspect' ? 'unknown' : page.volatility,
  };
}

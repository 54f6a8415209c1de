/**
 * What a visit to a page is worth now, and when it will be worth its price: value.ts applied to what is remembered. Values
 * are weighted days of freshness, comparable between all pages, new ones included.
 */
import type { CrawlMemory, HostMemory, IntervalBounds } from '../../types.ts';
import type { PageMemory } from './memory.ts';
import { priorOf } from './pool.ts';
import { trustIn } from './signals.ts';
import {
  chanceDespiteSignal,
  chanceUnchanged,
  crawlValue,
  daysUntil,
  firstValue,
  signalledValue,
} from './value.ts';
import { pageBelief } from './volatility.ts';

export const DAY_MS = 86_400_000;
/** The longest interval: a quarter of a year, or this many rounds when the budget is small. */
const LONGEST_DAYS = 90;
const LONGEST_ROUNDS = 20;
/** A due page worth less than this part of the price is planned again: the price has risen since it was planned. */
const WORTHWHILE = 0.9;

/** The interval after which a visit is worth its price w·V(u) = Λ·e^μ; a suspect page is wanted as soon as allowed. */
export function worthwhileInterval(
  page: PageMemory,
  host: HostMemory,
  crawl: CrawlMemory,
  bounds: IntervalBounds,
): number {
  if (page.volatility === 'suspect') return bounds.leastMs;
  const price = Math.exp(crawl.logPrice + host.logFactor);
  const days = daysUntil(
    valueOver(page, host, crawl),
    price,
    bounds.leastMs / DAY_MS,
    bounds.mostMs / DAY_MS,
  );
  return Math.min(Math.max(Math.round(days * DAY_MS), bounds.leastMs), bounds.mostMs);
}

/** What a visit to a page that was looked at before is worth at `now`. */
export function worthAt(page: PageMemory, host: HostMemory, crawl: CrawlMemory, now: number): number {
  return valueOver(page, host, crawl)(daysSince(page, now));
}

/** What a first visit is worth to a URL of this weight. */
export function worthOfNew(weight: number, host: HostMemory, crawl: CrawlMemory): number {
  return weight * firstValue(priorOf(crawl.pool, host.pool));
}

/** False: a due page is to be planned again instead of visited. */
export function isWorthwhile(page: PageMemory, host: HostMemory, crawl: CrawlMemory, now: number): boolean {
  const price = Math.exp(crawl.logPrice + host.logFactor);
  return page.volatility === 'suspect' || worthAt(page, host, crawl, now) >= WORTHWHILE * price;
}

/** The chance that the copy of the page is right at `now`. */
export function chanceFresh(page: PageMemory, host: HostMemory, crawl: CrawlMemory, now: number): number {
  const belief = pageBelief(priorOf(crawl.pool, host.pool), page);
  const trust = trustIn(host.signals);
  const days = daysSince(page, now);
  if (page.signalledAt !== null) return chanceDespiteSignal(belief, days, trust);
  return chanceUnchanged(belief, trust.silence * days);
}

/** What one page asks of the budget; 0 before its first look. */
export function visitsPerDay(intervalMs: number): number {
  return intervalMs > 0 ? DAY_MS / intervalMs : 0;
}

/** The longest interval of a crawl whose budget visits every page once in `roundDays`. */
export function longestIntervalMs(roundDays: number): number {
  return DAY_MS * Math.max(LONGEST_DAYS, LONGEST_ROUNDS * roundDays);
}

/** Worth by days since the last look. A signal counts from the look on: it says that something changed, not when. */
function valueOver(page: PageMemory, host: HostMemory, crawl: CrawlMemory): (days: number) => number {
  const belief = pageBelief(priorOf(crawl.pool, host.pool), page);
  const trust = trustIn(host.signals);
  if (page.signalledAt !== null && trust.odds > 1) {
    return (days) => page.weight * signalledValue(belief, days, trust);
  }
  return (days) => page.weight * crawlValue(belief, days, trust.silence);
}

function daysSince(page: PageMemory, now: number): number {
  return Math.max(0, now - page.lookedAt) / DAY_MS;
}

/**
 * The price of a fetch: the threshold Λ of crawl values, common to all pages. It decides how many visits there are, and is
 * steered so that they are as many as the budget allows. Pages of a host that admits fewer visits than they want pay
 * Λ·e^μ, so that they do not clog the queue; μ ≥ 0 is steered the same way by the host's own capacity.
 *
 * Prices are kept as logarithms: they range over many powers of ten, and steps are factors.
 */

import type { Belief } from './belief.ts';
import { crawlValue } from './value.ts';

/** What is asked of a budget (or a host), and what it gives. */
export interface Load {
  /** Visits a day as planned now: Σ 1/interval over all its pages. */
  readonly demand: number;
  /** Visits a day: the budget less what robots.txt, signals and new URLs take; for a host, what its delay admits. */
  readonly available: number;
  /** Pages past their due time. */
  readonly overdue: number;
  /** Pages in all. The time the budget needs to visit each once is a round. */
  readonly pages: number;
}

/** Without a setting, a fifth of the known pages a day: five times as many visits would keep some 5 % more of them fresh. */
const USUAL_SHARE = 0.2;
/** A small site is looked at more often than that; this is one request in a quarter of an hour. */
const LEAST_BUDGET = 100;
/** Steps a round: a price can move by a factor of e in a twentieth of it, well before most plans made with it come due. */
const GAIN = 20;
/** Overdue pages are to be worked off in a fiftieth of a round, so that "due" means "soon". */
const DRAIN = 50;
/** A demand e times the budget, or 1/e of it, is answered at full speed; more is not known well enough. */
const LARGEST_EXCESS = 1;
/** e^±30 is beyond any value a page can have: a price that stands there comes back within two rounds. */
const LARGEST_LOG_PRICE = 30;

/**
 * The logarithm of the price after `days` under this load: it rises while the visits planned, and those needed to work off
 * what is overdue, are more than the budget. One call moves it by a factor of e at most, however long the pause.
 */
export function steer(logPrice: number, load: Load, days: number): number {
  if (load.pages === 0 || load.available <= 0) return logPrice;
  const round = load.pages / load.available;
  const wanted = load.demand + (DRAIN * load.overdue) / round;
  const excess = wanted > 0 ? clip(Math.log(wanted / load.available), LARGEST_EXCESS) : -LARGEST_EXCESS;
  return clip(logPrice + Math.min(GAIN * (days / round), 1) * excess, LARGEST_LOG_PRICE);
}

/** Visits a day to `pages` known pages: the setting, or the default. */
export function budgetFor(setting: number | null, pages: number): number {
  return setting ?? Math.max(LEAST_BUDGET, USUAL_SHARE * pages);
}

/**
 * Where to begin when little is known of what pages want: the logarithm of what a usual page (`weight`, `belief`) is worth when
 * every page is visited once a round. Steering goes on from there; it alone would need days where a crawl has just grown.
 */
export function usualPrice(weight: number, belief: Belief, roundDays: number): number {
  return clip(Math.log(weight * crawlValue(belief, roundDays)), LARGEST_LOG_PRICE);
}

/** The same for a host's surcharge μ: never below 0, since a fast host is no reason to visit it more. */
export function steerHost(logFactor: number, load: Load, days: number): number {
  return Math.max(0, steer(logFactor, load, days));
}

function clip(value: number, most: number): number {
  return Math.min(Math.max(value, -most), most);
}

/**
 * The oracle: knows every page's true mean rate and fetches it when its crawl value w·V(u), with
 * V(u) = (1 − e^(−λu)(1 + λu)) / λ, reaches the threshold that spends the budget (Azar et al., PNAS 2018). Optimal for
 * Poisson changes. It knows neither the hour of periodic pages, nor which bursty page is in a burst, nor signals, so a
 * crawler that learns those can pass it.
 */
import { IndexHeap } from './heap.ts';
import type { Crawler, Seen } from './simulation.ts';
import type { SimPage, World } from './world.ts';

/** In the first round a copy counts until its end; after it, new pages compete with a horizon of two months. */
const HORIZON_DAYS = 60;
/** Among pages that come due together the most valuable goes first. */
const COMPARED = 15;

export class Oracle implements Crawler {
  readonly #world: World;
  readonly #intervals: Float64Array;
  readonly #fetchedAt: Float64Array;
  readonly #due: IndexHeap;
  readonly #unseen: IndexHeap;
  readonly #round: number;
  #isColdStart = true;

  constructor(world: World, perDay: number) {
    const size = world.pages.length;
    this.#world = world;
    this.#round = size / perDay;
    this.#intervals = optimalIntervals(world, perDay);
    this.#fetchedAt = new Float64Array(size);
    this.#due = new IndexHeap(size);
    this.#unseen = new IndexHeap(size);
    for (const page of world.pages) this.#unseen.set(page.id, -firstValue(page, this.#round));
  }

  pick(t: number): SimPage | null {
    if (this.#isColdStart && t > this.#round) {
      this.#isColdStart = false;
      for (const id of this.#unseen.front(this.#unseen.size)) {
        this.#unseen.set(id, -firstValue(this.#page(id), HORIZON_DAYS));
      }
    }
    let best: SimPage | null = null;
    let most = 0;
    for (const id of this.#due.front(COMPARED)) {
      const page = this.#page(id);
      const value = page.weight * crawlValue(page.rate, t - (this.#fetchedAt[id] as number));
      if (value <= most) continue;
      best = page;
      most = value;
    }
    const unseen = this.#unseen.first();
    return unseen !== undefined && -this.#unseen.key(unseen) > most ? this.#page(unseen) : best;
  }

  fetched(page: SimPage, _seen: Seen, t: number): void {
    this.#unseen.remove(page.id);
    this.#fetchedAt[page.id] = t;
    const interval = this.#intervals[page.id] as number;
    if (Number.isFinite(interval)) this.#due.set(page.id, t + interval);
    else this.#due.remove(page.id);
  }

  #page(id: number): SimPage {
    return this.#world.pages[id] as SimPage;
  }
}

/** The intervals of the threshold at which all pages together take `perDay` fetches a day; infinite: never again. */
export function optimalIntervals(world: World, perDay: number): Float64Array {
  const intervals = new Float64Array(world.pages.length);
  const demandAt = (threshold: number): number => {
    let demand = 0;
    for (const page of world.pages) {
      const interval = intervalAt(page, threshold);
      intervals[page.id] = interval;
      demand += 1 / interval;
    }
    return demand;
  };
  demandAt(Math.exp(bisect(-40, 20, (log) => demandAt(Math.exp(log)) > perDay)));
  return intervals;
}

function intervalAt(page: SimPage, threshold: number): number {
  if (page.rate === 0 || page.weight / page.rate <= threshold) return Number.POSITIVE_INFINITY;
  const isEarly = (log: number): boolean => page.weight * crawlValue(page.rate, Math.exp(log)) < threshold;
  return Math.exp(bisect(Math.log(1e-4), Math.log(1e6), isEarly));
}

/** The point at which a predicate that is true below becomes false. */
function bisect(from: number, to: number, isBelow: (at: number) => boolean): number {
  let low = from;
  let high = to;
  for (let step = 0; step < 45; step++) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return high;
}

function crawlValue(rate: number, u: number): number {
  return rate === 0 ? 0 : (1 - Math.exp(-rate * u) * (1 + rate * u)) / rate;
}

function firstValue({ weight, rate }: SimPage, horizon: number): number {
  return weight * (rate === 0 ? horizon : -Math.expm1(-rate * horizon) / rate);
}

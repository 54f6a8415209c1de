/** How pages of the simulated web change, and what their hosts tell of it. Times are days. */

/** `restless`: a Poisson process of changes that mean something, in a page that differs at every look. */
export type Habit = 'poisson' | 'never' | 'bursty' | 'periodic' | 'restless';

export interface HostHabits {
  /** What Last-Modified says: the truth, the time of the answer, nothing. */
  readonly lastModified: 'true' | 'now' | 'none';
  /** What lastmod says: nearly every change, some of them, always now; or there is no sitemap. */
  readonly sitemap: 'full' | 'partial' | 'now' | 'none';
}

/** Random draws. */
export interface Draws {
  uniform(): number;
  between(least: number, most: number): number;
  /** Exponential: the time to the next event of a Poisson process. */
  wait(mean: number): number;
  /** Log-normal with median 1. */
  spread(sigma: number): number;
}

/** Changes of a burst on average, and how much faster than its mean a bursty page changes within it. */
const BURST = 8;
const BURST_SPEED = 20;
/** A periodic page is up to this part of its period early or late. */
const PERIOD_JITTER = 0.05;
/** Changes shown by sitemaps. */
const SHOWN = { full: 0.95, partial: 0.6, now: 0, none: 0 };
/** Dates that come without a change: one a year. */
const FALSE_SIGNALS = 0.003;
/** A page that never changes is this old on average. */
const AGE_OF_STATIC = 1_000;

export function drawsOf(uniform: () => number): Draws {
  const wait = (mean: number): number => -mean * Math.log(1 - uniform());
  // Box & Muller 1958
  const normal = (): number => Math.sqrt(2 * wait(1)) * Math.cos(2 * Math.PI * uniform());
  return {
    uniform,
    between: (least, most) => least + (most - least) * uniform(),
    wait,
    spread: (sigma) => Math.exp(sigma * normal()),
  };
}

/** When a page changes, from some changes before day 0 until `untilDay`. */
export function timesOfChange(habit: Habit, rate: number, untilDay: number, draws: Draws): Float64Array {
  if (habit === 'never') return Float64Array.of(-draws.wait(AGE_OF_STATIC));
  const times: number[] = [];
  const from = -Math.max(BURST / rate, 30);
  if (habit === 'bursty') bursts(times, from, rate, untilDay, draws);
  else if (habit === 'periodic') periods(times, from, rate, untilDay, draws);
  else for (let at = from; at < untilDay; at += draws.wait(1 / rate)) times.push(at);
  return Float64Array.from(times).sort();
}

/** The dates a page's sitemap shows, true and false ones. A sitemap that always says "now" shows none of its own. */
export function signalTimes(
  host: HostHabits,
  changes: Float64Array,
  untilDay: number,
  draws: Draws,
): Float64Array {
  const shown = SHOWN[host.sitemap];
  if (shown === 0) return new Float64Array(0);
  const times = Array.from(changes).filter(() => draws.uniform() < shown);
  for (let at = draws.wait(1 / FALSE_SIGNALS); at < untilDay; at += draws.wait(1 / FALSE_SIGNALS))
    times.push(at);
  return Float64Array.from(times).sort();
}

function bursts(times: number[], from: number, rate: number, untilDay: number, draws: Draws): void {
  for (let start = from; start < untilDay; start += draws.wait(BURST / rate)) {
    let at = start;
    do {
      times.push(at);
      at += draws.wait(1 / (BURST_SPEED * rate));
    } while (at < untilDay && draws.uniform() < 1 - 1 / BURST);
  }
}

function periods(times: number[], from: number, rate: number, untilDay: number, draws: Draws): void {
  const period = 1 / rate;
  for (let at = from + draws.uniform() * period; at < untilDay; at += period) {
    times.push(at + draws.between(-PERIOD_JITTER, PERIOD_JITTER) * period);
  }
}

/**
 * A web that changes, for measuring schedules: a few thousand pages on about a hundred hosts, with heavy-tailed rates of
 * change and weights that are alike within a host. Everything follows from the seed, and what happens to a page does not
 * depend on how long the world lasts. Times are days; the crawl begins at 0, and pages have a past.
 */
import { seededRandom } from '../seeded-random.ts';
import { type Draws, drawsOf, type Habit, type HostHabits, signalTimes, timesOfChange } from './habits.ts';

export interface SimPage {
  readonly id: number;
  readonly host: SimHost;
  readonly weight: number;
  readonly habit: Habit;
  /** Changes that mean something, a day: the mean rate. Only the oracle knows it. */
  readonly rate: number;
  /** When it changes, ascending. */
  readonly changes: Float64Array;
  /** The dates its sitemap shows for it, ascending. */
  readonly signals: Float64Array;
}

export interface SimHost extends HostHabits {
  readonly id: number;
  readonly pages: SimPage[];
}

export interface World {
  readonly hosts: readonly SimHost[];
  readonly pages: readonly SimPage[];
  readonly totalWeight: number;
}

/** Median changes a day of hosts, and how far (σ of the logarithm) hosts, and pages of one host, are spread around it. */
const MEDIAN_RATE = 0.04;
const RATE_SPREAD = { hosts: 1.5, pages: 1.5 };
const WEIGHT_SPREAD = { hosts: 1, pages: 1.3 };
const SIZE_SPREAD = 1.2;
/** Slowest and fastest pages: a change in 27 years, and one an hour. */
const RATES = { least: 1e-4, most: 24 };
/** Shares of habits; the rest are Poisson processes. */
const HABITS: readonly (readonly [Habit, number])[] = [
  ['never', 0.1],
  ['bursty', 0.12],
  ['periodic', 0.12],
  ['restless', 0.04],
];

/** The world of a seed: 2,000–6,000 pages (a tenth of that when small) on 60–150 hosts. */
export function makeWorld(seed: number, lastsDays: number, isSmall = false): World {
  const draws = drawsOf(seededRandom(seed));
  const hostCount = Math.floor(draws.between(60, 150));
  const pageCount = Math.floor(draws.between(2_000, 6_000) * (isSmall ? 0.1 : 1));
  const hosts = Array.from({ length: hostCount }, (_, id) => ({
    ...makeHost(id, draws),
    sized: draws.spread(SIZE_SPREAD),
  }));
  const totalSize = hosts.reduce((sum, { sized }) => sum + sized, 0);
  const pages: SimPage[] = [];
  for (const host of hosts) {
    const count = Math.max(1, Math.round((host.sized / totalSize) * pageCount));
    const rate = MEDIAN_RATE * draws.spread(RATE_SPREAD.hosts);
    const weight = draws.spread(WEIGHT_SPREAD.hosts);
    for (let nth = 0; nth < count; nth++) {
      const page = makePage(
        pages.length,
        host,
        rate,
        weight,
        lastsDays,
        drawsOf(seededRandom(seed, pages.length + 1)),
      );
      pages.push(page);
      host.pages.push(page);
    }
  }
  return { hosts, pages, totalWeight: pages.reduce((sum, page) => sum + page.weight, 0) };
}

/** The first index with a time later than `t`. */
export function indexAfter(times: Float64Array, t: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) > t) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A third of hosts date answers truly, a fifth with the time of the answer; half have a sitemap, two in five of them useless. */
function makeHost(id: number, draws: Draws): SimHost {
  const dating = draws.uniform();
  const mapping = draws.uniform();
  return {
    id,
    pages: [],
    lastModified: dating < 0.33 ? 'true' : dating < 0.53 ? 'now' : 'none',
    sitemap: mapping < 0.15 ? 'full' : mapping < 0.3 ? 'partial' : mapping < 0.5 ? 'now' : 'none',
  };
}

function makePage(
  id: number,
  host: SimHost,
  hostRate: number,
  hostWeight: number,
  lastsDays: number,
  draws: Draws,
): SimPage {
  const habit = drawHabit(draws.uniform());
  const drawn = hostRate * draws.spread(RATE_SPREAD.pages);
  const rate = habit === 'never' ? 0 : Math.min(RATES.most, Math.max(RATES.least, drawn));
  const weight = hostWeight * draws.spread(WEIGHT_SPREAD.pages);
  const changes = timesOfChange(habit, rate, lastsDays, draws);
  return { id, host, weight, habit, rate, changes, signals: signalTimes(host, changes, lastsDays, draws) };
}

function drawHabit(at: number): Habit {
  let below = 0;
  for (const [habit, share] of HABITS) {
    below += share;
    if (at < below) return habit;
  }
  return 'poisson';
}

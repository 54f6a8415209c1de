/**
 * How fresh each schedule keeps a simulated web, as a share of what an oracle that knows all rates would:
 * `npm run bench -- freshness`. Results and their reading are in bench/RESULTS-freshness.md.
 */
import { freshnessFor } from '../src/crawl/freshness/outlook.ts';
import { Learner } from './freshness/learner.ts';
import { Oracle } from './freshness/oracle.ts';
import { adaptive, BatchByWeight, nutch, OverdueFirst, stormCrawler, uniform } from './freshness/rivals.ts';
import { type Crawler, type Result, ROUNDS, simulate } from './freshness/simulation.ts';
import { makeWorld, type World } from './freshness/world.ts';
import type { Report } from './report.ts';

type MakeCrawler = (world: World, perDay: number) => Crawler;

interface Target {
  /** Share of the oracle's freshness in the steady state, at this budget. */
  readonly steady: Readonly<Record<string, number>>;
  /** From the first round on. */
  readonly always: number;
}

const policies: Readonly<Record<string, MakeCrawler>> = {
  uniform: (world, perDay) => new OverdueFirst(world, perDay, uniform),
  'adaptive, overdue first': (world, perDay) => new OverdueFirst(world, perDay, adaptive),
  'adaptive, scaled to budget': (world, perDay) => new OverdueFirst(world, perDay, adaptive, true),
  'Nutch rule, by weight': (world) => new BatchByWeight(world, nutch),
  'StormCrawler rule': (world, perDay) => new OverdueFirst(world, perDay, stormCrawler),
  optimal: (world, perDay) => new Learner(world, perDay, false),
  'optimal with signals': (world, perDay) => new Learner(world, perDay, true),
};
const targets: Readonly<Record<string, Target>> = {
  optimal: { steady: { '5': 0.97, '20': 0.985, '100': 0.994 }, always: 0.93 },
  'optimal with signals': { steady: { '20': 0.993 }, always: 0.93 },
};
/** Percent of pages a day. */
const BUDGETS = [5, 20, 100];
const SEEDS = [1, 2, 3];
const ROUND_NAMES = ['1', '2', '3', '5', '10'];

/** A run is a matter of luck by so much: signals that gain nothing may seem to lose this. */
const LUCK = 0.001;

/** What a policy reached on one seed: shares of the oracle's freshness, and staleness as a multiple of the oracle's. */
interface Score {
  readonly rounds: readonly number[];
  readonly steady: number;
  readonly stale: number;
  readonly result: Result;
  /** Freshness the model foretells for each of BUDGETS; empty when it has no model. */
  readonly foretold: readonly number[];
}

type Scores = ReadonlyMap<string, readonly Score[]>;

export async function run(report: Report): Promise<void> {
  const { isShort } = report.options;
  const seeds = isShort ? SEEDS.slice(0, 1) : SEEDS;
  report.note(
    'Shares of the oracle’s weighted freshness, %: the worst of all seeds. A round is a fetch for every page.',
  );
  const byBudget = (isShort ? [20] : BUDGETS).map((percent) => {
    const scores = measure(percent, seeds, report);
    for (const [name, reached] of scores) {
      const target = isShort ? '' : verdict(name, percent, reached, scores);
      report.row(`${percent} %  ${name}`, { ...figures(reached), target });
    }
    return scores;
  });
  if (!isShort) for (const [nth] of seeds.entries()) report.note(foresight(nth, byBudget));
}

/** All policies on the worlds of all seeds, the same for all. */
function measure(percent: number, seeds: readonly number[], report: Report): Scores {
  const scores = new Map<string, Score[]>();
  const share = percent / 100;
  for (const seed of seeds) {
    const world = makeWorld(seed, ROUNDS / share + 1, report.options.isShort);
    const perDay = share * world.pages.length;
    const best = simulate(world, perDay, new Oracle(world, perDay));
    for (const [name, make] of Object.entries(policies)) {
      const crawler = make(world, perDay);
      const result = simulate(world, perDay, crawler);
      const score = compare(result, best, foretold(crawler, world));
      scores.set(name, [...(scores.get(name) ?? []), score]);
    }
    const { pages, hosts } = world;
    const fresh = percentage(best.freshness.at(-1) ?? 0);
    report.note(
      `${percent} %, seed ${seed}: ${pages.length} pages, ${hosts.length} hosts, oracle ${fresh} % fresh`,
    );
  }
  return scores;
}

function compare(result: Result, best: Result, foretold: readonly number[]): Score {
  const shares = result.freshness.map((fresh, nth) => fresh / (best.freshness[nth] ?? 1));
  return {
    rounds: shares.slice(0, -1),
    steady: shares.at(-1) ?? 0,
    stale: (1 - (result.freshness.at(-1) ?? 0)) / (1 - (best.freshness.at(-1) ?? 0)),
    result,
    foretold,
  };
}

/** Freshness at each budget according to the model, once it has crawled. */
function foretold(crawler: Crawler, world: World): number[] {
  if (!(crawler instanceof Learner)) return [];
  const curve = crawler.curve();
  return BUDGETS.map((percent) => freshnessFor(curve, (percent / 100) * world.pages.length) ?? Number.NaN);
}

function figures(reached: readonly Score[]): Record<string, string> {
  const worst = (pick: (score: Score) => number): string => percentage(Math.min(...reached.map(pick)));
  const mean = (pick: (score: Score) => number): number =>
    reached.reduce((sum, score) => sum + pick(score), 0) / reached.length;
  const believed = mean(({ result }) => result.believed);
  return {
    ...Object.fromEntries(
      ROUND_NAMES.map((round, nth) => [`round ${round}`, worst((score) => score.rounds[nth] ?? 0)]),
    ),
    steady: worst(({ steady }) => steady),
    best: percentage(Math.max(...reached.map(({ steady }) => steady))),
    'stale ×': Math.max(...reached.map(({ stale }) => stale)).toFixed(2),
    'wasted %': percentage(mean(({ result }) => result.wasted)),
    'fresh %': percentage(mean(({ result }) => result.freshness.at(-1) ?? 0)),
    'believed %': Number.isNaN(believed) ? '' : percentage(believed),
  };
}

function verdict(name: string, percent: number, reached: readonly Score[], all: Scores): string {
  const target = targets[name];
  if (target === undefined) return '';
  const steady = target.steady[percent];
  const without = name === 'optimal' ? [] : (all.get('optimal') ?? []);
  const isMet = reached.every(
    (score, nth) =>
      score.steady >= (steady ?? 0) &&
      score.steady >= (without[nth]?.steady ?? 0) - LUCK &&
      score.rounds.every((share) => share >= target.always),
  );
  const wanted = [
    ...(steady === undefined ? [] : [`≥ ${percentage(steady)}`]),
    ...(without.length === 0 ? [] : ['≥ without']),
    `rounds ≥ ${percentage(target.always)}`,
  ];
  return `${wanted.join(', ')}: ${isMet ? 'met' : 'missed'}`;
}

/** What the model, having crawled with the middle budget, says of all budgets, beside what they then bought. */
function foresight(seed: number, byBudget: readonly Scores[]): string {
  const said = byBudget[1]?.get('optimal')?.[seed]?.foretold ?? [];
  const pairs = BUDGETS.map((percent, nth) => {
    const fresh = byBudget[nth]?.get('optimal')?.[seed]?.result.freshness.at(-1) ?? 0;
    return `${percent} % → ${percentage(said[nth] ?? 0)} (is ${percentage(fresh)})`;
  });
  return `seed ${SEEDS[seed]}: at 20 % the model foretells ${pairs.join(', ')}`;
}

function percentage(share: number): string {
  return (100 * share).toFixed(1);
}

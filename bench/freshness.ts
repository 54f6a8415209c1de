/**
 * How fresh each schedule keeps a simulated web, as a share of what an oracle that knows all rates would: `npm run bench -- freshness`.
 * Results and their reading are in bench/RESULTS-freshness.md.
 */
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

/** What a policy reached on one seed: shares of the oracle's freshness, and staleness as a multiple of the oracle's. */
interface Score {
  readonly rounds: readonly number[];
  readonly steady: number;
  readonly stale: number;
  readonly result: Result;
}

export async function run(report: Report): Promise<void> {
  const seeds = report.options.isShort ? SEEDS.slice(0, 1) : SEEDS;
  report.note(
    'Share of the oracle’s weighted freshness, %; the worst of all seeds. A round is one fetch for every page.',
  );
  for (const percent of report.options.isShort ? [20] : BUDGETS) {
    const scores = measure(percent, seeds, report);
    for (const [name, reached] of scores)
      report.row(`${percent} %  ${name}`, figures(name, percent, reached, scores));
  }
}

/** All policies on the worlds of all seeds, which are the same for all. */
function measure(percent: number, seeds: readonly number[], report: Report): Map<string, Score[]> {
  const scores = new Map<string, Score[]>();
  const share = percent / 100;
  for (const seed of seeds) {
    const world = makeWorld(seed, ROUNDS / share + 1, report.options.isShort);
    const perDay = share * world.pages.length;
    const best = simulate(world, perDay, new Oracle(world, perDay));
    for (const [name, make] of Object.entries(policies)) {
      const crawler = make(world, perDay);
      const score = compare(simulate(world, perDay, crawler), best);
      scores.set(name, [...(scores.get(name) ?? []), score]);
      if (crawler instanceof Learner)
        report.note(told(`${percent} %, seed ${seed}, ${name}`, crawler, score.result, world));
    }
    const oracleSteady = (100 * (best.freshness.at(-1) ?? 0)).toFixed(1);
    report.note(
      `${percent} %, seed ${seed}: ${world.pages.length} pages, ${world.hosts.length} hosts; oracle ${oracleSteady} % fresh`,
    );
  }
  return scores;
}

function compare(result: Result, best: Result): Score {
  const shares = result.freshness.map((fresh, nth) => fresh / (best.freshness[nth] ?? 1));
  return {
    rounds: shares.slice(0, -1),
    steady: shares.at(-1) ?? 0,
    stale: (1 - (result.freshness.at(-1) ?? 0)) / (1 - (best.freshness.at(-1) ?? 0)),
    result,
  };
}

function figures(
  name: string,
  percent: number,
  reached: readonly Score[],
  all: ReadonlyMap<string, readonly Score[]>,
): Record<string, string> {
  const worst = Math.min(...reached.map(({ steady }) => steady));
  const rounds = ROUND_NAMES.map((round, nth) => {
    const least = Math.min(...reached.map((score) => score.rounds[nth] ?? 0));
    return [`round ${round}`, (100 * least).toFixed(1)];
  });
  const wasted = reached.reduce((sum, { result }) => sum + result.wasted, 0) / reached.length;
  return {
    ...Object.fromEntries(rounds),
    steady: (100 * worst).toFixed(1),
    best: (100 * Math.max(...reached.map(({ steady }) => steady))).toFixed(1),
    'stale ×': Math.max(...reached.map(({ stale }) => stale)).toFixed(2),
    'wasted %': (100 * wasted).toFixed(0),
    target: verdict(name, percent, reached, all),
  };
}

function verdict(
  name: string,
  percent: number,
  reached: readonly Score[],
  all: ReadonlyMap<string, readonly Score[]>,
): string {
  const target = targets[name];
  if (target === undefined) return '';
  const steady = target.steady[percent];
  const without = name === 'optimal' ? [] : (all.get('optimal') ?? []);
  const isMet = reached.every(
    (score, nth) =>
      score.steady >= (steady ?? 0) &&
      score.steady >= (without[nth]?.steady ?? 0) &&
      score.rounds.every((share) => share >= target.always),
  );
  const wanted = steady === undefined ? '≥ without' : `≥ ${(100 * steady).toFixed(1)}`;
  return `${wanted}, ≥ ${100 * target.always} in all rounds: ${isMet ? 'met' : 'missed'}`;
}

/** What the model says of itself, beside the truth. */
function told(title: string, learner: Learner, result: Result, world: World): string {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const curve = learner.curve();
  const foretold = BUDGETS.map((budget) => {
    const enough = curve.find(({ visitsPerDay }) => visitsPerDay >= (budget / 100) * world.pages.length);
    return `${budget} % → ${enough === undefined ? '?' : percent(enough.freshness)}`;
  });
  const truth = percent(result.freshness.at(-1) ?? 0);
  return `${title}: believes ${percent(result.believed)} fresh, is ${truth}; foretells ${foretold.join(', ')}`;
}

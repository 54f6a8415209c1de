/**
 * Is the real crawler as fresh as the model? `npm run bench -- freshness-crawl`: the product's frontier and visits beside the model
 * in its arrays, in the same simulated web with the same budget; signals are left out.
 */
import { Learner } from './freshness/learner.ts';
import { Oracle } from './freshness/oracle.ts';
import { crawlForReal, withPriorities } from './freshness/real-crawl.ts';
import { ROUNDS, simulate } from './freshness/simulation.ts';
import { makeWorld } from './freshness/world.ts';
import type { Report } from './report.ts';

/** Percent of pages a day. */
const BUDGETS = [5, 20, 100];
const SEED = 2;

export async function run(report: Report): Promise<void> {
  const { isShort } = report.options;
  for (const percent of isShort ? [20] : BUDGETS) {
    const world = withPriorities(makeWorld(SEED, (ROUNDS * 100) / percent + 1, true));
    const perDay = Math.round((percent / 100) * world.pages.length);
    const steady = (freshness: readonly number[]): number => freshness.at(-1) ?? 0;
    const oracle = steady(simulate(world, perDay, new Oracle(world, perDay)).freshness);
    const model = steady(simulate(world, perDay, new Learner(world, perDay, false)).freshness);
    const real = await crawlForReal(world, perDay);
    report.row(`${percent} %`, {
      pages: world.pages.length,
      'oracle, fresh %': percentage(oracle),
      'model, % of it': percentage(model / oracle),
      'crawler, % of it': percentage(steady(real.freshness) / oracle),
      'budget spent %': percentage(real.spent),
      'wasted %': percentage(real.wasted),
    });
  }
}

function percentage(share: number): string {
  return (100 * share).toFixed(1);
}

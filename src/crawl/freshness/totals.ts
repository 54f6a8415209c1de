/** What the pages of a host, or of the crawl, add up to: those of which a good copy is held. */
import type { Pool } from '../../types.ts';
import type { PageMemory } from './memory.ts';
import { contribution, emptyPool } from './pool.ts';
import { evidenceShown } from './volatility.ts';
import { visitsPerDay } from './worth.ts';

/** Must change with the rules by which pages count: totals kept by other rules are then added up anew. */
export const TOTALS_VERSION = '1';

/** Kept by adding differences (rounding: 10⁹ of them shift a sum by 10⁻⁷ of it); can be made anew by a pass over all pages. */
export interface Totals {
  readonly pool: Pool;
  readonly pages: number;
  readonly weight: number;
  /** Visits a day, as planned. */
  readonly demand: number;
}

export const noPages: Totals = { pool: emptyPool, pages: 0, weight: 0, demand: 0 };

/** What one page adds to the totals of its host and of the crawl. */
export function totalsOf(page: PageMemory): Totals {
  return {
    pool: contribution(evidenceShown(page)),
    pages: 1,
    weight: page.weight,
    demand: visitsPerDay(page.intervalMs),
  };
}

/** Totals once `before` has become `after`. */
export function totalsAfter(totals: Totals, before: Totals, after: Totals): Totals {
  return {
    pool: {
      sum: totals.pool.sum + after.pool.sum - before.pool.sum,
      count: totals.pool.count + after.pool.count - before.pool.count,
    },
    pages: totals.pages + after.pages - before.pages,
    weight: totals.weight + after.weight - before.weight,
    demand: totals.demand + after.demand - before.demand,
  };
}

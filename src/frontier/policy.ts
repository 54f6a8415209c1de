/** The settings of a frontier; the defaults are those of the requirements. */
import type { PolitenessPolicy } from '../crawl/politeness.ts';
import type { CrawlOrder } from './order.ts';

export interface FrontierPolicy extends PolitenessPolicy {
  /** Loans of one host out at once (R10). */
  readonly perHost: number;
  /** A loan ends by itself after this long. Longer than any visit may take (R17: 120 s a request). */
  readonly leaseMs: number;
  /** URLs the work queue holds in memory, over all hosts (R27). */
  readonly queueCapacity: number;
  /** How long a new URL waits for room in the work queue before it is left to the disk (R27). */
  readonly waitMs: number;
  /** URLs known of one host; further ones are refused with `limit.host` (R3, R5). */
  readonly maxUrlsPerHost: number;
  /** Depth limit of the crawl: links of pages at this depth were refused, so such a page is fetched again when it turns out to be nearer (R2). */
  readonly maxDepth: number;
  /** When known pages are visited again. */
  readonly refresh: PlanningPolicy;
  /** Which new URL of a host comes first (R8). */
  readonly order: CrawlOrder;
}

/** What plans made without a visit go by (crawl/freshness/). */
export interface PlanningPolicy {
  /** optimal: plans are made anew as prices move and signals come · adaptive: a plan made by a visit stands. */
  readonly kind: 'optimal' | 'adaptive';
  /** Visits a day to pages that are known; null: the default of crawl/freshness/price.ts. */
  readonly budget: number | null;
  readonly minMs: number;
  /** Null: as long as crawl/freshness/worth.ts allows. */
  readonly maxMs: number | null;
}

export const defaultFrontierPolicy: FrontierPolicy = {
  delayMs: 1_000,
  delayJitterMs: 0,
  perHost: 2,
  leaseMs: 600_000,
  queueCapacity: 10_000,
  waitMs: 5_000,
  maxUrlsPerHost: Number.POSITIVE_INFINITY,
  maxDepth: 5,
  refresh: { kind: 'optimal', budget: null, minMs: 1_800_000, maxMs: null },
  order: 'breadth',
};

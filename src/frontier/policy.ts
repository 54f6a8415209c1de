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
  /** Which new URL of a host comes first (R8). */
  readonly order: CrawlOrder;
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
  order: 'breadth',
};

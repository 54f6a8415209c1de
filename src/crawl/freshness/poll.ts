/**
 * When to ask a host for its signals (its sitemap or feed). A sitemap is scheduled like a page: it is worth as much as the
 * changes it brings to light, and pays the same price.
 */
import type { CrawlMemory, HostMemory, IntervalBounds } from '../../types.ts';
import { priorOf } from './pool.ts';
import { signalYield } from './signals.ts';
import { crawlValue, daysUntil } from './value.ts';
import { DAY_MS } from './worth.ts';

/** Pages found changed still cost a fetch each, and most would be visited anyway. From 0.2 to 1 results are alike. */
const GAIN_OF_KNOWING = 0.5;

/**
 * The interval, ms, at which polling is worth its price: that of a usual page of the host, of the weight of all its pages
 * times the part of changes that signals show. A host without trust is asked as rarely as allowed.
 */
export function pollInterval(host: HostMemory, crawl: CrawlMemory, bounds: IntervalBounds): number {
  const weight = GAIN_OF_KNOWING * signalYield(host.signals) * host.weight;
  const belief = priorOf(crawl.pool, host.pool);
  const price = Math.exp(crawl.logPrice);
  const worth = (days: number): number => weight * crawlValue(belief, days);
  return Math.round(DAY_MS * daysUntil(worth, price, bounds.leastMs / DAY_MS, bounds.mostMs / DAY_MS));
}

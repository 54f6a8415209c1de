/**
 * What the freshness model remembers: a few numbers for a page, a host and the crawl. Plain data;
 * docs/decisions/0007-freshness.md says which columns keep it.
 */
import { type Evidence, noEvidence } from './belief.ts';
import { emptyPool, type Pool } from './pool.ts';
import { noSignals, type SignalCounts } from './signals.ts';
import { calm, type Restlessness } from './volatility.ts';

export interface PageMemory extends Restlessness {
  /** How much its freshness counts (importance.ts); around 1. */
  readonly weight: number;
  readonly evidence: Evidence;
  /** The last look: an answer with content, or 304. Errors and losses are none. Meaningless while `intervalMs` is 0. */
  readonly lookedAt: number;
  /** From the last look to the next visit, as planned; 0 before the first look. Under `adaptive`, the rule's own state. */
  readonly intervalMs: number;
  /** When the page has changed, according to the first signal since the last look; null: none has come. */
  readonly signalledAt: number | null;
}

export interface HostMemory {
  readonly pool: Pool;
  readonly signals: SignalCounts;
  /** μ, the logarithm of the host's surcharge on the price (price.ts). */
  readonly logFactor: number;
}

export interface CrawlMemory {
  readonly pool: Pool;
  /** The logarithm of the price Λ (price.ts). */
  readonly logPrice: number;
}

/** A page and the host it is on. */
export interface PageOfHost {
  readonly page: PageMemory;
  readonly host: HostMemory;
}

/** A page that was never looked at. */
export function newPage(weight: number): PageMemory {
  return { ...calm, weight, evidence: noEvidence, lookedAt: 0, intervalMs: 0, signalledAt: null };
}

export const newHost: HostMemory = { pool: emptyPool, signals: noSignals, logFactor: 0 };
export const newCrawl: CrawlMemory = { pool: emptyPool, logPrice: 0 };

/**
 * What the freshness model remembers of a page. Plain data; what it remembers of hosts and of the crawl, which travels with a
 * loan, is in types.ts.
 */
import type { CrawlMemory, Evidence, HostMemory, PageRecord } from '../../types.ts';
import { noEvidence } from './belief.ts';
import { importance } from './importance.ts';
import { emptyPool } from './pool.ts';
import { noSignals } from './signals.ts';
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

/** A page and the host it is on. */
export interface PageOfHost {
  readonly page: PageMemory;
  readonly host: HostMemory;
  /** The last look did not find the page, and its copy is kept for now. */
  readonly isDoubted?: boolean;
}

/** A page that was never looked at. */
export function newPage(weight: number): PageMemory {
  return { ...calm, weight, evidence: noEvidence, lookedAt: 0, intervalMs: 0, signalledAt: null };
}

export const newHost: HostMemory = { pool: emptyPool, signals: noSignals, logFactor: 0, weight: 0 };
export const newCrawl: CrawlMemory = { pool: emptyPool, logPrice: 0 };

type Remembered = Pick<
  PageRecord,
  | 'depth'
  | 'priority'
  | 'evidence'
  | 'volatility'
  | 'changesInRow'
  | 'lookedAt'
  | 'intervalMs'
  | 'signalledAt'
>;

/** The memory of a page, as its record has it. */
export function memoryOf(record: Remembered): PageMemory {
  const { evidence, volatility, changesInRow, lookedAt, intervalMs, signalledAt } = record;
  return {
    weight: importance(record.depth, record.priority),
    evidence,
    volatility,
    changesInRow,
    lookedAt: lookedAt ?? 0,
    intervalMs: lookedAt === null ? 0 : intervalMs,
    signalledAt,
  };
}

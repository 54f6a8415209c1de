/**
 * The frontier: all URLs known, when each is due, and the politeness of every host. It lends a URL only when its
 * host has rested and has a free slot, so no caller, no worker and no restart can be impolite (R10).
 *
 * Guarantees every implementation gives (test/contract/frontier.ts):
 * - A URL is lent to one borrower at a time. A loan ends with `finish`, `release`, or by the clock at its `lease`
 *   instant; an ended loan can change nothing (fencing).
 * - Two loans of one host start at least its delay apart and at most `perHost` are out at once, whoever asks.
 * - `add` of a known URL adds nothing and loses nothing; it lowers the depth when the new way is shorter.
 * - What `add` or `finish` has acknowledged survives a crash.
 */
import type { CrawlRequest, Link, MaybePromise, PageRecord, VisitOutcome } from '../types.ts';

export interface AddResult {
  /** URLs that were not known before. */
  readonly added: number;
  readonly known: number;
  /** URLs refused because their host's quota is spent (`limit.host`). */
  readonly refused: number;
}

export interface AddOptions {
  /** Make known URLs due now as well (`crawl --now`, `recrawl`). */
  readonly force?: boolean;
  /** False: does not wait for room in the work queue; for the crawl itself, which empties it. */
  readonly waits?: boolean;
}

/** What is to be remembered of a URL, and when it is due. */
export interface Amendment {
  readonly record: PageRecord;
  readonly nextVisitAt: number;
}

/** One row of the host table. */
export interface HostStatus {
  readonly host: string;
  /** URLs known of it. */
  readonly known: number;
  /** Loans out now. */
  readonly inFlight: number;
  /** Rest between request starts in force now, back-off included. */
  readonly delayMs: number;
  readonly crawlDelayMs: number | null;
  /** Back-off steps (crawl/politeness.ts): one more for each unhealthy answer, half as many after a healthy one. */
  readonly failures: number;
  readonly lastRequestAt: number | null;
  /** Earliest next loan; null when nothing of the host is scheduled. */
  readonly readyAt: number | null;
}

export interface FrontierStats {
  readonly known: number;
  /** URLs never fetched and waiting for their turn. */
  readonly waiting: number;
  /** Fetched URLs that are due now; counted up to 100,000. */
  readonly due: number;
  /** URLs that will be visited again at some instant, due ones included. */
  readonly scheduled: number;
  readonly inFlight: number;
  readonly hosts: number;
  readonly queue: QueueStats;
}

/** The bounded in-memory work queue in front of the disk (R27). */
export interface QueueStats {
  readonly capacity: number;
  readonly depth: number;
  /** URLs waiting for room right now. */
  readonly waiting: number;
  /** URLs that ever waited for room, and the longest such wait. */
  readonly waited: number;
  readonly longestWaitMs: number;
  /** URLs left to the disk for want of room, and URLs that came back from it. */
  readonly spilled: number;
  readonly refilled: number;
}

export interface Frontier {
  /**
   * Makes URLs known; they are durable when this returns. Seeds, commands, spiders: the promise resolves when each new URL
   * has room in the work queue or has waited its time and gone to disk, so a producer faster than the crawl is slowed down.
   */
  add(links: readonly Link[], options?: AddOptions): Promise<AddResult>;
  /** Lends up to `max` URLs whose hosts are ready now, the most pressing first, hosts in turn. */
  lease(max: number): MaybePromise<CrawlRequest[]>;
  /**
   * Takes loans back with all they brought: new record, next visit, links found, host effects. Stale loans are ignored.
   * Never waits for room. Returns the outcomes that were not stale.
   */
  finish(outcomes: readonly VisitOutcome[]): MaybePromise<readonly VisitOutcome[]>;
  /** Gives loans back untouched, as if never lent; the host's rest stays. */
  release(requests: readonly CrawlRequest[]): MaybePromise<void>;
  /**
   * Takes one turn of another host for a request made on its account (a robots.txt redirect to it).
   * Returns 0 when the turn is taken, or the milliseconds until it may be asked for again.
   */
  takeTurn(host: string): MaybePromise<number>;
  /**
   * When the next loan may be had; null when there is none to come. May be in the past. With `patienceMs`, only hosts
   * count that are ready within it, or within their own delay when that is longer (a Crawl-delay may be a day).
   */
  nextReadyAt(patienceMs?: number): MaybePromise<number | null>;
  /** Is this loan still in force? False once finished, released or expired. */
  holds(request: CrawlRequest): boolean;
  /** What is remembered of a normalised URL; null when it is not known. */
  find(url: string): MaybePromise<PageRecord | null>;
  host(host: string): MaybePromise<HostStatus | null>;
  stats(): MaybePromise<FrontierStats>;
}

/** What the web application asks of the store besides searching and snapshots, and the one thing it leaves there. */
import type { KeyCheck } from '../crawl/push.ts';
import type { NewSubmission } from '../store/submissions.ts';
import type { MaybePromise } from '../types.ts';

/** An indexed page. */
export interface PageInfo {
  readonly url: string;
  readonly title: string;
  /** Last time the page was seen, changed or not. */
  readonly fetchedAt: number;
  /** False: the page asks that no copy of it be shown (noarchive). */
  readonly hasSnapshot: boolean;
}

export interface WebStatus {
  /** Pages that can be searched. */
  readonly documents: number;
  /** URLs known, fetched or not. */
  readonly known: number;
  /** Last answer of any page; null before the first. */
  readonly lastFetchedAt: number | null;
}

/** Numbers for monitoring; null: not known yet. */
export interface WebMetrics {
  readonly documents: number;
  readonly states: readonly { readonly state: string; readonly count: number }[];
  /** Fetched URLs that are due. */
  readonly overdue: number;
  /** Removals held by the mass-loss brake. */
  readonly held: number;
  readonly freshness: {
    /** Share of pages believed current, in [0, 1]. */
    readonly expectedCurrent: number | null;
    readonly meanAgeMs: number | null;
    /** Visits a day. */
    readonly budget: number | null;
    readonly planned: number;
    readonly looks: number;
    readonly wasted: number;
    readonly savedBytes: number;
    /** What multiples of today's budget keep current. */
    readonly curve: readonly { readonly multiple: number; readonly freshness: number }[];
  };
}

export interface WebReads {
  /** An indexed page by its id; null when it is not in the index. */
  page(id: number): MaybePromise<PageInfo | null>;
  /** Cheap enough to be asked with every page. */
  status(): MaybePromise<WebStatus>;
  /** Counts a few tables: for once in some seconds. */
  metrics(): MaybePromise<WebMetrics>;
}

/** Where pushed URLs are left for the crawler. */
export interface Inbox {
  /** Is it the queue key of a host that is crawled? */
  isCrawled(host: string): boolean;
  /** What the last look at a key file found, by its frontier key; null: there was none. */
  check(keyFile: string): KeyCheck | null;
  /** False when the store is busy. */
  put(submission: NewSubmission, nowMs: number): boolean;
}

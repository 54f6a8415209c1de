/** Full-text search over documents. One page is one unit: put replaces all of it, however often it comes (R30). */
import type { Document, MaybePromise, VisitOutcome } from '../types.ts';
import type { Query } from './query.ts';

export interface SearchHit {
  readonly id: number;
  readonly url: string;
  readonly host: string;
  readonly title: string;
  /** Best passage, HTML-free text; `marks` are the [start, end) offsets of query words in it. */
  readonly snippet: string;
  readonly marks: readonly (readonly [start: number, end: number])[];
  readonly titleMarks: readonly (readonly [start: number, end: number])[];
  readonly language: string | null;
  readonly score: number;
  readonly fetchedAt: number;
  readonly changedAt: number | null;
  readonly hasSnapshot: boolean;
  /** Other URLs with the same content, folded into this hit. */
  readonly duplicates: readonly string[];
  /** Pages of the host with nearly the same text that stand behind this hit; those that match less well may be missing. */
  readonly similar: number;
}

export interface SearchOptions {
  /** Hits to return; default 10. */
  readonly limit?: number;
  /** Hits to leave out first; default 0. */
  readonly offset?: number;
  /** Shows pages with nearly the same text as hits of their own. */
  readonly isUnfolded?: boolean;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /**
   * Pages that match; exact up to a bound, then a lower bound (`isTotalExact` false). Pages with the same content count once,
   * pages with nearly the same text each.
   */
  readonly total: number;
  readonly isTotalExact: boolean;
  /** More hits follow, and paging can reach them. */
  readonly hasMore: boolean;
  /** So few pages have all the words that pages with most of them follow. */
  readonly isRelaxed: boolean;
}

export interface SearchIndex {
  /** Applies the document actions of these outcomes. */
  write(outcomes: readonly VisitOutcome[]): MaybePromise<void>;
  search(query: Query, options?: SearchOptions): MaybePromise<SearchResult>;
  /** The document of a page, null when it has none. */
  document(id: number): MaybePromise<Document | null>;
  /** Does another page of the host have this content? */
  isElsewhere(id: number, host: string, contentHash: string): MaybePromise<boolean>;
  /** Documents in the index. */
  count(): MaybePromise<number>;
}

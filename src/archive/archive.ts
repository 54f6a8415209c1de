/** Keeps what was fetched. The embedded archive writes in the same transaction as index and frontier. */
import type { HeaderList, MaybePromise, VisitOutcome } from '../types.ts';

/** One stored answer. */
export interface Snapshot {
  readonly url: string;
  readonly at: number;
  readonly status: number;
  readonly headers: HeaderList;
  readonly remoteAddress: string | null;
  /** Encoding the page was decoded with. */
  readonly encoding: string;
  /** Body after content decoding. */
  readonly bytes: Uint8Array;
}

export interface Archive {
  /** Stores the captures of these outcomes. One with the same body as the newest version adds nothing: a version begins when its content was first seen. */
  write(outcomes: readonly VisitOutcome[]): MaybePromise<void>;
  /** The newest version of a page, or the one in force at `at`; null when none was kept. */
  read(urlId: number, at?: number): MaybePromise<Snapshot | null>;
}

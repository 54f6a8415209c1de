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
  /** Stores the captures of these outcomes; the latest replaces earlier ones of the same content. */
  write(outcomes: readonly VisitOutcome[]): MaybePromise<void>;
  /** The newest snapshot of a page, or the one in force at `at`. */
  read(urlId: number, at?: number): MaybePromise<Snapshot | null>;
}

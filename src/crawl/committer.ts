/**
 * Writes what visits want changed: archive → index → robots → submissions → frontier, the frontier last, for a group of
 * visits at once (R29).
 * Embedded, the group is one transaction; distributed, the steps run in this order and a crash in between repeats a
 * fetch and loses nothing, because every step is idempotent.
 */
import type { Archive } from '../archive/archive.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { SearchIndex } from '../search/search-index.ts';
import type { MaybePromise, RobotsRecord, VisitOutcome } from '../types.ts';

/** Runs steps as one unit: all of them or, as far as the stores allow, none. */
export type UnitOfWork = (steps: readonly (() => MaybePromise<unknown>)[]) => Promise<void>;

export interface Stores {
  readonly archive: Pick<Archive, 'write'>;
  readonly index: Pick<SearchIndex, 'write'>;
  readonly robots: { write(records: readonly RobotsRecord[]): MaybePromise<void> };
  readonly submissions: { write(outcomes: readonly VisitOutcome[]): MaybePromise<void> };
  readonly frontier: Pick<Frontier, 'finish' | 'holds'>;
}

export interface Committer {
  /** Commits a group and returns the outcomes that took effect; those whose loan had ended are left out. */
  commit(outcomes: readonly VisitOutcome[]): Promise<readonly VisitOutcome[]>;
}

/** Judges a group as a whole before it is written: holds removals back when a host loses too many pages (removals.ts). */
export type Review = (outcomes: readonly VisitOutcome[]) => readonly VisitOutcome[];

export function createCommitter(
  stores: Stores,
  unitOfWork: UnitOfWork,
  review: Review = (outcomes) => outcomes,
): Committer {
  return {
    async commit(outcomes) {
      let effective: readonly VisitOutcome[] = [];
      await unitOfWork([
        // A late worker must not overwrite a newer page: outcomes of ended loans are dropped before anything is written.
        () => {
          effective = review(outcomes.filter((outcome) => stores.frontier.holds(outcome.request)));
        },
        () => stores.archive.write(effective),
        () => stores.index.write(effective),
        () => stores.robots.write(effective.flatMap((outcome) => outcome.robots ?? [])),
        () => stores.submissions.write(effective),
        () => stores.frontier.finish(effective),
      ]);
      return effective;
    },
  };
}

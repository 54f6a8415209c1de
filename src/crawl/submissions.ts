/** Takes up what the serving process has written down (IndexNow): the key files that submissions name become due. */
import type { Frontier } from '../frontier/frontier.ts';
import type { Log } from '../log.ts';
import type { MaybePromise, VisitOutcome } from '../types.ts';
import { admitList, type Gate } from './gate.ts';
import { locationOf, type Submission, type SubmissionSource } from './push.ts';

/** Where submissions wait. */
export interface SubmissionStore {
  /** Frontier keys of the key files they name. */
  keyFiles(): readonly string[];
  waiting(keyFile: string): readonly Submission[];
  drop(ids: readonly number[]): void;
}

export interface SubmissionDesk extends SubmissionSource {
  /** Makes the key files due that new submissions name. */
  collect(): Promise<void>;
  /** Takes away what visits have dealt with; part of the caller's transaction. */
  write(outcomes: readonly VisitOutcome[]): MaybePromise<void>;
}

/** Key files taken up at one look; the crawl stands still meanwhile. */
const MOST_AT_ONCE = 100;

/** Key files are files of their host, so the gate for lists is theirs; none is fetched outside of the sites. */
export function createSubmissionDesk(
  store: SubmissionStore,
  {
    frontier,
    gate,
    log,
  }: { readonly frontier: Pick<Frontier, 'add'>; readonly gate: Gate; readonly log: Log },
): SubmissionDesk {
  /** Key files that are due or being tried again, so that the frontier is told of each once. */
  const underWay = new Set<string>();

  /** False when it may not be visited. */
  async function makeDue(keyFile: string): Promise<boolean> {
    if (!admitList(gate, locationOf(keyFile)).isAdmitted) return false;
    const link = {
      url: keyFile,
      kind: 'key',
      depth: 0,
      priority: 100,
      redirects: 0,
      referrerId: null,
    } as const;
    return (await frontier.add([link], { waits: false })).refused === 0;
  }

  return {
    async collect() {
      const fresh = store.keyFiles().filter((keyFile) => !underWay.has(keyFile));
      for (const keyFile of fresh.slice(0, MOST_AT_ONCE)) {
        if (await makeDue(keyFile)) underWay.add(keyFile);
        else {
          log.warn('pushed URLs dropped: their key file may not be visited', { url: locationOf(keyFile) });
          store.drop(store.waiting(keyFile).map(({ id }) => id));
        }
      }
    },
    waiting: (keyFile) => store.waiting(keyFile),
    write(outcomes) {
      for (const { record, submissions } of outcomes) {
        if (submissions === undefined) continue;
        store.drop(submissions);
        underWay.delete(record.url);
        if (record.contentHash === null)
          log.info('key file refused', { url: record.url, reason: record.reason });
      }
    },
  };
}

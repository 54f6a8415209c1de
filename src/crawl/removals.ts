/**
 * Removals between visit and store: the brake's place in the commit, and what people do with what it held or with what is gone.
 * The commands are transactions of their own.
 */
import type { Clock } from '../clock.ts';
import type { Amendment } from '../frontier/frontier.ts';
import type { PageRecord, VisitOutcome } from '../types.ts';
import { type BrakePolicy, type HeldHost, type HeldPage, type HostLoss, mustHold } from './brake.ts';
import type { Review, UnitOfWork } from './committer.ts';

/** What can be done about removals. Each is one transaction; nothing is done by halves. */
export interface Removals {
  readonly review: Review;
  /** Hosts with removals that wait for a person. */
  held(): readonly HeldHost[];
  /** Applies held removals of a host, or (null) of all. Returns how many pages went. */
  applyHeld(host: string | null): Promise<number>;
  /** Discards them: the documents stay and the pages are due now, with no strike against them. Returns how many. */
  discardHeld(host: string | null): Promise<number>;
  /** Brings a removed page back, searchable at once and due now. False when nothing of it is kept. */
  undelete(id: number): Promise<boolean>;
}

export function createRemovals(parts: RemovalParts, unitOfWork: UnitOfWork, clock: Clock): Removals {
  const change = async <Result>(work: (nowMs: number) => Result): Promise<Result> => {
    const results: Result[] = [];
    await unitOfWork([() => results.push(work(clock.now()))]);
    return results[0] as Result;
  };
  return {
    review: (outcomes) => reviewRemovals(outcomes, parts, clock.now()), // in the transaction of the commit
    held: () => parts.held.hosts(),
    applyHeld: (host) => change((nowMs) => applyHeld(host, parts, nowMs)),
    discardHeld: (host) => change((nowMs) => discardHeld(host, parts, nowMs)),
    undelete: (id) => change((nowMs) => undelete(id, parts, nowMs)),
  };
}

export interface RemovalParts {
  readonly held: {
    loss(host: string, since: number, asked: readonly number[]): HostLoss;
    indexed(ids: readonly number[]): ReadonlySet<number>;
    hold(page: HeldPage): void;
    release(id: number): void;
    pages(host: string | null): readonly HeldPage[];
    hosts(): readonly HeldHost[];
  };
  readonly index: {
    remove(id: number, removedAt: number): void;
    restore(id: number): { readonly contentHash: string } | null;
    removedSince(host: string, instant: number): readonly number[];
    dropTombstones(until: number): void;
  };
  readonly frontier: { amend(changes: readonly Amendment[]): void };
  /** What is remembered of a page. */
  readonly recordOf: (id: number) => PageRecord | null;
  readonly policy: RemovalPolicy;
}

export interface RemovalPolicy extends BrakePolicy {
  /** Wait before a page whose removal is held is looked at again. */
  readonly recheckMs: number;
  /** How long a removed document can be brought back. */
  readonly tombstonesMs: number;
}

/**
 * Lets removals pass, or holds them: then the document stays, and what the host lost within the window comes back and is held
 * with it. A held page that is found again is released.
 */
function reviewRemovals(
  outcomes: readonly VisitOutcome[],
  parts: RemovalParts,
  nowMs: number,
): readonly VisitOutcome[] {
  const { held, index, policy } = parts;
  const candidates = outcomes.filter(
    (outcome) => outcome.document.action === 'remove' || isShrinkage(outcome),
  );
  const indexed = candidates.length === 0 ? none : held.indexed(candidates.map(({ record }) => record.id));
  const removals = candidates.filter(({ record }) => indexed.has(record.id));
  if (removals.length > 0) index.dropTombstones(nowMs - policy.tombstonesMs);

  const hostsHeld = new Set<string>();
  for (const host of new Set(removals.map(({ record }) => record.host))) {
    const asked = removals.filter(({ record }) => record.host === host).map(({ record }) => record.id);
    if (!mustHold(held.loss(host, nowMs - policy.windowMs, asked), policy)) continue;
    hostsHeld.add(host);
    bringBack(host, new Set(outcomes.map(({ record }) => record.id)), parts, nowMs);
  }
  return outcomes.map((outcome) => {
    const { id, host } = outcome.record;
    if (indexed.has(id) && hostsHeld.has(host)) return holdBack(outcome, parts, nowMs);
    return outcome.request.record.reason === 'gone.held' ? stillHeld(outcome, parts) : outcome;
  });
}

function applyHeld(host: string | null, parts: RemovalParts, nowMs: number): number {
  const changes = parts.held.pages(host).flatMap((page): Amendment[] => {
    parts.held.release(page.id);
    parts.index.remove(page.id, nowMs);
    const record = parts.recordOf(page.id);
    if (record === null) return [];
    const { state, reason, redirectTo, intervalMs } = page;
    const gone = { state, reason, redirectTo, intervalMs, etag: null, lastModified: null, contentHash: null };
    return [{ record: { ...record, ...gone }, nextVisitAt: nowMs + intervalMs }];
  });
  parts.frontier.amend(changes);
  return changes.length;
}

function discardHeld(host: string | null, parts: RemovalParts, nowMs: number): number {
  const changes = parts.held.pages(host).flatMap((page): Amendment[] => {
    parts.held.release(page.id);
    const record = parts.recordOf(page.id);
    return record === null ? [] : [{ record: { ...record, reason: null, missing: 0 }, nextVisitAt: nowMs }];
  });
  parts.frontier.amend(changes);
  return changes.length;
}

function undelete(id: number, parts: RemovalParts, nowMs: number): boolean {
  parts.index.dropTombstones(nowMs - parts.policy.tombstonesMs);
  const record = revived(id, parts);
  if (record === null) return false;
  parts.frontier.amend([{ record: { ...record, missing: 0 }, nextVisitAt: nowMs }]);
  return true;
}

const none: ReadonlySet<number> = new Set();

/** What a host lost within the window before the brake saw how much it is. Pages visited just now speak for themselves. */
function bringBack(host: string, visited: ReadonlySet<number>, parts: RemovalParts, nowMs: number): void {
  const { held, index, policy } = parts;
  const changes = index.removedSince(host, nowMs - policy.windowMs).flatMap((id): Amendment[] => {
    const removed = visited.has(id) ? null : parts.recordOf(id);
    const record = removed === null ? null : revived(id, parts);
    if (removed === null || record === null) return [];
    held.hold(removalOf(removed, nowMs));
    const nextVisitAt = nowMs + policy.recheckMs;
    return [{ record: { ...record, reason: 'gone.held' }, nextVisitAt }];
  });
  parts.frontier.amend(changes);
}

/** The record of a page whose document is back. */
function revived(id: number, parts: RemovalParts): PageRecord | null {
  const record = parts.recordOf(id);
  const document = record === null ? null : parts.index.restore(id);
  if (record === null || document === null) return null;
  const { contentHash } = document;
  return { ...record, state: 'indexed', reason: null, redirectTo: null, contentHash };
}

/** Does what is left of a page take the place of its document? A loss as much as a removal. */
function isShrinkage({ document, reason }: VisitOutcome): boolean {
  return document.action === 'put' && reason === 'content.shrunk';
}

/** How a page stands after its loss. What is left of a shrunk one is indexed by the visit after its removal. */
function lossOf(outcome: VisitOutcome): PageRecord {
  const { record } = outcome.request;
  if (!isShrinkage(outcome)) return outcome.record;
  const { fetchedAt, status, failures } = outcome.record;
  const missing = record.missing + 1;
  return { ...record, state: 'blocked', reason: 'content.shrunk', fetchedAt, status, failures, missing };
}

function holdBack(outcome: VisitOutcome, { held, policy }: RemovalParts, nowMs: number): VisitOutcome {
  const { state, etag, lastModified, contentHash, intervalMs } = outcome.request.record;
  const record = lossOf(outcome);
  held.hold(removalOf(record, nowMs));
  return {
    ...outcome,
    reason: 'gone.held',
    record: {
      ...record,
      ...{ state, etag, lastModified, contentHash, intervalMs, redirectTo: null, reason: 'gone.held' },
    },
    nextVisitAt: nowMs + Math.max(policy.recheckMs, intervalMs),
    document: { action: 'keep' },
    capture: null,
    replacesLinks: false,
  };
}

/** A held page was visited, and its removal is not to be held (again): it was found, it may go, or nothing was learned. */
function stillHeld(outcome: VisitOutcome, { held }: RemovalParts): VisitOutcome {
  const isSettled = outcome.document.action !== 'keep' || outcome.record.missing === 0;
  if (isSettled) held.release(outcome.record.id);
  return isSettled ? outcome : { ...outcome, record: { ...outcome.record, reason: 'gone.held' } };
}

function removalOf(
  { id, host, state, reason, redirectTo, intervalMs }: PageRecord,
  heldAt: number,
): HeldPage {
  return { id, host, heldAt, state, reason, redirectTo, intervalMs };
}

/**
 * The mass-loss brake (R23): when a large share of a host's pages would go within a window, something is wrong with the site or
 * with us more often than with the pages, so the removals are held for a person to judge. Pure; why each number:
 * docs/decisions/0008-mass-loss-brake.md.
 */
import type { ReasonCode } from '../reasons.ts';
import type { PageState } from '../types.ts';

export interface BrakePolicy {
  /** Share of a host's pages that may go within the window, 0 … 1. */
  readonly maxRemoved: number;
  readonly windowMs: number;
}

/** What a host has lost and is about to lose. */
export interface HostLoss {
  /** Pages searchable now. */
  readonly documents: number;
  /** Pages removed within the window; those a person removed do not count. */
  readonly removed: number;
  /** Searchable pages whose last look did not find them, those to be removed now and those held included. */
  readonly doubtful: number;
}

/** A page whose removal is held, and how its record will stand when it is applied. */
export interface HeldPage {
  readonly id: number;
  readonly host: string;
  readonly heldAt: number;
  readonly state: PageState;
  readonly reason: ReasonCode | null;
  readonly redirectTo: string | null;
  readonly intervalMs: number;
}

/** A host with removals held, as `freshet held` lists it. */
export interface HeldHost {
  readonly host: string;
  readonly held: number;
  readonly documents: number;
  /** Since when. */
  readonly heldAt: number;
  /** What the pages seem lost by, as reason code or (where a redirect needs none) state; the most frequent first. */
  readonly reasons: readonly { readonly reason: ReasonCode | PageState; readonly count: number }[];
  /** A few of the URLs. */
  readonly samples: readonly string[];
}

/** Of fewer pages one is more than any sensible share; the strikes and the tombstones have to do. */
export const SMALLEST_BRAKED_HOST = 10;

/** Must removals of this host be held? */
export function mustHold({ documents, removed, doubtful }: HostLoss, { maxRemoved }: BrakePolicy): boolean {
  const before = documents + removed;
  return before >= SMALLEST_BRAKED_HOST && removed + doubtful > before * maxRemoved;
}

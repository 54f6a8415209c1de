/**
 * Signals that a page has changed: lastmod in a sitemap, an entry in a feed, an IndexNow call. A host earns trust by its
 * record: how often had pages found changed a signal since the look before, and how often pages found unchanged? A host
 * whose lastmod is always "now" signals both alike, and is ignored by itself.
 */

import type { SignalCounts } from '../../types.ts';

/** How far a host's signals are believed. */
export interface SignalTrust {
  /** ρ in (0, 1]: the part of its changes that come without a signal; 1 when silence says nothing. */
  readonly silence: number;
  /** p₁/p₀: how much likelier a signal is for a changed page; 1 when signals are not believed. */
  readonly odds: number;
}

export const noSignals: SignalCounts = {
  changed: 0,
  changedSignalled: 0,
  unchanged: 0,
  unchangedSignalled: 0,
};
export const noTrust: SignalTrust = { silence: 1, odds: 1 };

/** Each share starts as 5 signals in 10 looks: ten looks of each kind outweigh that. */
const PRIOR_SIGNALS = 5;
const PRIOR_LOOKS = 10;
/** A signal must be this much likelier for a changed page to be believed. */
const LEAST_ODDS = 2.5;
/** A rule that knows no half measures wants so many to have been true: rare changes without a word leave the odds high. */
const LEAST_TRUE = 5;
/** Believing silence more costs more than it gains: when signals stop, the page would be found stale too late. */
const LEAST_SILENCE = 0.4;

/** The trust a host has earned: with p₁, p₀ the shares signalled, ρ = (1 − p₁) / (1 − p₀), at least 0.4. */
export function trustIn(counts: SignalCounts): SignalTrust {
  const whenChanged = share(counts.changedSignalled, counts.changed);
  const whenUnchanged = share(counts.unchangedSignalled, counts.unchanged);
  const odds = whenChanged / whenUnchanged;
  if (odds < LEAST_ODDS) return noTrust;
  return { silence: Math.max(LEAST_SILENCE, (1 - whenChanged) / (1 - whenUnchanged)), odds };
}

/** Are a host's signals good enough to visit a page at once because of one? The question `adaptive` asks. */
export function areBelieved(counts: SignalCounts): boolean {
  return counts.changedSignalled >= LEAST_TRUE && trustIn(counts).odds > 1;
}

/**
 * The part of a host's changes that asking for its signals brings to light, in [0, 1]: p₁ − p₀, or the benefit of the
 * doubt as long as few changes have been found.
 */
export function signalYield(counts: SignalCounts): number {
  const whenChanged = share(counts.changedSignalled, counts.changed);
  const whenUnchanged = share(counts.unchangedSignalled, counts.unchanged);
  return Math.max(whenChanged - whenUnchanged, PRIOR_SIGNALS / (PRIOR_LOOKS + 2 * counts.changed));
}

/** One look, as it is counted. */
export function countLook(isChanged: boolean, wasSignalled: boolean): SignalCounts {
  const signalled = wasSignalled ? 1 : 0;
  return isChanged
    ? { ...noSignals, changed: 1, changedSignalled: signalled }
    : { ...noSignals, unchanged: 1, unchangedSignalled: signalled };
}

/** Counts of two sets of looks together. */
export function countsWith(counts: SignalCounts, more: SignalCounts): SignalCounts {
  return {
    changed: counts.changed + more.changed,
    changedSignalled: counts.changedSignalled + more.changedSignalled,
    unchanged: counts.unchanged + more.unchanged,
    unchangedSignalled: counts.unchangedSignalled + more.unchangedSignalled,
  };
}

function share(signals: number, looks: number): number {
  return (signals + PRIOR_SIGNALS) / (looks + PRIOR_LOOKS);
}

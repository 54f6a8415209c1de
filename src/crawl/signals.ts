/**
 * Whether a host's lists are to be believed when they say that a page has changed (lastmod, pubDate). A host earns trust by
 * its record: how often had pages found changed been announced, and how often pages found unchanged? Where lastmod is always
 * "now" both are announced alike, and the host is ignored by itself. Pure.
 */

/** Repeated visits of one host's pages, by what they found and whether a change had been announced. */
export interface SignalCounts {
  readonly changed: number;
  readonly changedAnnounced: number;
  readonly unchanged: number;
  readonly unchangedAnnounced: number;
}

export const noSignals: SignalCounts = {
  changed: 0,
  changedAnnounced: 0,
  unchanged: 0,
  unchangedAnnounced: 0,
};

/** Each share begins as 5 announcements in 10 visits, so ten visits of a kind outweigh what is assumed. */
const ASSUMED_ANNOUNCED = 5;
const ASSUMED_VISITS = 10;
/** An announcement must be this much likelier for a changed page than for an unchanged one. */
const LEAST_ODDS = 2.5;
/** And so many must have been true: rare changes without a word leave the odds high. */
const LEAST_TRUE = 5;

/** Does an announced change make a page due at once? */
export function isTrusted(counts: SignalCounts): boolean {
  if (counts.changedAnnounced < LEAST_TRUE) return false;
  const whenChanged = share(counts.changedAnnounced, counts.changed);
  const whenUnchanged = share(counts.unchangedAnnounced, counts.unchanged);
  return whenChanged / whenUnchanged >= LEAST_ODDS;
}

/** Counts one more visit. */
export function withVisit(counts: SignalCounts, isChanged: boolean, wasAnnounced: boolean): SignalCounts {
  const announced = wasAnnounced ? 1 : 0;
  return isChanged
    ? { ...counts, changed: counts.changed + 1, changedAnnounced: counts.changedAnnounced + announced }
    : {
        ...counts,
        unchanged: counts.unchanged + 1,
        unchangedAnnounced: counts.unchangedAnnounced + announced,
      };
}

function share(announced: number, visits: number): number {
  return (announced + ASSUMED_ANNOUNCED) / (visits + ASSUMED_VISITS);
}

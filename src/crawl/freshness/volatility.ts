/**
 * Pages whose content differs at every look, whatever happens to them: a clock, a counter, a quotation of the moment. They
 * would pass for pages that change all the time. A page found changed three times in a row is looked at once more at once;
 * if it differs again although its belief gave that little chance, its changes mean nothing.
 */
import type { Evidence, Volatility } from '../../types.ts';
import { type Belief, beliefOf, noEvidence } from './belief.ts';
import { chanceUnchanged } from './value.ts';

export interface Restlessness {
  /**
   * unknown: its changes are believed · suspect: wants a second look at once · volatile: its changes are not believed, it is
   * treated as a usual page of its host · steady: was found unchanged when it mattered, and is not suspected again.
   */
  readonly volatility: Volatility;
  /** Looks in a row that found it changed. */
  readonly changesInRow: number;
}

export const calm: Restlessness = { volatility: 'unknown', changesInRow: 0 };

const SUSPICIOUS_ROW = 3;
/** A second look tells something only when a change was less likely than this: it may have come late. */
const UNEXPECTED = 0.5;

/** What one more look says; `belief` is that from before it, `gapDays` the time since the look before. */
export function lookAgain(
  page: Restlessness,
  isChanged: boolean,
  belief: Belief,
  gapDays: number,
): Restlessness {
  if (!isChanged)
    return { volatility: page.volatility === 'unknown' ? 'unknown' : 'steady', changesInRow: 0 };
  const changesInRow = page.changesInRow + 1;
  switch (page.volatility) {
    case 'unknown':
      return { volatility: changesInRow < SUSPICIOUS_ROW ? 'unknown' : 'suspect', changesInRow };
    case 'suspect': {
      const chanceChanged = 1 - chanceUnchanged(belief, gapDays);
      return chanceChanged < UNEXPECTED ? { volatility: 'volatile', changesInRow } : calm;
    }
    default:
      return { volatility: page.volatility, changesInRow };
  }
}

/** The evidence that counts: that of a volatile page is kept, in case it calms down, but not used. */
export function evidenceShown(page: Restlessness & { readonly evidence: Evidence }): Evidence {
  return page.volatility === 'volatile' ? noEvidence : page.evidence;
}

/** The belief about a page, its volatility considered. */
export function pageBelief(prior: Belief, page: Restlessness & { readonly evidence: Evidence }): Belief {
  return beliefOf(prior, evidenceShown(page));
}

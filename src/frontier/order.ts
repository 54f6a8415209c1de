/**
 * The rank of a URL that was never fetched, as one number. It lives in the same column and index as the due times
 * of fetched URLs: ranks are negative, instants are not, so a rank is "due" whatever the clock says.
 *
 * 52 bits, most significant first: priority band (8) · depth (8) · sequence (36). Smaller is earlier.
 */

/** breadth: shallower first · depth: deeper and newer first · best: priority only. Within that, first found first. */
export type CrawlOrder = 'breadth' | 'depth' | 'best';

const HIGHEST_PRIORITY = 100;
const LOWEST_PRIORITY = -100;
/** Deeper URLs share one level; scope stops crawls long before (R2: depth 5). */
const DEEPEST = 2 ** 8 - 1;
/** 68 billion URLs found. */
const SEQUENCES = 2 ** 36;
const RANKS = 2 ** 52;

/**
 * Rank of a new URL, an integer in [−2^52, −1]. Larger priorities come first in every order. `sequence` grows with
 * every URL found (the frontier uses the URL's id), so ranks are unique.
 */
export function newDueAt(order: CrawlOrder, priority: number, depth: number, sequence: number): number {
  const band = HIGHEST_PRIORITY - clamp(Math.round(priority), LOWEST_PRIORITY, HIGHEST_PRIORITY);
  const level = clamp(depth, 0, DEEPEST);
  const place = sequence % SEQUENCES;
  if (order === 'breadth') return pack(band, level, place);
  if (order === 'depth') return pack(band, DEEPEST - level, SEQUENCES - 1 - place);
  return pack(band, 0, place);
}

function pack(band: number, level: number, place: number): number {
  return (band * (DEEPEST + 1) + level) * SEQUENCES + place - RANKS;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

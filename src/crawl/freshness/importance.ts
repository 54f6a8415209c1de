/** How much the freshness of a page counts, from what is known of every URL before it is fetched. */

/** 25 points of priority (−100 … 100) double the weight: the whole range is a factor of 256. */
const DOUBLING = 25;
/** A page further from the start counts a little less: 1, 0.63, 0.48, 0.40 … A choice, not a measurement. */
const DEPTH_POWER = 2 / 3;
/** Link scores may span more than the rest together; beyond this they are more about the site than about the page. */
const LARGEST_LINK_SCORE = 100;

/**
 * The weight of a page, around 1 for an ordinary one. `linkScore` is its link rank relative to the mean of all pages, 1
 * when it is not known.
 */
export function importance(depth: number, priority: number, linkScore = 1): number {
  const links = Math.min(Math.max(linkScore, 1 / LARGEST_LINK_SCORE), LARGEST_LINK_SCORE);
  return (links * 2 ** (priority / DOUBLING)) / (1 + Math.max(0, depth)) ** DEPTH_POWER;
}

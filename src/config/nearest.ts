/** Guesses what somebody meant to type. Pure. */

/**
 * The candidate with the fewest edits (insert, delete, replace, swap of neighbours; Damerau's restricted distance), or
 * null when all need more than `limit`. The default limit is a third of the word, at least 2.
 */
export function nearest(
  word: string,
  candidates: readonly string[],
  limit: number = Math.max(2, Math.floor(word.length / 3)),
): string | null {
  let best: string | null = null;
  let fewest = limit;
  for (const candidate of candidates) {
    const edits = distance(word, candidate);
    if (edits > fewest || (edits === fewest && best !== null)) continue;
    best = candidate;
    fewest = edits;
  }
  return best;
}

function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

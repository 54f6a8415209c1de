/** In which order pages are shown: pure rules over what the index knows of its candidates. */

/**
 * Weights of the columns of document_fts in BM25, in their order. Chosen by the known-item evaluation in
 * sqlite.test.ts; forms are words inside words and say less, facets are conditions and say nothing.
 */
export const COLUMN_WEIGHTS = { title: 10, headings: 4, url: 2, body: 1, forms: 0.5, facets: 0 } as const;

export interface Candidate {
  readonly id: number;
  readonly score: number;
  readonly contentHash: string;
}

/** Candidates with the same content become one, the best of them; order is kept. */
export function foldDuplicates<T extends Candidate>(candidates: readonly T[]): T[] {
  const seen = new Set<string>();
  return candidates.filter(({ contentHash }) => !seen.has(contentHash) && seen.add(contentHash));
}

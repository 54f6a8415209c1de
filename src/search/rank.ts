/** In which order pages are shown: pure rules over what the index knows of its candidates. */

/**
 * Weights of the columns of document_fts in BM25, in their order. Chosen by known-item search on 1,278 pages of real
 * documentation (docs/decisions/0004-tokens.md); forms are words inside words and say less, facets are conditions.
 */
export const COLUMN_WEIGHTS = { title: 16, headings: 12, url: 3, body: 1, forms: 0.25, facets: 0 } as const;

export interface Candidate {
  readonly id: number;
  readonly url: string;
  readonly score: number;
  readonly contentHash: string;
  /** The page it stands behind: the canonical one when that is indexed, else itself. */
  readonly pageUrl: string;
}

/**
 * Candidates with the same content or the same canonical page become one, in the place of the best of them; the
 * canonical page itself is the one shown when it is among them.
 */
export function foldDuplicates<T extends Candidate>(candidates: readonly T[]): T[] {
  const kept: T[] = [];
  const places = new Map<string, number>();
  for (const candidate of candidates) {
    const keys = [`page ${candidate.pageUrl}`, `content ${candidate.contentHash}`];
    const place = keys.map((key) => places.get(key)).find((known) => known !== undefined) ?? kept.length;
    for (const key of keys) places.set(key, place);
    if (place === kept.length) kept.push(candidate);
    else {
      const shown = kept[place];
      if (shown !== undefined && !isCanonical(shown) && isCanonical(candidate)) kept[place] = candidate;
    }
  }
  return kept;
}

function isCanonical({ url, pageUrl }: Candidate): boolean {
  return url === pageUrl;
}

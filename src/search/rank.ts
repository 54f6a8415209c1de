/** In which order pages are shown: pure rules over what the index knows of its candidates. */
import type { Fingerprint } from '../types.ts';
import { areNearlyEqual } from './fingerprint.ts';

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

/** A candidate with what tells whether it is nearly the same as another one. */
export interface TextCandidate extends Candidate, Fingerprint {
  /** Queue key. */
  readonly host: string;
  readonly title: string;
  /** The first heading, empty when there is none. */
  readonly heading: string;
}

/** A candidate to be shown, and how many behind it are nearly the same. */
export interface Shown<T> {
  readonly candidate: T;
  readonly similar: number;
}

/**
 * Candidates of one host that are nearly the same as a better one stand behind it: two versions of a page, a page in two
 * places. Their titles and headings differ in numbers at most: other pages made from one template differ in little else.
 */
export function foldSimilar<T extends TextCandidate>(candidates: readonly T[]): Shown<T>[] {
  const shown: { candidate: T; similar: number }[] = [];
  const namesakes = new Map<string, typeof shown>();
  for (const candidate of candidates) {
    const name = `${candidate.host}\n${withoutNumbers(candidate.title)}\n${withoutNumbers(candidate.heading)}`;
    const better = namesakes.get(name) ?? [];
    const stand = better.find((other) => areNearlyEqual(other.candidate, candidate));
    if (stand !== undefined) stand.similar++;
    else {
      const entry = { candidate, similar: 0 };
      shown.push(entry);
      namesakes.set(name, [...better, entry]);
    }
  }
  return shown;
}

/** Dates and versions as one number; those inside a word (int32, E0301) tell things apart. */
function withoutNumbers(text: string): string {
  return text.replace(/\bv?\d+(?:\.\d+)*\b/g, '0');
}

function isCanonical({ url, pageUrl }: Candidate): boolean {
  return url === pageUrl;
}

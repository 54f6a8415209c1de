/** Search results for programs. Names are stable; a change of meaning is a new version. Pure. */
import type { SearchHit, SearchResult } from '../search/search-index.ts';

export interface ApiResult {
  readonly v: 1;
  readonly query: string;
  readonly total: number;
  /** False: there are at least `total`. */
  readonly isTotalExact: boolean;
  /** True: few pages have all the words, so that those with most of them follow. */
  readonly isRelaxed: boolean;
  /** True: more hits follow, and `offset` can reach them. */
  readonly hasMore: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly hits: readonly ApiHit[];
}

/** Times are ISO 8601 in UTC. Titles, snippets and URLs are text from strangers: data, never markup or instructions. */
export interface ApiHit {
  readonly id: number;
  readonly url: string;
  readonly host: string;
  readonly title: string;
  readonly titleMarks: SearchHit['titleMarks'];
  readonly snippet: string;
  /** [start, end) of the query's words in `snippet`, UTF-16 code units. */
  readonly marks: SearchHit['marks'];
  readonly language: string | null;
  readonly score: number;
  readonly verifiedAt: string;
  readonly changedAt: string | null;
  /** Path of the stored copy; null when none may be shown. */
  readonly snapshot: string | null;
  readonly duplicates: readonly string[];
  /** Pages with nearly the same text behind this one; `similar=all` shows them. */
  readonly similar: number;
}

/** RFC 9457. */
export interface ApiProblem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
}

export function apiResult(query: string, result: SearchResult, limit: number, offset: number): ApiResult {
  const { total, isTotalExact, isRelaxed, hasMore, hits } = result;
  return { v: 1, query, total, isTotalExact, isRelaxed, hasMore, limit, offset, hits: hits.map(apiHit) };
}

function apiHit(hit: SearchHit): ApiHit {
  const { id, url, host, title, titleMarks, snippet, marks, language, score, duplicates, similar } = hit;
  return {
    ...{ id, url, host, title, titleMarks, snippet, marks, language, score },
    verifiedAt: new Date(hit.fetchedAt).toISOString(),
    changedAt: hit.changedAt === null ? null : new Date(hit.changedAt).toISOString(),
    snapshot: hit.hasSnapshot ? `/cache/${id}` : null,
    duplicates,
    similar,
  };
}

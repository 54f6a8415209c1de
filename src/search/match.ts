/**
 * A query in the language of SQLite's FTS5 (https://www.sqlite.org/fts5.html#full_text_query_syntax). Every token is
 * quoted, so no text can be an operator; the columns are those of document_fts in store/migrations.ts.
 */
import type { Clause, Query } from './query.ts';

/** Columns that hold the text in order. */
const TEXT_COLUMNS = '{title headings url body}';

/** The expression all of a query must match; null when it asks for nothing. */
export function matchAll(query: Query): string | null {
  const words = query.groups.map((group) => anyOf(group.map(matchClause)));
  // Adds no page, only to the score of those with the words side by side.
  if (query.nearby !== null)
    return combine([`((${words.join(' AND ')}) OR ${matchClause(query.nearby)})`], query);
  return combine(words, query);
}

/** The same in titles only; null when the query has only conditions. */
export function matchTitles(query: Query): string | null {
  if (query.groups.length === 0) return null;
  const words = query.groups.map((group) => anyOf(group.map(matchClause)));
  return combine([`title : (${words.join(' AND ')})`], query);
}

/** A query of which something may be missing. */
export interface Relaxed {
  /** Expressions of the things looked for, each to be counted. */
  readonly wishes: readonly string[];
  /** How many of them a page needs. */
  readonly needed: number;
  /** Expressions of what must match all the same. */
  readonly firm: readonly string[];
}

/** Most words and most pairs counted: each is one look-up. */
const MAX_WISHES = 10;

/**
 * The same query with some of it missing: words one by one, runs without spaces by their pairs; quoted phrases stay.
 * Null when the query has only one thing to look for.
 */
export function matchSome(query: Query): Relaxed | null {
  const isFirm = (group: readonly Clause[]): boolean => group.some((clause) => clause.isQuoted);
  const loose = query.groups.filter((group) => !isFirm(group));
  const words = distinct(
    loose.filter((group) => !isPairs(group)).map((group) => anyOf(group.map(matchClause))),
  );
  const pairs = distinct(loose.filter(isPairs).flatMap((group) => group[0]?.tokens ?? [])).map(quote);
  const wishes = [...words.slice(0, MAX_WISHES), ...pairs.slice(0, MAX_WISHES)];
  if (wishes.length < 2) return null;
  return {
    wishes,
    needed: neededOf(Math.min(words.length, MAX_WISHES), Math.min(pairs.length, MAX_WISHES)),
    firm: query.groups.filter(isFirm).map((group) => anyOf(group.map(matchClause))),
  };
}

/** Expressions that must match, under the conditions of a query (sites, excluded words); null when there is nothing. */
export function combine(wanted: readonly string[], query: Query): string | null {
  const sites = query.sites.map(matchSite);
  const required = [...wanted, ...(sites.length > 0 ? [anyOf(sites)] : [])];
  if (required.length === 0) return null;
  const refused = [...query.excluded.map(matchClause), ...query.excludedSites.map(matchSite)];
  const match = required.join(' AND ');
  return refused.length > 0 ? `(${match}) NOT ${anyOf(refused)}` : match;
}

/** Any of these. */
export function anyOf(expressions: readonly string[]): string {
  return expressions.length === 1 ? (expressions[0] ?? '') : `(${expressions.join(' OR ')})`;
}

/** Three words in five; two pairs in five, because every other pair lies across the border of two words. */
function neededOf(words: number, pairs: number): number {
  return Math.max(1, Math.round(words * 0.6 + pairs * 0.4));
}

function isPairs(group: readonly Clause[]): boolean {
  return group.length === 1 && group[0]?.isPairs === true && !group[0].isPrefix;
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** Tokens a page of this host has in `facets`: the host and every domain above it, and the host with its port. */
export function siteTokens(host: string): string[] {
  const [name = host] = host.split(':');
  const labels = name.split('.');
  const domains = labels.map((_, index) => labels.slice(index).join('.'));
  return [...new Set([host, ...domains])].map((domain) => `site:${domain}`);
}

function matchSite(site: string): string {
  return `facets : ${quote(`site:${site}`)}`;
}

function matchClause(clause: Clause): string {
  const phrase = quote(clause.tokens.join(' ')) + (clause.isPrefix ? ' *' : '');
  // Phrases only where words stand in order; a single word also where its parts and spellings are.
  const match = clause.tokens.length > 1 ? `${TEXT_COLUMNS} : ${phrase}` : phrase;
  return anyOf([match, ...clause.spellings.map(quote)]);
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

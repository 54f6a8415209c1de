/**
 * The embedded index: SQLite's FTS5 over our own tokens, in the same database as everything else. Writing is
 * document-store.ts; here a query becomes candidates (all words first, most of them when that finds little), the
 * candidates become hits. Reads work on a connection of their own while another one writes.
 *
 * FTS5 looks at every row that matches, so what is read and ranked is bounded: of a word on more pages than the
 * bound the pages found first by the crawl are ranked, which breadth first are the ones nearest to the start.
 */
import type { Statement } from 'better-sqlite3';
import type { Database } from '../store/database.ts';
import { Settings } from '../store/settings.ts';
import type { Document, VisitOutcome } from '../types.ts';
import { DocumentStore } from './document-store.ts';
import { anyOf, combine, matchAll, matchSome, matchTitles, type Relaxed } from './match.ts';
import type { Query } from './query.ts';
import { COLUMN_WEIGHTS, foldDuplicates, foldSimilar, type Shown, type TextCandidate } from './rank.ts';
import type { SearchHit, SearchIndex, SearchOptions, SearchResult } from './search-index.ts';
import { findMarks, makeSnippet } from './snippet.ts';
import { TOKENIZER_VERSION } from './tokenize.ts';

/** Most matches ranked and counted for one query: about 1 µs each. */
const MAX_MATCHES = 5000;
/** Most hits that paging can reach. */
const MAX_WINDOW = 1000;
/** Candidates read beyond the page of results, because some are folded into others. */
const FOLDING_ROOM = 50;
/** When so many are folded that the page is not full, so many times more are read. */
const WIDENING = 4;
/** Fewer matches of all words than this bring in pages with most of the words: less than one page of results. */
const FEW_MATCHES = 10;
/** Most URLs named as duplicates of one hit. */
const MAX_DUPLICATES = 20;
/** Passages of a page that a snippet is looked for in: 200,000 characters. */
const MAX_PASSAGES = 200;
const DEFAULT_LIMIT = 10;

/** Where the index keeps the version of the tokenizer it was built with. */
const VERSION_SETTING = 'search.tokenizer';

interface Row extends TextCandidate {
  readonly description: string;
  readonly language: string | null;
  readonly fetchedAt: number;
  readonly changedAt: number | null;
  readonly hasSnapshot: 0 | 1;
  readonly hasSnippet: 0 | 1;
  /** Matches in all, the same in every row. */
  readonly total: number;
}

/** Pages that match an expression, with their scores (larger is better), at most so many. */
const SELECT_MATCHES = `
  SELECT rowid AS id, -bm25(document_fts, ${Object.values(COLUMN_WEIGHTS).join(', ')}) AS score
  FROM document_fts WHERE document_fts MATCH ? LIMIT ?`;

/** Facts of the best of `matched`, at most so many. */
const SELECT_ROWS = `
  ranked AS (SELECT id, score FROM matched ORDER BY score DESC, id LIMIT ?)
  SELECT d.id, score, (SELECT count(*) FROM matched) AS total, url, host, title, description, language,
    iif(EXISTS (SELECT 1 FROM document WHERE url = d.canonical), d.canonical, url) AS pageUrl,
    content_hash AS contentHash, fetched_at AS fetchedAt, changed_at AS changedAt,
    has_snapshot AS hasSnapshot, has_snippet AS hasSnippet,
    substr(headings, 1, instr(headings || char(10), char(10)) - 1) AS heading,
    fingerprint_high AS high, fingerprint_low AS low, tokens
  FROM ranked JOIN document AS d USING (id) ORDER BY score DESC, id`;

/** Candidates, the best first, and how many match in all. */
interface Found {
  readonly rows: readonly Row[];
  readonly matches: number;
}

/** The best candidates, folded, and what is said of all matches. */
interface Ranking extends Pick<SearchResult, 'total' | 'isTotalExact' | 'isRelaxed'> {
  readonly shown: readonly Shown<Row>[];
  /** There were more candidates than asked for. */
  readonly isCut: boolean;
}

const NOTHING: Found = { rows: [], matches: 0 };

export class SqliteSearchIndex implements SearchIndex {
  readonly #db: Database;
  readonly #documents: DocumentStore;
  readonly #matches: Statement<[string, number, number], Row>;
  readonly #countMatches: Statement<[string, number], number>;
  readonly #duplicates: Statement<[string, string, number, number], string>;
  readonly #count: Statement<[], number>;
  readonly #settings: Settings;

  /** On a read-only connection everything but writing works. */
  constructor(db: Database) {
    this.#db = db;
    this.#documents = new DocumentStore(db);
    this.#matches = db.prepare(`WITH matched AS MATERIALIZED (${SELECT_MATCHES}), ${SELECT_ROWS}`);
    this.#countMatches = db
      .prepare<[string, number], number>(
        'SELECT count(*) FROM (SELECT 1 FROM document_fts WHERE document_fts MATCH ? LIMIT ?)',
      )
      .pluck();
    this.#duplicates = db
      .prepare<[string, string, number, number], string>(
        'SELECT url FROM document WHERE (content_hash = ? OR canonical = ?) AND id <> ? ORDER BY id LIMIT ?',
      )
      .pluck();
    this.#count = db.prepare<[], number>('SELECT count(*) FROM document').pluck();
    this.#settings = new Settings(db);
  }

  /** Applies document actions as one unit, inside the caller's transaction when there is one. */
  write(outcomes: readonly VisitOutcome[]): void {
    if (outcomes.length === 0) return;
    this.#db.transaction(() => {
      if (this.#settings.get(VERSION_SETTING) === null) this.#stamp();
      // FTS5 writes its pending rows out whenever one comes with a smaller number than the last.
      const inOrder = outcomes.toSorted((a, b) => a.record.id - b.record.id);
      for (const outcome of inOrder) this.#apply(outcome);
    })();
  }

  search(query: Query, options: SearchOptions = {}): SearchResult {
    const offset = toCount(options.offset ?? 0);
    const limit = toCount(options.limit ?? DEFAULT_LIMIT);
    const end = offset + limit;
    const isFolded = options.isUnfolded !== true;
    let window = Math.min(end + FOLDING_ROOM, MAX_WINDOW);
    let ranking = this.#rank(query, window, isFolded);
    while (ranking.shown.length <= end && ranking.isCut && window < MAX_WINDOW) {
      window = Math.min(window * WIDENING, MAX_WINDOW);
      ranking = this.#rank(query, window, isFolded);
    }
    const { shown, total, isTotalExact, isRelaxed } = ranking;
    return {
      hits: shown.slice(offset, end).map((entry) => this.#hit(entry, query)),
      total,
      isTotalExact,
      hasMore: shown.length > end,
      isRelaxed,
    };
  }

  /** Removes a document because a person wants it; it can be restored all the same. */
  remove(id: number, removedAt: number): void {
    this.#documents.remove(id, removedAt, true);
  }

  /** Brings a removed document back; null when nothing of it is kept. Restoring again changes nothing. */
  restore(id: number): Document | null {
    return this.#documents.restore(id);
  }

  /** Pages of a host that visits removed after an instant and that can be restored. */
  removedSince(host: string, instant: number): number[] {
    return this.#documents.tombstones.removedSince(host, instant);
  }

  /** Forgets for good what was removed at or before an instant. */
  dropTombstones(until: number): void {
    this.#documents.tombstones.dropUntil(until);
  }

  document(id: number): Document | null {
    return this.#documents.document(id);
  }

  isElsewhere(id: number, host: string, contentHash: string): boolean {
    return this.#documents.isElsewhere(id, host, contentHash);
  }

  count(): number {
    return this.#count.get() ?? 0;
  }

  /** True when the index was built by another version of the tokenizer: `rebuild` before searching. */
  isStale(): boolean {
    const version = this.#settings.get(VERSION_SETTING);
    return version !== null && version !== String(TOKENIZER_VERSION);
  }

  /** Makes all tokens anew from the stored text, in one transaction. */
  rebuild(): void {
    this.#db.transaction(() => {
      this.#documents.reindex();
      this.#stamp();
    })();
  }

  #stamp(): void {
    this.#settings.set(VERSION_SETTING, String(TOKENIZER_VERSION));
  }

  #apply({ record, document }: VisitOutcome): void {
    const { id, url, host } = record;
    if (document.action === 'put') this.#documents.put(id, url, host, document.document);
    else if (document.action === 'verify') this.#documents.touch(id, document.fetchedAt);
    else if (document.action === 'remove') this.#documents.remove(id, record.fetchedAt ?? 0);
  }

  /** Pages with all that is looked for, and when they are few those with most of it behind them. */
  #rank(query: Query, window: number, isFolded: boolean): Ranking {
    const full = this.#all(query, window);
    const relaxed = full.matches < FEW_MATCHES ? matchSome(query) : null;
    // Pages with all words are among those with most of them.
    const some = relaxed === null ? NOTHING : this.#some(query, relaxed, window);
    const candidates = distinctRows([...full.rows, ...some.rows]);
    const distinct = foldDuplicates(candidates);
    const matches = Math.max(full.matches, some.matches, candidates.length);
    return {
      shown: isFolded ? foldSimilar(distinct) : distinct.map((candidate) => ({ candidate, similar: 0 })),
      isCut: candidates.length >= window,
      total: matches - (candidates.length - distinct.length),
      isTotalExact: matches < MAX_MATCHES,
      isRelaxed: candidates.length > full.rows.length,
    };
  }

  /** Pages with all that is looked for; of more than can be ranked, those with all of it in the title come first. */
  #all(query: Query, window: number): Found {
    const match = matchAll(query);
    if (match === null) return NOTHING;
    const rows = this.#matches.all(match, MAX_MATCHES, window);
    const matches = rows[0]?.total ?? 0;
    const titles = matches < MAX_MATCHES ? null : matchTitles(query);
    if (titles === null) return { rows, matches };
    const both = [...this.#matches.all(titles, MAX_MATCHES, window), ...rows];
    return { rows: distinctRows(both).slice(0, window), matches };
  }

  /**
   * Pages with most of what is looked for. Whoever has `needed` of them has one of the rarest, so only pages with one of
   * those are counted; what is found counts by how rare it is (inverse document frequency).
   */
  #some(query: Query, { wishes, needed, firm }: Relaxed, window: number): Found {
    const counted = wishes
      .map((wish) => ({ wish, pages: this.#countMatches.get(wish, MAX_MATCHES) ?? 0 }))
      .sort((a, b) => a.pages - b.pages);
    const rarest = anyOf(counted.slice(0, wishes.length - needed + 1).map(({ wish }) => wish));
    const total = Math.max(this.count(), MAX_MATCHES);
    const arms = counted.flatMap(({ wish, pages }) => {
      const match = combine([wish, rarest, ...firm], query);
      return match === null || pages === 0
        ? []
        : [{ match, weight: Math.log(1 + (total - pages + 0.5) / (pages + 0.5)) }];
    });
    if (arms.length < needed) return NOTHING;
    const arm =
      'SELECT * FROM (SELECT rowid AS id, ? AS weight FROM document_fts WHERE document_fts MATCH ? LIMIT ?)';
    const rows = this.#db
      .prepare<unknown[], Row>(`
        WITH matched AS MATERIALIZED (
          SELECT id, sum(weight) AS score FROM (${arms.map(() => arm).join(' UNION ALL ')})
          GROUP BY id HAVING count(*) >= ?
        ),
        ${SELECT_ROWS}`)
      .all(...arms.flatMap(({ match, weight }) => [weight, match, MAX_MATCHES]), needed, window);
    return { rows, matches: rows[0]?.total ?? 0 };
  }

  #hit({ candidate: row, similar }: Shown<Row>, query: Query): SearchHit {
    const { id, url, host, title, language, score, fetchedAt, changedAt } = row;
    const snippet =
      row.hasSnippet === 1
        ? makeSnippet(this.#documents.passages(id, MAX_PASSAGES), query, language, row.description)
        : { text: '', marks: [] };
    return {
      id,
      url,
      host,
      title,
      snippet: snippet.text,
      marks: snippet.marks,
      titleMarks: findMarks(title, query, language),
      language,
      score,
      fetchedAt,
      changedAt,
      hasSnapshot: row.hasSnapshot === 1,
      duplicates: this.#duplicates.all(row.contentHash, url, id, MAX_DUPLICATES),
      similar,
    };
  }
}

/** A whole number that is not negative, whatever a caller took from a URL. */
function toCount(value: number): number {
  return Math.max(0, Math.trunc(value) || 0);
}

/** Each page once, where it stands first. */
function distinctRows(rows: readonly Row[]): Row[] {
  const seen = new Set<number>();
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id));
}

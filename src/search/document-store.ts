/**
 * Documents in SQLite: one row of facts, its passages, and its tokens in the full-text table, replaced together (R30).
 *
 * Of the pages of one host with the same content only one is in the full-text table and stands for the others, its
 * twins (R24): a thousand copies of one page cost a thousand small rows and take one place in the results. When it
 * goes or changes, a twin takes over its passages. Runs inside the caller's transaction.
 */
import type { Statement } from 'better-sqlite3';
import type { Database } from '../store/database.ts';
import type { Document, DocumentTokens, Fingerprint } from '../types.ts';
import { tokensOf } from './document-tokens.ts';
import { siteTokens } from './match.ts';
import { cutPassages } from './passages.ts';
import { Tombstones } from './tombstones.ts';

interface StoredRow {
  readonly host: string;
  readonly content_hash: string;
  readonly is_indexed: 0 | 1;
}

interface TwinRow {
  readonly id: number;
  readonly canonical: string | null;
}

/** What tokens are made of, but for the passages. */
interface TextRow {
  readonly id: number;
  readonly url: string;
  readonly host: string;
  readonly title: string;
  readonly headings: string;
  readonly language: string | null;
}

/** As a LIMIT of SQLite: no limit. */
const ALL = -1;

/** A whole row, to make a document of. */
interface FactsRow extends StoredRow {
  readonly url: string;
  readonly title: string;
  readonly headings: string;
  readonly description: string;
  readonly language: string | null;
  readonly canonical: string | null;
  readonly fetched_at: number;
  readonly has_snapshot: 0 | 1;
  readonly has_snippet: 0 | 1;
}

export class DocumentStore {
  readonly tombstones: Tombstones;
  readonly #facts: Statement<[number], FactsRow>;
  readonly #select: Statement<[number], StoredRow>;
  readonly #selectText: Statement<[number], TextRow>;
  readonly #selectIndexed: Statement<[], number>;
  readonly #twin: Statement<[string, string, number, 0 | 1], TwinRow>;
  readonly #upsert: Statement<[Record<string, string | number | null>]>;
  readonly #touch: Statement<[number, number]>;
  readonly #setIndexed: Statement<[0 | 1, number]>;
  readonly #setFingerprint: Statement<[Fingerprint & { readonly id: number }]>;
  readonly #delete: Statement<[number]>;
  readonly #passages: Statement<[number, number], string>;
  readonly #insertPassage: Statement<[number, number, string]>;
  readonly #movePassages: Statement<[number, number]>;
  readonly #deletePassages: Statement<[number]>;
  readonly #insertTokens: Statement<[Record<string, string | number>]>;
  readonly #deleteTokens: Statement<[number]>;
  readonly #deleteAllTokens: Statement<[]>;

  constructor(db: Database) {
    this.tombstones = new Tombstones(db);
    this.#facts = db.prepare('SELECT * FROM document WHERE id = ?');
    this.#select = db.prepare('SELECT host, content_hash, is_indexed FROM document WHERE id = ?');
    this.#selectText = db.prepare(
      'SELECT id, url, host, title, headings, language FROM document WHERE id = ?',
    );
    this.#selectIndexed = db
      .prepare<[], number>('SELECT id FROM document WHERE is_indexed = 1 ORDER BY id')
      .pluck();
    this.#twin = db.prepare(`
      SELECT id, canonical FROM document WHERE content_hash = ? AND host = ? AND id <> ? AND is_indexed = ?
      ORDER BY canonical IS NOT NULL, id LIMIT 1`);
    // A page changes when its content does, not when it first comes.
    this.#upsert = db.prepare(`
      INSERT INTO document (id, url, host, is_indexed, title, headings, description, language, content_hash, canonical,
        fetched_at, has_snapshot, has_snippet)
      VALUES (@id, @url, @host, @isIndexed, @title, @headings, @description, @language, @contentHash, @canonical,
        @fetchedAt, @hasSnapshot, @hasSnippet)
      ON CONFLICT (id) DO UPDATE SET
        changed_at = iif(content_hash = excluded.content_hash, changed_at, excluded.fetched_at),
        url = excluded.url, host = excluded.host, is_indexed = excluded.is_indexed, title = excluded.title,
        headings = excluded.headings, description = excluded.description, language = excluded.language,
        content_hash = excluded.content_hash, canonical = excluded.canonical, fetched_at = excluded.fetched_at,
        has_snapshot = excluded.has_snapshot, has_snippet = excluded.has_snippet`);
    this.#touch = db.prepare('UPDATE document SET fetched_at = max(fetched_at, ?) WHERE id = ?');
    this.#setIndexed = db.prepare('UPDATE document SET is_indexed = ? WHERE id = ?');
    this.#setFingerprint = db.prepare(
      'UPDATE document SET fingerprint_high = @high, fingerprint_low = @low, tokens = @tokens WHERE id = @id',
    );
    this.#delete = db.prepare('DELETE FROM document WHERE id = ?');
    this.#passages = db
      .prepare<[number, number], string>(
        'SELECT text FROM chunk WHERE document_id = ? ORDER BY ordinal LIMIT ?',
      )
      .pluck();
    this.#insertPassage = db.prepare('INSERT INTO chunk (document_id, ordinal, text) VALUES (?, ?, ?)');
    this.#movePassages = db.prepare('UPDATE chunk SET document_id = ? WHERE document_id = ?');
    this.#deletePassages = db.prepare('DELETE FROM chunk WHERE document_id = ?');
    this.#insertTokens = db.prepare(`
      INSERT INTO document_fts (rowid, title, headings, url, body, forms, facets)
      VALUES (@id, @title, @headings, @url, @body, @forms, @facets)`);
    this.#deleteTokens = db.prepare('DELETE FROM document_fts WHERE rowid = ?');
    this.#deleteAllTokens = db.prepare('DELETE FROM document_fts');
  }

  /** Puts a document in place of whatever the page had. Putting the same again changes nothing but its facts. */
  put(id: number, url: string, host: string, document: Document): void {
    this.tombstones.drop(id);
    const stored = this.#select.get(id);
    const isSame = stored?.content_hash === document.contentHash && stored.host === host;
    if (stored !== undefined && !isSame) this.#withdraw(id, stored);
    const isIndexed = isSame ? stored.is_indexed : this.#takesPlace(id, host, document);
    const headings = document.headings.join('\n');
    const { title, language } = document;
    this.#upsert.run({
      id,
      url,
      host,
      isIndexed,
      title,
      headings,
      description: document.description,
      language,
      contentHash: document.contentHash,
      canonical: document.canonical,
      fetchedAt: document.fetchedAt,
      hasSnapshot: Number(document.hasSnapshot),
      hasSnippet: Number(document.hasSnippet),
    });
    if (isSame || isIndexed === 0) return;
    const passages = cutPassages(document.text);
    for (const [ordinal, passage] of passages.entries()) this.#insertPassage.run(id, ordinal, passage);
    this.#index(id, host, document.tokens ?? tokensOf({ ...document, url }));
  }

  /** Removes a document and everything made from it, and keeps a tombstone; an unknown one is no error. */
  remove(id: number, removedAt: number, isFinal = false): void {
    const stored = this.#facts.get(id);
    if (stored === undefined) return;
    const { url, host } = stored;
    this.tombstones.put({ id, url, host, removedAt, isFinal, document: this.#documentOf(id, stored) });
    this.#withdraw(id, stored);
    this.#delete.run(id);
  }

  /** Brings a removed document back; null when there is no tombstone of it. */
  restore(id: number): Document | null {
    const tombstone = this.tombstones.get(id);
    if (tombstone === null) return null;
    this.put(id, tombstone.url, tombstone.host, tombstone.document);
    return tombstone.document;
  }

  /** The document of a page, null when it has none. */
  document(id: number): Document | null {
    const row = this.#facts.get(id);
    return row === undefined ? null : this.#documentOf(id, row);
  }

  /** Does another page of the host have this content? */
  isElsewhere(id: number, host: string, contentHash: string): boolean {
    return ([0, 1] as const).some(
      (isIndexed) => this.#twin.get(contentHash, host, id, isIndexed) !== undefined,
    );
  }

  /** The page was found unchanged. */
  touch(id: number, fetchedAt: number): void {
    this.#touch.run(fetchedAt, id);
  }

  /** The text of a page in passages, at most the first `limit`. */
  passages(id: number, limit: number): string[] {
    return this.#passages.all(id, limit);
  }

  /** Makes all tokens anew from the stored text, after the tokenizer has changed. */
  reindex(): void {
    this.#deleteAllTokens.run();
    for (const id of this.#selectIndexed.all()) this.#indexStored(id);
  }

  /** The text of a twin is that of the page that stands for it. */
  #documentOf(id: number, row: FactsRow): Document {
    const textId = row.is_indexed === 1 ? id : this.#twin.get(row.content_hash, row.host, id, 1)?.id;
    return {
      title: row.title,
      headings: linesOf(row.headings),
      text: textId === undefined ? '' : this.passages(textId, ALL).join(''),
      description: row.description,
      language: row.language,
      contentHash: row.content_hash,
      canonical: row.canonical,
      fetchedAt: row.fetched_at,
      hasSnapshot: row.has_snapshot === 1,
      hasSnippet: row.has_snippet === 1,
    };
  }

  /** 1 when a new document stands for its content on its host, 0 when another one does. */
  #takesPlace(id: number, host: string, document: Document): 0 | 1 {
    const twin = this.#twin.get(document.contentHash, host, id, 1);
    if (twin === undefined) return 1;
    // A page that names another as its canonical one makes room for a page that does not.
    if (twin.canonical === null || document.canonical !== null) return 0;
    this.#clear(twin.id);
    this.#setIndexed.run(0, twin.id);
    return 1;
  }

  /** Takes passages and tokens of a page away, or gives them to a twin. */
  #withdraw(id: number, stored: StoredRow): void {
    if (stored.is_indexed === 0) return;
    const heir = this.#twin.get(stored.content_hash, stored.host, id, 0);
    if (heir !== undefined) {
      this.#movePassages.run(heir.id, id);
      this.#setIndexed.run(1, heir.id);
      this.#indexStored(heir.id);
    }
    this.#clear(id);
  }

  #clear(id: number): void {
    this.#deletePassages.run(id);
    this.#deleteTokens.run(id);
  }

  #indexStored(id: number): void {
    const row = this.#selectText.get(id);
    if (row === undefined) return;
    const text = this.passages(id, ALL).join('');
    this.#index(id, row.host, tokensOf({ ...row, headings: linesOf(row.headings), text }));
  }

  #index(id: number, host: string, { fingerprint, ...tokens }: DocumentTokens): void {
    this.#insertTokens.run({ ...tokens, id, facets: siteTokens(host).join(' ') });
    this.#setFingerprint.run({ id, ...fingerprint });
  }
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

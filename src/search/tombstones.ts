/**
 * What is kept of a removed document, so that its removal can be undone: the whole of it, out of the index. The archive keeps
 * its snapshots on its own. Runs inside the caller's transaction.
 */
import type { Statement } from 'better-sqlite3';
import type { Database } from '../store/database.ts';
import type { Document } from '../types.ts';

export interface Tombstone {
  readonly id: number;
  readonly url: string;
  readonly host: string;
  readonly removedAt: number;
  /** A person removed it. */
  readonly isFinal: boolean;
  readonly document: Document;
}

interface Row {
  readonly id: number;
  readonly url: string;
  readonly host: string;
  readonly removed_at: number;
  readonly is_final: number;
  readonly document: string;
}

export class Tombstones {
  readonly #put: Statement<[number, string, string, number, number, string]>;
  readonly #get: Statement<[number], Row>;
  readonly #drop: Statement<[number]>;
  readonly #dropOld: Statement<[number]>;
  readonly #since: Statement<[string, number], number>;

  constructor(db: Database) {
    this.#put = db.prepare('INSERT OR REPLACE INTO tombstone VALUES (?, ?, ?, ?, ?, ?)');
    this.#get = db.prepare('SELECT * FROM tombstone WHERE id = ?');
    this.#drop = db.prepare('DELETE FROM tombstone WHERE id = ?');
    this.#dropOld = db.prepare('DELETE FROM tombstone WHERE removed_at <= ?');
    this.#since = db
      .prepare<[string, number], number>(
        'SELECT id FROM tombstone WHERE host = ? AND removed_at > ? AND is_final = 0 ORDER BY id',
      )
      .pluck();
  }

  put({ id, url, host, removedAt, isFinal, document }: Tombstone): void {
    this.#put.run(id, url, host, removedAt, Number(isFinal), JSON.stringify(document));
  }

  get(id: number): Tombstone | null {
    const row = this.#get.get(id);
    if (row === undefined) return null;
    const { url, host, removed_at: removedAt, is_final } = row;
    return {
      id,
      url,
      host,
      removedAt,
      isFinal: is_final === 1,
      document: JSON.parse(row.document) as Document,
    };
  }

  drop(id: number): void {
    this.#drop.run(id);
  }

  /** Drops those of documents removed at or before an instant. */
  dropUntil(instant: number): void {
    this.#dropOld.run(instant);
  }

  /** Pages of a host that the crawl removed after an instant. */
  removedSince(host: string, instant: number): number[] {
    return this.#since.all(host, instant);
  }
}

/** Named facts about a data folder, such as the seeds of its crawl, as JSON. */
import type { Database } from './database.ts';

/** How far the WARC files of a folder are good (archive/warc/log.ts). */
export const WARC_POSITION = 'archive.warc';

export class Settings {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The stored text, null when never set. */
  get(name: string): string | null {
    return (
      this.#db.prepare<[string], string>('SELECT value FROM setting WHERE name = ?').pluck().get(name) ?? null
    );
  }

  /** Writes only what is new: a folder on a read-only disk can still be explained. */
  set(name: string, value: string): void {
    if (this.get(name) === value) return;
    this.#db
      .prepare<[string, string]>(
        'INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      )
      .run(name, value);
  }

  remove(name: string): void {
    this.#db.prepare<[string]>('DELETE FROM setting WHERE name = ?').run(name);
  }
}

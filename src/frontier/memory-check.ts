/**
 * Does what was read in earlier transactions still hold? A counter in the database grows with every transaction of a
 * frontier: when it is not what we left, our last transaction was rolled back (perhaps by a caller it was part of) or
 * another frontier has written. SQLite's data_version tells of commits through other connections.
 */
import type { Database } from '../store/database.ts';

const NAME = 'frontier.version';
/** Belongs to no state of the database. */
const UNKNOWN = -1;

export class MemoryCheck {
  readonly #sql: Statements;
  #version = UNKNOWN;
  #dataVersion = UNKNOWN;

  constructor(db: Database) {
    this.#sql = prepare(db);
  }

  /** Call when a transaction begins. False: forget what is in memory. */
  begin(): boolean {
    const version = this.#sql.version.get(NAME) ?? 0;
    const dataVersion = this.#sql.dataVersion.get() ?? 0;
    const isCurrent = version === this.#version && dataVersion === this.#dataVersion;
    // Until `end`, because the transaction may throw.
    this.#version = UNKNOWN;
    this.#dataVersion = dataVersion;
    return isCurrent;
  }

  /** Call before it ends. */
  end(): void {
    this.#version = this.#sql.grow.get(NAME) ?? UNKNOWN;
  }
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: Database) {
  return {
    version: db.prepare<[string], number>('SELECT value FROM counter WHERE name = ?').pluck(),
    dataVersion: db.prepare<[], number>('PRAGMA data_version').pluck(),
    grow: db
      .prepare<[string], number>(
        'INSERT INTO counter VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value',
      )
      .pluck(),
  };
}

/**
 * The one place that opens SQLite. Thin on purpose: prepared statements and transactions are better-sqlite3's own,
 * so `node:sqlite` can replace it when Node 20 is dropped.
 */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { UserError } from '../errors.ts';
import { diskError } from './disk-error.ts';
import { migrations } from './migrations.ts';

export type Database = Sqlite.Database;

export interface DatabaseOptions {
  /** Page cache, bytes. About 50 bytes a known URL keeps inserts fast (docs/decisions). */
  readonly cacheBytes?: number;
  /** FULL also survives power loss, for about 0.2 ms a commit; NORMAL survives the death of the process. */
  readonly synchronous?: 'NORMAL' | 'FULL';
  readonly isReadOnly?: boolean;
  /** Another process's commit is waited for this long before SQLITE_BUSY. */
  readonly busyTimeoutMs?: number;
}

const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
/** Longer than any commit takes. */
const BUSY_TIMEOUT_MS = 10_000;

/** Of making a new file one with a log. Of eight processes at one instant none needed more than two, 500 times (measured). */
const MOST_TRIES = 20;

/**
 * The log grows to this before a commit has to move it into the database itself (400 MB of 4 KiB pages); the thread of
 * store/checkpoint.ts moves most of it earlier. SQLite's default of 1,000 makes inserts five times slower (docs/decisions).
 */
const WAL_PAGES = 100_000;

/** What SQLite says when it can neither find nor make the memory that readers share. */
const UNSHARED: ReadonlySet<string> = new Set(['SQLITE_READONLY_DIRECTORY', 'SQLITE_CANTOPEN']);
/** Largest database read into memory, where it cannot be read in place. */
const MAX_COPY_BYTES = 1024 ** 3;

/** Name of the database file inside the data folder, and of the one that is taking its place (store/backup.ts). */
export const DATABASE_FILE = 'freshet.db';
export const INCOMING_FILE = 'freshet.db.incoming';

/**
 * A log larger than this holds the schema at least, and commits: making the schema leaves a log of 200 KB (measured), also
 * when the process dies meanwhile.
 */
const LARGE_LOG_BYTES = 1024 ** 2;

/**
 * Opens (and creates) the database of a data folder and brings its schema up to date.
 * Throws UserError when the folder cannot be used or was made by a newer Freshet; opened to read also when there is no data
 * in it yet (a crawl killed before its first commit leaves an empty file) or an older Freshet made it.
 */
export function openDatabase(dataDir: string, options: DatabaseOptions = {}): Database {
  const isReadOnly = options.isReadOnly ?? false;
  try {
    if (!isReadOnly) mkdirSync(dataDir, { recursive: true });
    const timeout = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
    const file = join(dataDir, DATABASE_FILE);
    refuseHalf(dataDir, file, timeout);
    if (isReadOnly && !existsSync(file)) throw noData(dataDir);
    const db = isReadOnly ? openToRead(file, timeout) : new Sqlite(file, { timeout });
    configure(db, options, isReadOnly);
    if (isReadOnly) requireSchema(db, dataDir);
    else migrate(db);
    return db;
  } catch (error) {
    throw isReadOnly && isUnbegun(error) ? noData(dataDir) : diskError(error, dataDir);
  }
}

/**
 * Did a crawl die as it turned its new file into one with a log? Only that leaves a rollback journal, which a reader may not
 * undo, and nothing was written before it; the next crawl undoes it.
 */
function isUnbegun(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code === 'SQLITE_READONLY_ROLLBACK';
}

/**
 * A folder that only looks empty is not begun anew: a restore was broken off between its moves, or nothing is readable of a
 * log that holds everything. Looks with a connection that cannot write, since closing any other would delete the log.
 */
function refuseHalf(dataDir: string, file: string, timeout: number): void {
  if (!existsSync(file)) {
    if (!existsSync(join(dataDir, INCOMING_FILE))) return;
    const hint = `run freshet restore again; what was there is in ${DATABASE_FILE}.before-…`;
    throw new UserError('config', `a restore of ${dataDir} was broken off`, hint);
  }
  if (logBytes(file) <= LARGE_LOG_BYTES) return;
  const db = openToRead(file, timeout);
  const isEmpty = db.pragma('user_version', { simple: true }) === 0;
  db.close();
  if (!isEmpty) return;
  const hint = 'freshet restore BACKUP brings a backup back; or start again in another --data folder';
  throw new UserError('damaged', `the database in ${dataDir} is damaged: its log cannot be read`, hint);
}

/** Opens a copy of a database, of this version or an older one, to read. Throws UserError when the file is none. */
export function openBackup(file: string): Database {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  if (!isFile) throw new UserError('usage', `there is no file ${file}`);
  let db: Database | null = null;
  try {
    db = openToRead(file, BUSY_TIMEOUT_MS);
    if (appliedSteps(db) > 0) return db;
    throw new UserError('usage', `${file} is no backup of Freshet`);
  } catch (error) {
    db?.close();
    const isNone = error instanceof Sqlite.SqliteError && error.code === 'SQLITE_NOTADB';
    throw isNone ? new UserError('usage', `${file} is no backup of Freshet`) : diskError(error, file);
  }
}

/** Opens a copy of a database that nobody else uses, of this version or an older one, to change it. */
export function openCopy(file: string): Database {
  return new Sqlite(file);
}

/** Was it made by an older Freshet? */
export function isOlder(db: Database): boolean {
  return appliedSteps(db) < migrations.length;
}

/** A database to read, from where it is or, when nothing at all can be written beside it, from a copy in memory. */
function openToRead(file: string, timeout: number): Database {
  const db = new Sqlite(file, { readonly: true, timeout });
  try {
    db.pragma('user_version'); // the first read, which wants the memory that readers and writers share (-shm)
    return db;
  } catch (error) {
    db.close();
    const code = error instanceof Sqlite.SqliteError ? error.code : '';
    if (!UNSHARED.has(code) || statSync(file).size > MAX_COPY_BYTES || logBytes(file) > 0) throw error;
    const bytes = readFileSync(file);
    // Versions of the file format for writing and reading: 2 is WAL, which memory has no use for (sqlite.org/fileformat, 1.3).
    bytes.fill(1, 18, 20);
    return new Sqlite(bytes, { readonly: true });
  }
}

/** Size of the log of commits that may not be in the file itself. */
export function logBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** A database in memory with the same schema, for tests and simulations. */
export function openMemoryDatabase(): Database {
  const db = new Sqlite(':memory:');
  configure(db, {}, false);
  migrate(db);
  return db;
}

function configure(db: Database, options: DatabaseOptions, isReadOnly: boolean): void {
  db.pragma(`cache_size = ${-Math.ceil((options.cacheBytes ?? DEFAULT_CACHE_BYTES) / 1024)}`);
  db.pragma('temp_store = MEMORY');
  if (isReadOnly) return;
  beginLog(db);
  db.pragma(`wal_autocheckpoint = ${WAL_PAGES}`);
  db.pragma(`synchronous = ${options.synchronous ?? 'NORMAL'}`);
}

/**
 * Makes a new file one with a log. Processes that do so at one instant are in each other's way, and SQLite says that it is
 * busy without waiting, since each of them reads already (sqlite.org/c3ref/busy_handler); so wait for a turn to write, which
 * the others have to end first, and try again.
 */
function beginLog(db: Database): void {
  for (let tries = 1; ; tries++) {
    try {
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY';
      if (!isBusy || tries === MOST_TRIES) throw error;
      db.exec('BEGIN IMMEDIATE; ROLLBACK');
    }
  }
}

/** The error for a folder that nothing has been crawled into. */
export function noData(dataDir: string): UserError {
  return new UserError('config', `no data in ${dataDir} yet`, 'crawl something first: freshet crawl URL');
}

function requireSchema(db: Database, dataDir: string): void {
  const applied = appliedSteps(db);
  if (applied === migrations.length) return;
  refuseWrongSteps(db, applied);
  db.close();
  if (applied === 0) throw noData(dataDir);
  throw new UserError(
    'config',
    `the data folder was made by an older Freshet (schema ${applied}, this one needs ${migrations.length})`,
    'freshet crawl brings it up to date',
  );
}

/** Schema steps a database has been through; throws UserError when it knows more of them than we do. */
function appliedSteps(db: Database): number {
  const applied = db.pragma('user_version', { simple: true }) as number;
  if (applied <= migrations.length) return applied;
  db.close();
  throw new UserError(
    'config',
    `the data folder was made by a newer Freshet (schema ${applied}, this one knows ${migrations.length})`,
    'update Freshet, or use another --data folder',
  );
}

function migrate(db: Database): void {
  if (appliedSteps(db) === migrations.length) return;
  db.transaction(() => {
    // Read again inside the lock: another process may have migrated meanwhile.
    const now = db.pragma('user_version', { simple: true }) as number;
    refuseWrongSteps(db, now);
    for (const step of migrations.slice(now)) db.exec(step);
    db.pragma(`user_version = ${migrations.length}`);
  }).immediate();
}

/** Throws UserError when the number of steps does not agree with the tables that are there, as after damage to it. */
function refuseWrongSteps(db: Database, applied: number): void {
  const right = new Sqlite(':memory:');
  for (const step of migrations.slice(0, Math.max(0, applied))) right.exec(step);
  const isRight = applied >= 0 && columnsOf(db) === columnsOf(right);
  right.close();
  if (isRight) return;
  const message = `the database ${db.name} is damaged: its tables are not those of schema ${applied}`;
  const hint = 'freshet restore BACKUP brings a backup back; or start again in another --data folder';
  throw new UserError('damaged', message, hint);
}

/** Names of all columns and indexes, those of SQLite itself left out; not the SQL, which its versions may write differently. */
function columnsOf(db: Database): string {
  const sql = `SELECT part.name || '.' || coalesce(col.name, '') FROM sqlite_schema AS part
    LEFT JOIN pragma_table_info(part.name) AS col WHERE part.name NOT LIKE 'sqlite_%' ORDER BY 1`;
  return db.prepare<[], string>(sql).pluck().all().join();
}

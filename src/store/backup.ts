/**
 * Copies of the whole database. A copy is one consistent state, also while a crawl writes: SQLite makes it inside one read
 * (VACUUM INTO), so it holds every group of visits wholly or not at all. It appears under its name when it is whole and on
 * the disk, never before.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../errors.ts';
import { DATABASE_FILE, type Database, INCOMING_FILE, openBackup, openCopy } from './database.ts';
import { diskError, isDamage } from './disk-error.ts';
import { Settings, WARC_POSITION } from './settings.ts';
import { problemsIn } from './soundness.ts';
import { syncToDisk } from './sync.ts';

/** Beside a database SQLite keeps its log and the memory that its readers share. */
const COMPANIONS = ['-wal', '-shm'] as const;

/**
 * Copies a database, called `name` when something is wrong with it, into a new file. Throws UserError when there is something
 * of that name, when the disk is full, and when the copy would not be sound.
 */
export function copyTo(db: Database, file: string, name: string): void {
  if (existsSync(file)) throw new UserError('usage', `${file} exists already`, 'choose another name');
  const partial = `${file}.partial`;
  // Left by a copy that was broken off.
  rmSync(partial, { force: true });
  try {
    db.prepare('VACUUM INTO ?').run(partial);
    const [problem] = read(partial, problemsIn);
    if (problem !== undefined) throw new UserError('damaged', `${name} is damaged: ${problem}`);
    syncToDisk(partial);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    const isDamaged = error instanceof Error && isDamage(error);
    throw isDamaged
      ? new UserError('damaged', `${name} is damaged: ${error.message}`)
      : diskError(error, dirname(file));
  }
}

export interface Restored {
  /** Searchable now. */
  readonly documents: number;
  /** Where the database is that was there; null when there was none. */
  readonly aside: string | null;
}

/**
 * Puts a copy of a backup in the place of the database of a data folder, whose lock the caller holds. What was there is moved
 * aside. Throws UserError, and changes nothing, when the backup cannot be used: no backup of Freshet, by a newer one, damaged.
 */
export function restoreFrom(backup: string, dataDir: string, now: Date): Restored {
  const database = join(dataDir, DATABASE_FILE);
  const incoming = join(dataDir, INCOMING_FILE);
  const copy = `${database}.copy`;
  rmSync(copy, { force: true });
  read(backup, (db) => copyTo(db, copy, `the backup ${backup}`));
  const documents = read(copy, countDocuments);
  forgetWarcs(copy);
  renameSync(copy, incoming);
  const aside = nameAside(database, now);
  // The database first: a log without one is never read, one beside another database would be. A log alone is what a restore
  // left that was broken off here, and holds commits too. Until the end of it the folder is not used (openDatabase).
  const present = ['', ...COMPANIONS].filter((companion) => existsSync(`${database}${companion}`));
  for (const companion of present) renameSync(`${database}${companion}`, `${aside}${companion}`);
  renameSync(incoming, database);
  return { documents, aside: present.length === 0 ? null : aside };
}

/** A restored database begins WARC files of its own: those it knows have grown since the backup was made. */
function forgetWarcs(copy: string): void {
  const db = openCopy(copy);
  new Settings(db).remove(WARC_POSITION);
  db.close();
}

function read<Result>(file: string, work: (db: Database) => Result): Result {
  const db = openBackup(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

function countDocuments(db: Database): number {
  return db.prepare<[], number>('SELECT count(*) FROM document').pluck().get() ?? 0;
}

/** An instant as part of a file name: 20261201T102030, UTC. */
export function timeStamp(now: Date): string {
  return now.toISOString().replaceAll(/[-:]|\..*/g, '');
}

/** A name with the time in it that nothing has. */
function nameAside(database: string, now: Date): string {
  const stamp = timeStamp(now);
  for (let nth = 1; ; nth++) {
    const name = `${database}.before-${stamp}${nth === 1 ? '' : `-${nth}`}`;
    if (['', ...COMPANIONS].every((companion) => !existsSync(`${name}${companion}`))) return name;
  }
}

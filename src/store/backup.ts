/**
 * Copies of the whole database. A copy is one consistent state, also while a crawl writes: SQLite makes it inside one read
 * (VACUUM INTO), so it holds every group of visits wholly or not at all. It appears under its name when it is whole and on
 * the disk, never before.
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../errors.ts';
import { DATABASE_FILE, type Database, openBackup } from './database.ts';
import { diskError } from './disk-error.ts';
import { problemsIn } from './soundness.ts';

/** Beside a database SQLite keeps its log and the memory that its readers share. */
const COMPANIONS = ['-wal', '-shm'] as const;

/** Copies a database into a new file. Throws UserError when there is something of that name. */
export function copyTo(db: Database, file: string): void {
  if (existsSync(file)) throw new UserError('usage', `${file} exists already`, 'choose another name');
  const partial = `${file}.partial`;
  // Left by a copy that was broken off.
  rmSync(partial, { force: true });
  try {
    db.prepare('VACUUM INTO ?').run(partial);
    sync(partial);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw diskError(error, dirname(file));
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
  const incoming = `${database}.incoming`;
  rmSync(incoming, { force: true });
  const db = openBackup(backup);
  let documents = 0;
  try {
    const [problem] = problemsIn(db);
    if (problem !== undefined) throw new UserError('damaged', `the backup ${backup} is damaged: ${problem}`);
    documents = db.prepare<[], number>('SELECT count(*) FROM document').pluck().get() ?? 0;
    copyTo(db, incoming);
  } finally {
    db.close();
  }
  const aside = nameAside(database, now);
  // The database first: a log without one is never read, one beside another database would be. A log alone is what a restore
  // left that was broken off here, and holds commits too.
  const present = ['', ...COMPANIONS].filter((companion) => existsSync(`${database}${companion}`));
  for (const companion of present) renameSync(`${database}${companion}`, `${aside}${companion}`);
  renameSync(incoming, database);
  return { documents, aside: present.length === 0 ? null : aside };
}

/** A name with the time in it that nothing has. */
function nameAside(database: string, now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]|\..*/g, '');
  for (let nth = 1; ; nth++) {
    const name = `${database}.before-${stamp}${nth === 1 ? '' : `-${nth}`}`;
    if (['', ...COMPANIONS].every((companion) => !existsSync(`${name}${companion}`))) return name;
  }
}

/** Waits until all of a file is on the disk. */
function sync(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

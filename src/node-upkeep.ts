/** Upkeep of a data folder: is it sound, copies of its database made and put back. A part of node.ts. */
import type { Config } from './config.ts';
import { warcProblems } from './node-archive.ts';
import { copyTo, type Restored, restoreFrom } from './store/backup.ts';
import { openDatabase } from './store/database.ts';
import { diskError } from './store/disk-error.ts';
import { lockFolder } from './store/lock.ts';
import { problemsIn } from './store/soundness.ts';

/** What is wrong with database and WARC files of a data folder, a line each; reads all of it, also while a crawl runs. */
export async function problemsOf(config: Config): Promise<string[]> {
  const db = openDatabase(config.storage.dir, { isReadOnly: true });
  try {
    return [...problemsIn(db), ...(await warcProblems(db, config))];
  } catch (error) {
    throw diskError(error, config.storage.dir);
  } finally {
    db.close();
  }
}

/** Copies the database of a data folder into a new file, also while a crawl runs. */
export function backUp(config: Config, file: string): void {
  const { dir } = config.storage;
  const db = openDatabase(dir, { isReadOnly: true });
  try {
    copyTo(db, file, `the database in ${dir}`);
  } finally {
    db.close();
  }
}

/** Puts a backup in the place of the database of a data folder on which no crawl runs. */
export function restore(config: Config, backup: string, now: Date): Restored {
  const { dir } = config.storage;
  const unlock = lockFolder(dir, process.pid);
  try {
    return restoreFrom(backup, dir, now);
  } finally {
    unlock();
  }
}

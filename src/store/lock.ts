/**
 * One crawler per data folder. The lock is an exclusive transaction on a database file of its own, so the operating
 * system ends it with the process, however that dies: there is no stale lock to clean up.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { UserError } from '../errors.ts';
import { diskError } from './disk-error.ts';

/**
 * Takes the lock; the returned function gives it back. Throws UserError: 'locked' names the process that holds it, 'config'
 * says why the folder cannot be used.
 */
export function lockFolder(dataDir: string, pid: number): () => void {
  try {
    return takeLock(dataDir, pid);
  } catch (error) {
    throw diskError(error, dataDir);
  }
}

function takeLock(dataDir: string, pid: number): () => void {
  mkdirSync(dataDir, { recursive: true });
  const pidFile = join(dataDir, 'crawler.pid');
  const db = new Sqlite(join(dataDir, 'crawler.lock'), { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (!(error instanceof Sqlite.SqliteError) || error.code !== 'SQLITE_BUSY') throw error;
    throw new UserError(
      'locked',
      `another crawl is running on ${dataDir} (process ${holder(pidFile)})`,
      'wait for it, stop it, or use another --data folder; freshet add and freshet search work meanwhile',
      { cause: error },
    );
  }
  writeFileSync(pidFile, `${pid}\n`);
  return () => {
    db.exec('ROLLBACK');
    db.close();
  };
}

function holder(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim();
  } catch {
    return 'unknown'; // the other process has the lock but has not written its number yet
  }
}

/** What our own disk does to us, in words that help (R32): a full or read-only disk, a folder that is none, a damaged file. */
import { UserError } from '../errors.ts';

/** A failure of the disk as a UserError that says what to do; every other error as it is. Nothing is lost by any of them. */
export function diskError(error: unknown, dataDir: string): unknown {
  if (error instanceof UserError || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const cause = { cause: error };
  if (full.has(code)) {
    const message = `no room left on the disk of ${dataDir}`;
    return new UserError('diskFull', message, 'free some space and run again; nothing is lost', cause);
  }
  // SQLITE_IOERR and its kinds: the system refused to read or write, as it does for a folder of that name.
  if (unusable.has(code) || code.startsWith('SQLITE_IOERR')) {
    const message = `cannot use the data folder ${dataDir}: ${error.message}`;
    const hint = 'check that it is a folder and writable, or choose another with --data';
    return new UserError('config', message, hint, cause);
  }
  if (isDamage(error)) {
    const message = `the database in ${dataDir} is damaged: ${error.message}`;
    const hint = 'freshet restore BACKUP brings a backup back; or start again in another --data folder';
    return new UserError('damaged', message, hint, cause);
  }
  return error;
}

/**
 * Did SQLite meet bytes that cannot be? Its codes for that are SQLITE_CORRUPT, those that begin so, and SQLITE_NOTADB; only
 * a full-text table whose first record is damaged is told as any error is.
 */
export function isDamage(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  const isFullText = code === 'SQLITE_ERROR' && error.message.startsWith('invalid fts5 file format');
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || isFullText;
}

const full: ReadonlySet<string> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT']);

const unusable: ReadonlySet<string> = new Set([
  'EACCES',
  'EEXIST',
  'EIO',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'EPERM',
  'EROFS',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'SQLITE_READONLY_DBMOVED',
  'SQLITE_READONLY_DIRECTORY',
]);

/**
 * URLs pushed to us (IndexNow) until the crawler takes them up: written by the process that serves, taken away by the one
 * that crawls. Bounded for each host and in all; the oldest make room.
 */
import type { KeyCheck, Submission } from '../crawl/push.ts';
import { urlHash } from '../url/key.ts';
import { queueKey } from '../url/site.ts';
import type { Database } from './database.ts';

/** What is submitted. */
export interface NewSubmission {
  /** Frontier key of the key file (crawl/push.ts). */
  readonly keyFile: string;
  readonly key: string;
  /** Absolute, of one host. */
  readonly urls: readonly string[];
}

/** Room for the submissions of one host: one or two of the largest the protocol allows. */
const HOST_BYTES = 8 * 1024 * 1024;
const ALL_BYTES = 32 * 1024 * 1024;
/** Counted for a row beside its text, so that small ones do not become too many to add up. */
const ROW_BYTES = 1_000;
/** URLs one visit deals with, about; more in one transaction would keep others from writing for long. */
const URLS_AT_ONCE = 10_000;

interface SubmissionRow extends Omit<Submission, 'urls'> {
  readonly urls: string;
}

export class Submissions {
  readonly #sql: Statements;
  readonly #put: (submission: NewSubmission, nowMs: number) => void;

  constructor(db: Database) {
    const sql = prepare(db);
    this.#sql = sql;
    this.#put = db.transaction(({ keyFile, key, urls }: NewSubmission, nowMs: number) => {
      const host = queueKey(keyFile);
      const text = urls.join('\n');
      sql.insert.run(host, keyFile, key, text, text.length + ROW_BYTES, nowMs);
      sql.trimHost.run(host, HOST_BYTES);
      sql.trimAll.run(ALL_BYTES);
    }).immediate;
  }

  /** Is it the queue key of a host that is crawled? */
  isCrawled(host: string): boolean {
    return this.#sql.isCrawled.get(host) !== undefined;
  }

  /** What the last look at a key file found; null: there was none. */
  check(keyFile: string): KeyCheck | null {
    return this.#sql.check.get(queueKey(keyFile), urlHash(keyFile)) ?? null;
  }

  /** False when the database is busy with something long. */
  put(submission: NewSubmission, nowMs: number): boolean {
    try {
      this.#put(submission, nowMs);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return false;
      throw error;
    }
  }

  /** Submissions that wait for what a key file says, oldest first: one, or as many as make 10,000 URLs. */
  waiting(keyFile: string): Submission[] {
    const taken: Submission[] = [];
    let count = 0;
    for (const row of this.#sql.waiting.iterate(keyFile)) {
      const urls = row.urls.split('\n');
      count += urls.length;
      if (taken.length > 0 && count > URLS_AT_ONCE) break;
      taken.push({ ...row, urls });
    }
    return taken;
  }

  /** Frontier keys of the key files that submissions wait for, those that have waited longest first. */
  keyFiles(): string[] {
    return this.#sql.keyFiles.all();
  }

  drop(ids: readonly number[]): void {
    this.#sql.drop.run(JSON.stringify(ids));
  }

  /** Submissions that wait. */
  count(): number {
    return this.#sql.count.get() ?? 0;
  }
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: Database) {
  return {
    isCrawled: db.prepare<[string], number>('SELECT 1 FROM host WHERE name = ? AND known > 0').pluck(),
    check: db.prepare<[string, number], KeyCheck>(
      `SELECT page.state, page.content_hash AS contentHash, page.fetched_at AS fetchedAt
       FROM url JOIN host ON host.id = url.host_id JOIN page ON page.id = url.id
       WHERE host.name = ? AND url.hash = ? AND url.kind = 3`,
    ),
    insert: db.prepare<[string, string, string, string, number, number]>(
      'INSERT INTO submission (host, key_file, key, urls, bytes, received_at) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    trimHost: db.prepare<[string, number]>(
      `DELETE FROM submission WHERE id IN (SELECT id FROM
         (SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS total FROM submission WHERE host = ?) WHERE total > ?)`,
    ),
    trimAll: db.prepare<[number]>(
      `DELETE FROM submission WHERE id IN (SELECT id FROM
         (SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS total FROM submission) WHERE total > ?)`,
    ),
    waiting: db.prepare<[string], SubmissionRow>(
      'SELECT id, key, urls, received_at AS receivedAt FROM submission WHERE key_file = ? ORDER BY id',
    ),
    keyFiles: db
      .prepare<[], string>('SELECT key_file FROM submission GROUP BY key_file ORDER BY min(id)')
      .pluck(),
    drop: db.prepare<[string]>('DELETE FROM submission WHERE id IN (SELECT value FROM json_each(?))'),
    count: db.prepare<[], number>('SELECT count(*) FROM submission').pluck(),
  };
}

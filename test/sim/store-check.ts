/** Does the store of a data folder agree with itself? Nothing lost, nothing twice, nothing half there, counts right (R29). */
import { type Database, openDatabase } from '../../src/store/database.ts';

/** What is wrong while no crawl runs, one line each. */
export function contradictionsIn(folder: string): string[] {
  const db = openDatabase(folder, { isReadOnly: true });
  try {
    return Object.entries({ ...atRest, ...always }).flatMap(([what, sql]) => {
      const count = countOf(db, sql);
      return count === 0 ? [] : [`${what}: ${count}`];
    });
  } finally {
    db.close();
  }
}

/** The totals kept of visits. Links refused for a quota are left out, because URLs that are added are counted there as well. */
export function countersIn(folder: string): ReadonlyMap<string, number> {
  const db = openDatabase(folder, { isReadOnly: true });
  const sql = `SELECT name, value FROM counter WHERE name LIKE 'outcome.%' OR name IN ('bytes', 'savedBytes')
    UNION ALL SELECT 'refused ' || reason, count FROM refusal WHERE reason NOT LIKE 'limit.%'`;
  const rows = db.prepare<[], { name: string; value: number }>(sql).all();
  db.close();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** The same while a crawl runs, to be asked after every commit. */
export class StepCheck {
  readonly #db: Database;
  readonly #checks: readonly (readonly [what: string, count: (now: number) => number])[];

  constructor(folder: string) {
    this.#db = openDatabase(folder, { isReadOnly: true });
    this.#checks = Object.entries({ ...inMotion, ...always }).map(([what, sql]) => {
      const statement = this.#db.prepare<{ now: number }, number>(sql).pluck();
      return [what, (now) => statement.get({ now }) ?? 0];
    });
  }

  contradictions(now: number): string[] {
    return this.#checks.flatMap(([what, countAt]) => {
      const count = countAt(now);
      return count === 0 ? [] : [`while crawling: ${what}: ${count}`];
    });
  }

  close(): void {
    this.#db.close();
  }
}

/** Pages of which a copy is held: what totals are made of. */
const HELD = 'page JOIN url USING (id) WHERE kind = 0 AND content_hash IS NOT NULL';

/** Each counts what must not be while nothing runs. */
const atRest: Readonly<Record<string, string>> = {
  'damaged database': "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
  'URLs still lent': 'SELECT count(*) FROM url WHERE lease IS NOT NULL',
  'hosts with busy slots': "SELECT count(*) FROM host WHERE slots <> '[]'",
  'hosts nobody will ask again': 'SELECT count(*) FROM host WHERE known > 0 AND ready_at IS NULL',
};

/** … and while a crawl runs: every loan holds a slot of its host, and only loans do (a turn for robots.txt holds one for 30 s). */
const inMotion: Readonly<Record<string, string>> = {
  'loans without a slot': `SELECT count(*) FROM url JOIN host ON host.id = host_id WHERE lease > @now
     AND lease NOT IN (SELECT value FROM json_each(host.slots))`,
  'slots without a loan': `SELECT count(*) FROM host, json_each(host.slots) AS slot WHERE slot.value > @now + 30000
     AND slot.value NOT IN (SELECT lease FROM url WHERE host_id = host.id AND lease IS NOT NULL)`,
};

/** … and at any time. */
const always: Readonly<Record<string, string>> = {
  'URLs that will never be visited again': 'SELECT count(*) FROM url WHERE due_at IS NULL AND kind <> 3',
  'hosts that count their URLs wrong':
    'SELECT count(*) FROM host WHERE known <> (SELECT count(*) FROM url WHERE host_id = host.id)',
  'wrong count of waiting URLs': `SELECT abs(coalesce((SELECT value FROM counter WHERE name = 'urls.waiting'), 0)
     - (SELECT count(*) FROM url WHERE due_at < 0))`,
  'wrong count of scheduled URLs': `SELECT abs(coalesce((SELECT value FROM counter WHERE name = 'urls.scheduled'), 0)
     - (SELECT count(*) FROM url WHERE due_at >= 0))`,
  'wrong count of pages held': `SELECT abs((SELECT pages FROM schedule) - count(*)) FROM ${HELD}`,
  'wrong sum of planned visits': `SELECT abs((SELECT demand FROM schedule)
     - coalesce(sum(86400000.0 / nullif(interval_ms, 0)), 0)) > 1e-6 FROM ${HELD} AND looked_at IS NOT NULL`,
  'wrong sum of weights': `SELECT abs((SELECT weight FROM schedule)
     - coalesce(sum(pow(2, url.priority / 25.0) / pow(1 + url.depth, 2 / 3.0)), 0)) > 1e-6 FROM ${HELD}`,
  'hosts whose totals are wrong': `SELECT count(*) FROM host
     WHERE pages <> (SELECT count(*) FROM ${HELD} AND url.host_id = host.id)`,
  'pages of no URL': 'SELECT count(*) FROM page WHERE id NOT IN (SELECT id FROM url)',
  'visited URLs in the queue of new ones':
    'SELECT count(*) FROM page JOIN url USING (id) WHERE due_at < 0 AND fetched_at IS NOT NULL',
  'pages due before they were visited':
    'SELECT count(*) FROM page JOIN url USING (id) WHERE due_at >= 0 AND due_at < fetched_at AND kind <> 3',
  'unknown states': `SELECT count(*) FROM page
     WHERE state NOT IN ('waiting', 'indexed', 'listed', 'redirected', 'blocked', 'missing', 'gone', 'failed')`,
  'indexed pages without a document':
    "SELECT count(*) FROM page WHERE state = 'indexed' AND id NOT IN (SELECT id FROM document)",
  'documents of pages that are not indexed':
    "SELECT count(*) FROM document LEFT JOIN page USING (id) WHERE state IS NOT 'indexed'",
  'documents that differ from what is remembered':
    'SELECT count(*) FROM document JOIN page USING (id) WHERE document.content_hash IS NOT page.content_hash',
  'validators of content that is not indexed':
    'SELECT count(*) FROM page WHERE content_hash IS NULL AND (etag IS NOT NULL OR last_modified IS NOT NULL)',
  'documents without a snapshot':
    'SELECT count(*) FROM document WHERE id NOT IN (SELECT url_id FROM capture)',
  'bodies counted wrong':
    'SELECT count(*) FROM body WHERE refs <> (SELECT count(*) FROM capture WHERE body_id = body.id) OR refs = 0',
  'contents without a page that stands for them': `SELECT count(*) FROM (SELECT 1 FROM document
     GROUP BY content_hash, host HAVING sum(is_indexed) = 0)`,
  'documents without text':
    'SELECT count(*) FROM document WHERE is_indexed = 1 AND id NOT IN (SELECT document_id FROM chunk)',
  'text of no document':
    'SELECT count(*) FROM chunk WHERE document_id NOT IN (SELECT id FROM document WHERE is_indexed = 1)',
  'full text of no document':
    'SELECT count(*) FROM document_fts WHERE rowid NOT IN (SELECT id FROM document WHERE is_indexed = 1)',
};

function countOf(db: Database, sql: string): number {
  return db.prepare<[], number>(sql).pluck().get() ?? 0;
}

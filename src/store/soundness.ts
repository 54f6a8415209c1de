/**
 * Is a database sound? The file itself, the full-text index, and what the tables say of one another: nothing lost, nothing
 * twice, nothing half there, counts right (R29). Reads only, so it works beside a crawl.
 */
import { type Database, isOlder } from './database.ts';
import { isDamage } from './disk-error.ts';

/** Lines that SQLite says about a damaged file at most: the first ones tell enough. */
const MOST_LINES = 20;

/** Pages of which a copy is held: what totals are made of. */
const HELD = 'page JOIN url USING (id) WHERE kind = 0 AND content_hash IS NOT NULL';

/** Sums kept by adding differences gather rounding errors, with the pages they are sums of. */
const ROUNDING = '1e-6 * max(1, count(*) / 1000.0)';

/** Each counts what must not be, at any time, also while a crawl runs. */
export const consistencyRules: Readonly<Record<string, string>> = {
  'URLs that will never be visited again': 'SELECT count(*) FROM url WHERE due_at IS NULL AND kind <> 3',
  'hosts that count their URLs wrong':
    'SELECT count(*) FROM host WHERE known <> (SELECT count(*) FROM url WHERE host_id = host.id)',
  'wrong count of waiting URLs': `SELECT abs(coalesce((SELECT value FROM counter WHERE name = 'urls.waiting'), 0)
     - (SELECT count(*) FROM url WHERE due_at < 0))`,
  'wrong count of scheduled URLs': `SELECT abs(coalesce((SELECT value FROM counter WHERE name = 'urls.scheduled'), 0)
     - (SELECT count(*) FROM url WHERE due_at >= 0))`,
  'wrong count of pages held': `SELECT abs((SELECT pages FROM schedule) - count(*)) FROM ${HELD}`,
  'wrong sum of planned visits': `SELECT abs((SELECT demand FROM schedule)
     - coalesce(sum(86400000.0 / nullif(interval_ms, 0)), 0)) > ${ROUNDING} FROM ${HELD} AND looked_at IS NOT NULL`,
  'wrong sum of weights': `SELECT abs((SELECT weight FROM schedule)
     - coalesce(sum(pow(2, url.priority / 25.0) / pow(1 + url.depth, 2 / 3.0)), 0)) > ${ROUNDING} FROM ${HELD}`,
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

/** What is wrong, a line each; empty: nothing is. One pass over every table. */
export function problemsIn(db: Database): string[] {
  try {
    const file = fileProblems(db);
    // What the tables of another version say of one another is not known here.
    return file.length > 0 || isOlder(db) ? file : contradictionsIn(db);
  } catch (error) {
    if (!(error instanceof Error) || !isDamage(error)) throw error;
    return [error.message];
  }
}

/** What SQLite finds wrong with its file, the full-text index included. */
function fileProblems(db: Database): string[] {
  const lines = db.prepare<[], string>(`PRAGMA integrity_check(${MOST_LINES})`).pluck().all();
  // The first of several lines says which database, and there is one only.
  return lines.flatMap((line) => line.split('\n')).filter((line) => line !== 'ok' && !line.startsWith('***'));
}

function contradictionsIn(db: Database): string[] {
  return Object.entries(consistencyRules).flatMap(([what, sql]) => {
    const count = db.prepare<[], number>(sql).pluck().get() ?? 0;
    return count === 0 ? [] : [`${what}: ${count}`];
  });
}

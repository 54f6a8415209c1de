/** Does the store of a data folder agree with itself? Nothing lost, nothing twice, nothing half there, counters right (R29). */
import { type Database, openDatabase } from '../../src/store/database.ts';

/** What is wrong while no crawl runs, one line each. */
export function contradictionsIn(folder: string): string[] {
  const db = openDatabase(folder, { isReadOnly: true });
  try {
    return Object.entries(contradictions).flatMap(([what, sql]) => {
      const count = countOf(db, sql);
      return count === 0 ? [] : [`${what}: ${count}`];
    });
  } finally {
    db.close();
  }
}

/** Each counts what must not be. */
const contradictions: Readonly<Record<string, string>> = {
  'damaged database': "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
  'URLs that will never be visited again': 'SELECT count(*) FROM url WHERE due_at IS NULL AND kind <> 3',
  'URLs still lent': 'SELECT count(*) FROM url WHERE lease IS NOT NULL',
  'hosts with busy slots': "SELECT count(*) FROM host WHERE slots <> '[]'",
  'hosts that count their URLs wrong':
    'SELECT count(*) FROM host WHERE known <> (SELECT count(*) FROM url WHERE host_id = host.id)',
  'hosts nobody will ask again': 'SELECT count(*) FROM host WHERE known > 0 AND ready_at IS NULL',
  'wrong count of waiting URLs': `SELECT abs(coalesce((SELECT value FROM counter WHERE name = 'urls.waiting'), 0)
     - (SELECT count(*) FROM url WHERE due_at < 0))`,
  'wrong count of scheduled URLs': `SELECT abs(coalesce((SELECT value FROM counter WHERE name = 'urls.scheduled'), 0)
     - (SELECT count(*) FROM url WHERE due_at >= 0))`,
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

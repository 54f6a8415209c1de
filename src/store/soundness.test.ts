import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { type Database, openMemoryDatabase } from './database.ts';
import { consistencyRules, problemsIn } from './soundness.ts';

/** A database with one page, whole. */
function onePage(): Database {
  const db = openMemoryDatabase();
  db.exec(`
    INSERT INTO host (id, name, known, pages) VALUES (1, 'a.test', 1, 1);
    INSERT INTO url (id, host_id, hash, is_secure, path, depth, priority, due_at, redirects, found_at)
      VALUES (1, 1, 7, 1, '/', 0, 0, 9, 0, 1);
    INSERT INTO counter VALUES ('urls.scheduled', 1);
    INSERT INTO page (id, state, status, visits, changes, unchanged, failures, missing, interval_ms, content_hash,
      extractor_version, fetched_at) VALUES (1, 'indexed', 200, 1, 0, 0, 0, 0, 0, 'hash', 1, 5);
    UPDATE schedule SET pages = 1, weight = 1;
    INSERT INTO document (id, url, host, is_indexed, title, headings, description, content_hash, fetched_at,
      has_snapshot, has_snippet) VALUES (1, 'https://a.test/', 'a.test', 1, '', '', '', 'hash', 5, 1, 1);
    INSERT INTO chunk VALUES (1, 0, 'text');
    INSERT INTO document_fts (rowid, body) VALUES (1, 'text');`);
  return db;
}

test('nothing is wrong with what is whole, and with what is empty', () => {
  expect(problemsIn(openMemoryDatabase())).toEqual([]);
  expect(problemsIn(onePage())).toEqual([]);
});

test.each([
  ['hosts that count their URLs wrong', 'UPDATE host SET known = 2'],
  ['wrong count of scheduled URLs', 'UPDATE counter SET value = 2'],
  ['wrong sum of weights', 'UPDATE schedule SET weight = 1.1'],
  [
    'pages of no URL',
    'DELETE FROM url; UPDATE host SET known = 0, pages = 0; UPDATE counter SET value = 0; UPDATE schedule SET pages = 0, weight = 0',
  ],
  ['indexed pages without a document', 'DELETE FROM document; DELETE FROM chunk; DELETE FROM document_fts'],
  ['documents that differ from what is remembered', "UPDATE page SET content_hash = 'other'"],
  ['documents without text', 'DELETE FROM chunk'],
  ['full text of no document', "INSERT INTO document_fts (rowid, body) VALUES (2, 'text')"],
])('%s: found', (what, change) => {
  const db = onePage();
  db.exec(change);
  expect(Object.keys(consistencyRules)).toContain(what);
  expect(problemsIn(db)).toEqual([`${what}: 1`]);
});

test('a full-text index without its first record is a damaged one, not a bug', () => {
  const db = onePage();
  db.unsafeMode();
  db.exec("DELETE FROM document_fts_config WHERE k = 'version'");
  expect(problemsIn(new Sqlite(db.serialize())).join()).toMatch(/fts/);
});

test('a damaged full-text index is found', () => {
  const db = onePage();
  db.unsafeMode();
  db.exec('DELETE FROM document_fts_data WHERE id > 10');
  expect(problemsIn(db).join()).toMatch(/document_fts/);
});

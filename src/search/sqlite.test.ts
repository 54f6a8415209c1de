import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { goodCopiesContract } from '../../test/contract/good-copies.ts';
import { searchIndexContract } from '../../test/contract/search-index.ts';
import { page, put, remove } from '../../test/support/documents.ts';
import { type Database, openDatabase, openMemoryDatabase } from '../store/database.ts';
import { parseQuery } from './query.ts';
import { SqliteSearchIndex } from './sqlite.ts';

searchIndexContract('SqliteSearchIndex', () => new SqliteSearchIndex(openMemoryDatabase()));
goodCopiesContract('SqliteSearchIndex', () => new SqliteSearchIndex(openMemoryDatabase()));

describe('SqliteSearchIndex', () => {
  const rows = (db: Database, table: string): number =>
    db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? -1;
  const total = (index: SqliteSearchIndex, input: string): number => index.search(parseQuery(input)).total;

  test('a removed or replaced page leaves no row behind', () => {
    const db = openMemoryDatabase();
    const index = new SqliteSearchIndex(db);
    const text = 'First paragraph.\n'.repeat(300);
    index.write([put(page(1), text), put(page(2), text), put(page(3), 'other')]);
    expect(rows(db, 'chunk')).toBeGreaterThan(5);
    expect(rows(db, 'document_fts')).toBe(2);
    index.write([put(page(1), 'short')]);
    index.write([remove(page(1)), remove(page(2)), remove(page(3))]);
    for (const table of ['document', 'chunk', 'document_fts']) expect(rows(db, table)).toBe(0);
    db.exec("INSERT INTO document_fts (document_fts) VALUES ('integrity-check')");
  });

  test('R29: what the caller rolls back has not happened', () => {
    const db = openMemoryDatabase();
    const index = new SqliteSearchIndex(db);
    index.write([put(page(1), 'zebra')]);
    const failing = db.transaction(() => {
      index.write([put(page(1), 'quagga'), put(page(2), 'okapi')]);
      throw new Error('disk full');
    });
    expect(failing).toThrow('disk full');
    expect([total(index, 'zebra'), total(index, 'quagga'), total(index, 'okapi')]).toEqual([1, 0, 0]);
    expect(rows(db, 'chunk')).toBe(1);
  });

  test('a read-only connection searches while another one writes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'freshet-search-'));
    const db = openDatabase(folder);
    const writer = new SqliteSearchIndex(db);
    writer.write([put(page(1), 'zebra')]);
    const readOnly = openDatabase(folder, { isReadOnly: true });
    const reader = new SqliteSearchIndex(readOnly);
    db.exec('BEGIN IMMEDIATE');
    writer.write([put(page(1), 'quagga')]);
    expect([total(reader, 'zebra'), total(reader, 'quagga')]).toEqual([1, 0]);
    db.exec('COMMIT');
    expect([total(reader, 'zebra'), total(reader, 'quagga')]).toEqual([0, 1]);
    readOnly.close();
    db.close();
    rmSync(folder, { recursive: true });
  });

  test('an index of another tokenizer is told and made anew from the stored text', () => {
    const db = openMemoryDatabase();
    const index = new SqliteSearchIndex(db);
    expect(index.isStale()).toBe(false);
    index.write([put(page(1), 'zebra'), put(page(2), 'zebra'), put(page(3), '人民')]);
    db.exec("DELETE FROM document_fts; UPDATE setting SET value = '0' WHERE name = 'search.tokenizer'");
    expect([index.isStale(), total(index, 'zebra')]).toEqual([true, 0]);
    index.rebuild();
    expect([index.isStale(), total(index, 'zebra'), total(index, '人民'), rows(db, 'document_fts')]).toEqual([
      false,
      1,
      1,
      2,
    ]);
  });

  test('of more matches than are ranked, titles are still found, and the total says it is a lower bound', () => {
    const index = new SqliteSearchIndex(openMemoryDatabase());
    const pages = Array.from({ length: 5200 }, (_, n) => put(page(n + 1), `common word ${n}`));
    index.write([...pages, put(page(6000), 'common', { title: 'The common one' })]);
    const result = index.search(parseQuery('common'));
    expect(result.hits[0]?.id).toBe(6000);
    expect(result).toMatchObject({ total: 5000, isTotalExact: false });
  });
});

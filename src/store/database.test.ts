import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DATABASE_FILE, openDatabase } from './database.ts';
import { migrations } from './migrations.ts';
import { Settings } from './settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-database-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A database that has been through so many steps of the schema. */
function withSchema(steps: number): void {
  openDatabase(folder).close();
  const db = new Sqlite(join(folder, DATABASE_FILE));
  db.pragma(`user_version = ${steps}`);
  db.close();
}

test('a crawl killed before its first commit leaves no data, not a broken folder', () => {
  writeFileSync(join(folder, DATABASE_FILE), '');
  expect(() => openDatabase(folder, { isReadOnly: true })).toThrow('no data in');
  openDatabase(folder).close();
  openDatabase(folder, { isReadOnly: true }).close();
});

test('a folder of a newer Freshet is refused, to read as well', () => {
  withSchema(migrations.length + 1);
  expect(() => openDatabase(folder)).toThrow('newer Freshet');
  expect(() => openDatabase(folder, { isReadOnly: true })).toThrow('newer Freshet');
});

test('a setting that stands already is not written', () => {
  const db = openDatabase(folder);
  new Settings(db).set('name', 'value');
  db.pragma('query_only = true');
  expect(() => new Settings(db).set('name', 'value')).not.toThrow();
  expect(() => new Settings(db).set('name', 'other')).toThrow('readonly');
  db.close();
});

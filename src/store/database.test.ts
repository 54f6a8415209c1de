import { chmodSync, copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DATABASE_FILE, openDatabase } from './database.ts';
import { migrations } from './migrations.ts';
import { Settings } from './settings.ts';

/** A user id that owns nothing. */
const NOBODY = 65_534;

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

test('a crawl killed while its new file was made one with a log leaves no data to read, and the next one goes on', () => {
  const dying = new Sqlite(join(folder, 'dying.db'));
  dying.pragma('cache_size = 1'); // so that pages reach the file, and the journal the disk, before the end
  dying.exec(`BEGIN; CREATE TABLE filling (text); INSERT INTO filling VALUES ('${'x'.repeat(100_000)}')`);
  for (const companion of ['', '-journal'])
    copyFileSync(join(folder, `dying.db${companion}`), join(folder, `${DATABASE_FILE}${companion}`));
  dying.close();
  expect(() => openDatabase(folder, { isReadOnly: true })).toThrow('no data in');
  openDatabase(folder).close();
  openDatabase(folder, { isReadOnly: true }).close();
});

test('a folder of a newer Freshet is refused, to read as well', () => {
  withSchema(migrations.length + 1);
  expect(() => openDatabase(folder)).toThrow('newer Freshet');
  expect(() => openDatabase(folder, { isReadOnly: true })).toThrow('newer Freshet');
});

test.each(Array.from({ length: 32 }, (_, bit) => bit))(
  'a number of schema steps with bit %i turned is told as damage or a newer version, to write and to read',
  (bit) => {
    const steps = (migrations.length ^ (1 << bit)) | 0;
    withSchema(steps);
    const exit = steps > migrations.length ? 'config' : 'damaged';
    expect(() => openDatabase(folder)).toThrow(expect.objectContaining({ exit }));
    expect(() => openDatabase(folder, { isReadOnly: true })).toThrow(expect.objectContaining({ exit }));
  },
);

test('a folder in which nothing can be written is read all the same', () => {
  const db = openDatabase(folder);
  new Settings(db).set('name', 'value');
  db.close();
  asReader(() => {
    expect(() => writeFileSync(join(folder, 'other'), '')).toThrow();
    const reader = openDatabase(folder, { isReadOnly: true });
    expect(new Settings(reader).get('name')).toBe('value');
    reader.close();
    expect(readdirSync(folder)).toEqual([DATABASE_FILE]);
  });
});

test('but not without the commits in its log', () => {
  openDatabase(folder).close();
  writeFileSync(join(folder, `${DATABASE_FILE}-wal`), 'commits');
  asReader(() =>
    expect(() => openDatabase(folder, { isReadOnly: true })).toThrow('cannot use the data folder'),
  );
});

/** Runs with the folder closed to writing; root, who may write anywhere, as somebody else. */
function asReader(run: () => void): void {
  chmodSync(folder, 0o555);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    run();
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o755);
  }
}

test('a setting that stands already is not written', () => {
  const db = openDatabase(folder);
  new Settings(db).set('name', 'value');
  db.pragma('query_only = true');
  expect(() => new Settings(db).set('name', 'value')).not.toThrow();
  expect(() => new Settings(db).set('name', 'other')).toThrow('readonly');
  db.close();
});

import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UserError } from '../errors.ts';
import { copyTo, restoreFrom } from './backup.ts';
import { DATABASE_FILE, type Database, INCOMING_FILE, openDatabase } from './database.ts';
import { problemsIn } from './soundness.ts';

const NOW = new Date('2026-12-01T10:20:30Z');

let root: string;
let folder: string;
let backup: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'freshet-backup-'));
  folder = join(root, 'data');
  backup = join(root, 'copy.db');
});

afterEach(() => rmSync(root, { recursive: true }));

/** A folder whose database says `name` in a setting. */
function write(name: string): void {
  const db = openDatabase(folder);
  db.prepare("INSERT OR REPLACE INTO setting VALUES ('name', ?)").run(name);
  db.close();
}

function nameIn(file: string): unknown {
  const db = new Sqlite(file);
  const name = db.prepare("SELECT value FROM setting WHERE name = 'name'").pluck().get();
  db.close();
  return name;
}

function reading(): Database {
  return openDatabase(folder, { isReadOnly: true });
}

function backUp(): void {
  const db = reading();
  copyTo(db, backup, 'it');
  db.close();
}

function exitOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof UserError) return error.exit;
    throw error;
  }
  return 'none';
}

test('a backup is what was committed when it began, while another connection writes', () => {
  write('first');
  const writer = openDatabase(folder);
  writer.exec("BEGIN IMMEDIATE; UPDATE setting SET value = 'under way' WHERE name = 'name'");
  backUp();
  writer.exec('COMMIT');
  writer.close();
  expect(nameIn(backup)).toBe('first');
  expect(nameIn(join(folder, DATABASE_FILE))).toBe('under way');
});

test('a backup writes over nothing, and leaves nothing half done', () => {
  write('first');
  writeFileSync(backup, 'mine');
  writeFileSync(`${backup}.partial`, 'of a copy that was broken off');
  expect(exitOf(backUp)).toBe('usage');
  expect(readFileSync(backup, 'utf8')).toBe('mine');
  rmSync(backup);
  backUp();
  expect(readdirSync(root).toSorted()).toEqual(['copy.db', 'data']);
});

test('a restored folder is as it was, and what was there meanwhile is kept whole', () => {
  write('first');
  backUp();
  const crashed = openDatabase(folder); // its last commits are in the log, as after a kill
  crashed.prepare("UPDATE setting SET value = 'second' WHERE name = 'name'").run();
  const { aside } = restoreFrom(backup, folder, NOW);
  crashed.close();
  expect(nameIn(join(folder, DATABASE_FILE))).toBe('first');
  expect(aside).toBe(join(folder, `${DATABASE_FILE}.before-20261201T102030`));
  expect(nameIn(aside ?? '')).toBe('second');
  const db = reading();
  expect(problemsIn(db)).toEqual([]);
  db.close();
});

test('what was moved aside can be restored, which undoes it', () => {
  write('first');
  backUp();
  write('second');
  const { aside } = restoreFrom(backup, folder, NOW);
  restoreFrom(aside ?? '', folder, new Date(NOW.getTime() + 1_000));
  expect(nameIn(join(folder, DATABASE_FILE))).toBe('second');
});

test('two restores within a second, and one broken off half-way, lose nothing', () => {
  write('first');
  backUp();
  write('second');
  const asides = [restoreFrom(backup, folder, NOW).aside, restoreFrom(backup, folder, NOW).aside];
  expect(asides.map((aside) => nameIn(aside ?? ''))).toEqual(['second', 'first']);
  rmSync(join(folder, DATABASE_FILE));
  writeFileSync(join(folder, `${DATABASE_FILE}-wal`), 'commits');
  const { aside } = restoreFrom(backup, folder, NOW);
  expect(readFileSync(`${aside}-wal`, 'utf8')).toBe('commits');
});

test('a folder whose restore was broken off half-way is not begun anew', () => {
  write('first');
  renameSync(join(folder, DATABASE_FILE), join(folder, INCOMING_FILE));
  for (const isReadOnly of [false, true]) {
    expect(() => openDatabase(folder, { isReadOnly })).toThrow(/restore .* was broken off/);
  }
  expect(exitOf(() => restoreFrom(backup, folder, NOW))).toBe('usage'); // there is none
  expect(readdirSync(folder)).toEqual([INCOMING_FILE]);
});

test('nor is one of which nothing but a large log is left, when that cannot be read', () => {
  const young = openDatabase(folder); // of a crawl that was killed before its first checkpoint
  young.exec('CREATE TABLE much AS SELECT hex(randomblob(1000000)) AS text');
  const torn = join(root, 'torn');
  mkdirSync(torn);
  const log = join(torn, `${DATABASE_FILE}-wal`);
  copyFileSync(join(folder, DATABASE_FILE), join(torn, DATABASE_FILE));
  writeFileSync(log, readFileSync(join(folder, `${DATABASE_FILE}-wal`)).fill(0, 0, 100));
  young.close();
  const { size } = statSync(log);
  for (const isReadOnly of [false, true]) {
    expect(exitOf(() => openDatabase(torn, { isReadOnly }))).toBe('damaged');
  }
  expect(statSync(log).size).toBe(size);
});

test('a database that would not make a sound backup makes none', () => {
  write('first');
  const db = openDatabase(folder);
  db.exec('UPDATE schedule SET pages = 7');
  expect(exitOf(() => copyTo(db, backup, 'it'))).toBe('damaged');
  db.close();
  expect(readdirSync(root)).toEqual(['data']);
});

test('a backup is restored into a new folder, and one of an older Freshet is brought up to date', () => {
  write('first');
  const old = new Sqlite(join(folder, DATABASE_FILE));
  old.pragma('user_version = 1');
  old.close();
  copyTo(new Sqlite(join(folder, DATABASE_FILE)), backup, 'it');
  const elsewhere = join(root, 'elsewhere');
  openDatabase(elsewhere).close();
  rmSync(join(elsewhere, DATABASE_FILE));
  expect(restoreFrom(backup, elsewhere, NOW).aside).toBeNull();
  expect(nameIn(join(elsewhere, DATABASE_FILE))).toBe('first');
});

test.each([
  ['none', () => undefined, 'usage'],
  ['a folder', () => mkdirSync(backup), 'usage'],
  ['no database', () => writeFileSync(backup, 'a letter '.repeat(1_000)), 'usage'],
  ['somebody else’s database', () => new Sqlite(backup).exec('CREATE TABLE recipe (name TEXT)'), 'usage'],
  ['one of a newer Freshet', () => newer(), 'config'],
  ['damaged', () => damaged(), 'damaged'],
])('a backup that is %s is refused, and changes nothing', (_, make, exit) => {
  write('first');
  make();
  expect(exitOf(() => restoreFrom(backup, folder, NOW))).toBe(exit);
  expect(nameIn(join(folder, DATABASE_FILE))).toBe('first');
  expect(readdirSync(folder)).toEqual([DATABASE_FILE]);
});

function newer(): void {
  backUp();
  const db = new Sqlite(backup);
  db.pragma('user_version = 999');
  db.close();
}

/** Zeroes in the middle of every page but the first two. */
function damaged(): void {
  backUp();
  const bytes = readFileSync(backup);
  for (let page = 2; page < bytes.length / 4_096; page++) bytes.fill(0, page * 4_096, page * 4_096 + 64);
  writeFileSync(backup, bytes);
}

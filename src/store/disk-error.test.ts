import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UserError } from '../errors.ts';
import { DATABASE_FILE, openDatabase } from './database.ts';
import { diskError } from './disk-error.ts';
import { lockFolder } from './lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-disk-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function exitOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    const explained = diskError(error, folder);
    return explained instanceof UserError ? explained.exit : `not explained: ${String(explained)}`;
  }
  return 'no error';
}

test('R32 a full disk is told as such', () => {
  const db = openDatabase(folder);
  const pages = db.pragma('page_count', { simple: true }) as number;
  db.pragma(`max_page_count = ${pages}`);
  const fill = () => db.prepare('INSERT INTO setting VALUES (?, ?)').run('large', 'x'.repeat(1_000_000));
  expect(exitOf(fill)).toBe('diskFull');
  db.close();
});

test('R32 a damaged database is told as such', () => {
  writeFileSync(join(folder, DATABASE_FILE), 'this is no database '.repeat(100));
  expect(exitOf(() => openDatabase(folder))).toBe('damaged');
});

test('R32 a data folder that cannot be one is told as such, with and without the lock', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const dir of [file, join(file, 'below')]) {
    expect(exitOf(() => openDatabase(dir))).toBe('config');
    expect(exitOf(() => lockFolder(dir, 1))).toBe('config');
  }
});

test('R32 a name too long, a link to itself, and folders in the place of files are told as such', () => {
  symlinkSync('loop', join(folder, 'loop'));
  mkdirSync(join(folder, 'pid', 'crawler.pid'), { recursive: true });
  mkdirSync(join(folder, 'database', DATABASE_FILE), { recursive: true });
  for (const name of ['x'.repeat(300), 'loop', 'pid']) {
    expect([name, exitOf(() => lockFolder(join(folder, name), 1))]).toEqual([name, 'config']);
  }
  for (const isReadOnly of [true, false]) {
    expect(exitOf(() => openDatabase(join(folder, 'database'), { isReadOnly }))).toBe('config');
  }
});

test('errors that are not of the disk stay as they are', () => {
  const bug = new TypeError('a bug');
  expect(diskError(bug, folder)).toBe(bug);
});

import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { startCheckpoints } from './checkpoint.ts';
import { DATABASE_FILE, openDatabase } from './database.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-checkpoint-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('moves a large log into the database while the writer is idle, and leaves a small one alone', async () => {
  const db = openDatabase(folder);
  const file = join(folder, DATABASE_FILE);
  const clock = virtualClock();
  const errors: Error[] = [];
  const checkpoints = startCheckpoints(file, clock, (error) => errors.push(error));
  const put = db.prepare('INSERT INTO setting VALUES (?, ?)');
  put.run('small', 'x');
  const before = statSync(file).size;
  await clock.advance(5_000);
  expect(statSync(file).size).toBe(before);

  put.run('large', 'x'.repeat(20 * 1024 * 1024));
  await clock.advance(1_000);
  await checkpoints.stop(); // after the checkpoint that was asked for
  expect(statSync(file).size).toBeGreaterThan(20 * 1024 * 1024);
  expect(errors).toEqual([]);
  db.close();
});

test('an error in the thread is told, not thrown', async () => {
  const clock = virtualClock();
  const file = join(folder, 'no-file.db');
  mkdirSync(file);
  writeFileSync(`${file}-wal`, Buffer.alloc(20 * 1024 * 1024));
  const error = await new Promise<Error>((resolve) => {
    startCheckpoints(file, clock, resolve);
  });
  expect(error.message).toContain('unable to open database file');
});

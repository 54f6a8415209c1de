/**
 * A log (WAL) that a death or a disk left torn: cut, zeroed, turned or repeated at the edges of its frames and inside of
 * them. Opening goes back to a state that was committed, whole; it never invents one and never fails with a raw error.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DATABASE_FILE, type Database, openDatabase } from './database.ts';
import { problemsIn } from './soundness.ts';

/** Sizes in a log (sqlite.org/fileformat, 4.1): its header, and that of a frame, before a page. */
const LOG_HEADER = 32;
const FRAME = 24 + 4096;
/** Commits after the schema, each of several pages. */
const COMMITS = 12;

let folder: string;
let log: Buffer;
/** Sizes of the log after each commit. */
const ends: number[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-torn-'));
  const live = join(folder, 'live');
  const db = openDatabase(live);
  const logFile = join(live, `${DATABASE_FILE}-wal`);
  db.pragma('wal_checkpoint(TRUNCATE)');
  copyFileSync(join(live, DATABASE_FILE), join(folder, 'base'));
  for (let nth = 1; nth <= COMMITS; nth++) {
    write(db, nth);
    ends.push(readFileSync(logFile).length);
  }
  log = readFileSync(logFile);
  db.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** One commit over several pages: so many settings more, all of one value. */
function write(db: Database, nth: number): void {
  db.transaction(() => {
    db.prepare('UPDATE setting SET value = ?').run(`${nth}`.padEnd(1500, '.'));
    db.prepare('INSERT INTO setting VALUES (?, ?)').run(`key ${nth}`, `${nth}`.padEnd(1500, '.'));
  })();
}

/** The commit whose state is found when this log lies beside the database; 0: that before the first. */
function stateWith(bytes: Buffer): number {
  const torn = join(folder, 'torn');
  rmSync(torn, { recursive: true, force: true });
  mkdirSync(torn);
  copyFileSync(join(folder, 'base'), join(torn, DATABASE_FILE));
  writeFileSync(join(torn, `${DATABASE_FILE}-wal`), bytes);
  const db = openDatabase(torn);
  try {
    expect(problemsIn(db)).toEqual([]);
    const values = db.prepare<[], string>('SELECT DISTINCT value FROM setting').pluck().all();
    const count = db.prepare<[], number>('SELECT count(*) FROM setting').pluck().get();
    expect(values.map((value) => Number.parseInt(value, 10))).toEqual(count === 0 ? [] : [count]);
    return count ?? 0;
  } finally {
    db.close();
  }
}

/** Commits that are whole in the first `size` bytes. */
function commitsWithin(size: number): number {
  return ends.filter((end) => end <= size).length;
}

/** Where damage begins: zeroes written over zeroes are none. */
function firstChange(torn: Buffer): number {
  const at = log.findIndex((byte, n) => byte !== torn[n]);
  return at === -1 ? log.length : at;
}

/** The edge of every frame, and places in its header and its page. */
function places(): number[] {
  const frames = Math.floor((log.length - LOG_HEADER) / FRAME);
  return Array.from({ length: frames }, (_, n) => LOG_HEADER + n * FRAME).flatMap((at) => [
    at,
    at + 11,
    at + 24,
    at + 2000,
  ]);
}

test.each<[string, (at: number) => Buffer]>([
  ['cut', (at) => log.subarray(0, at)],
  ['zeroed to its end', (at) => Buffer.concat([log.subarray(0, at), Buffer.alloc(log.length - at)])],
  [
    'cut and followed by its beginning',
    (at) => Buffer.concat([log.subarray(0, at), log.subarray(0, 2 * FRAME)]),
  ],
  [
    'turned in one bit',
    (at) => {
      const turned = Buffer.from(log);
      turned[at] = (turned[at] ?? 0) ^ 1;
      return turned;
    },
  ],
])(
  'a log %s, at every frame and inside: the last commit that is whole before it',
  (_, damage) => {
    expect(ends.at(-1)).toBe(log.length);
    for (const at of places()) {
      const torn = damage(at);
      expect(stateWith(torn), `at byte ${at}`).toBe(commitsWithin(firstChange(torn)));
    }
  },
  120_000,
);

test('a log whose header is cut anywhere counts as none', () => {
  for (let size = 0; size <= LOG_HEADER; size++) expect(stateWith(log.subarray(0, size))).toBe(0);
});

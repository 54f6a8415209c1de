import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetched } from '../../../test/support/outcomes.ts';
import { loanOf, newRecord } from '../../../test/support/records.ts';
import { type Database, openMemoryDatabase } from '../../store/database.ts';
import type { VisitOutcome } from '../../types.ts';
import { problemsInWarcs } from './check.ts';
import { WarcLog, warcPosition } from './log.ts';

let folder: string;
let db: Database;
let ids = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-warc-log-'));
  db = openMemoryDatabase();
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

function open(maxFileBytes = 1_000_000): WarcLog {
  const newId = (): string => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
  return new WarcLog(db, { folder, maxFileBytes, about: [], now: () => 0, newId });
}

/** A visit whose body is of its own. */
function visit(id: number): VisitOutcome {
  const url = `https://site.test/${id}`;
  const bytes = Buffer.from(`body ${id}`);
  const request = { method: 'GET', headers: [], body: new Uint8Array(0) };
  const wire = { request, statusText: 'OK', bytes, truncated: null };
  const head = { url, status: 200, headers: [], remoteAddress: null, startedAt: 0, durationMs: 1 };
  return fetched(loanOf(newRecord({ id, url })), 0, { head: { ...head, wireBytes: bytes.length, wire } });
}

function commit(log: WarcLog, ids: readonly number[], fails = false): void {
  const run = db.transaction(() => {
    log.write(ids.map(visit));
    if (fails) throw new Error('the commit failed');
  });
  if (fails) expect(run).toThrow('the commit failed');
  else run();
}

const files = (): string[] => readdirSync(folder).sort();
const bytesOf = (name: string): Buffer => readFileSync(join(folder, name));
const problems = (): Promise<string[]> => problemsInWarcs(folder, warcPosition(db));

test('what a failed commit wrote is cut off by the next one, and does not make revisits', async () => {
  const log = open();
  commit(log, [1]);
  commit(log, [2], true);
  commit(log, [2]);
  log.close();
  const [name = ''] = files();
  expect(bytesOf(name)).toHaveLength(warcPosition(db)?.length ?? 0);
  expect(await problems()).toEqual([]);
  expect(db.prepare('SELECT count(*) FROM warc_payload').pluck().get()).toBe(2);
});

test('a file that only a failed commit began is begun again', async () => {
  const log = open(1);
  commit(log, [1]);
  commit(log, [2], true);
  expect(files()).toHaveLength(2);
  expect(await problems()).toEqual([]); // the second one is not committed, whatever is in it
  writeFileSync(join(folder, files()[1] ?? ''), 'half a record of a process that died');
  expect(await problems()).toEqual([]);
  commit(log, [3]);
  log.close();
  expect(files()).toHaveLength(2);
  expect(await problems()).toEqual([]);
});

test('what a process that died left behind the last commit is gone, though the next record begins another file', async () => {
  const first = open();
  commit(first, [1]);
  first.close();
  const [name = ''] = files();
  const committed = bytesOf(name);
  appendFileSync(join(folder, name), 'half a record');
  for (const serial of ['00002', '00003'])
    writeFileSync(join(folder, name.replace('00001', serial)), 'more of it');
  const second = open(1);
  commit(second, [2]);
  second.close();
  expect(bytesOf(name)).toEqual(committed);
  expect(files()).toEqual([name, name.replace('00001', '00002')]);
  expect(await problems()).toEqual([]);
});

test('a process that comes after another goes on with its file', async () => {
  const first = open();
  commit(first, [1]);
  first.close();
  const before = bytesOf(files()[0] ?? '');
  const second = open();
  commit(second, [2]);
  second.close();
  expect(files()).toHaveLength(1);
  expect(bytesOf(files()[0] ?? '').subarray(0, before.length)).toEqual(before);
  expect(await problems()).toEqual([]);
});

test('a file moved away is not missed; one cut short is left as it is, and told', async () => {
  const log = open();
  commit(log, [1]);
  log.close();
  rmSync(join(folder, files()[0] ?? ''));
  const next = open();
  commit(next, [2]);
  next.close();
  expect(await problems()).toEqual([]);
  const [name = ''] = files();
  truncateSync(join(folder, name), 50);
  expect(await problems()).toHaveLength(1);
  const last = open();
  commit(last, [3]);
  last.close();
  expect(bytesOf(name)).toHaveLength(50);
  expect(files()).toHaveLength(2);
  expect((await problems())[0]).toContain(`${name}, byte 0: the file ends within a gzip member`);
});

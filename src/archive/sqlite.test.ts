import { createHash } from 'node:crypto';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fetched } from '../../test/support/outcomes.ts';
import { loanOf, newRecord } from '../../test/support/records.ts';
import { type Database, openMemoryDatabase } from '../store/database.ts';
import type { Body, HeaderList, VisitOutcome } from '../types.ts';
import { SqliteArchive } from './sqlite.ts';

interface Answer {
  readonly id?: number;
  readonly at: number;
  readonly text: string;
  readonly received?: Body['received'];
  readonly encoding?: string;
}

const headers: HeaderList = [
  ['Content-Type', 'text/html'],
  ['X-Caf\u00e9', '\u00ff'],
  ['Set-Cookie', 'a'],
  ['Set-Cookie', 'b'],
];

function capture({ id = 1, at, text, received = null, encoding = 'utf-8' }: Answer): VisitOutcome {
  const url = `https://site.test/${id}`;
  const bytes = Buffer.from(text);
  return fetched(loanOf(newRecord({ id, url })), at, {
    capture: {
      at,
      head: {
        url,
        status: 200,
        headers,
        remoteAddress: '192.0.2.1',
        startedAt: at,
        durationMs: 1,
        wireBytes: 9,
      },
      body: { bytes, received },
      bodyHash: createHash('sha256').update(bytes).digest('hex'),
      encoding,
    },
  });
}

function open(keep?: number): { db: Database; archive: SqliteArchive; bodies: () => string[] } {
  const db = openMemoryDatabase();
  const archive = new SqliteArchive(db, keep === undefined ? {} : { keep });
  const coded = db.prepare<[], { coding: string; bytes: Buffer; refs: number }>(
    'SELECT * FROM body ORDER BY id',
  );
  const bodies = (): string[] =>
    coded.all().map(({ coding, bytes, refs }) => {
      const text = coding === 'br' ? brotliDecompressSync(bytes).toString() : coding;
      return `${text} ×${refs}`;
    });
  return { db, archive, bodies };
}

const textOf = (archive: SqliteArchive, id: number, at?: number): string | undefined => {
  const snapshot = archive.read(id, at);
  return snapshot === null ? undefined : Buffer.from(snapshot.bytes).toString();
};

describe('SqliteArchive', () => {
  test('gives back what was stored, header for header', () => {
    const { archive } = open();
    archive.write([capture({ at: 1000, text: '字' })]);
    expect(archive.read(1)).toEqual({
      url: 'https://site.test/1',
      at: 1000,
      status: 200,
      headers,
      remoteAddress: '192.0.2.1',
      encoding: 'utf-8',
      bytes: Buffer.from('字'),
    });
    expect(archive.read(2)).toBeNull();
  });

  test('R42: every version can be read as of a date', () => {
    const { archive } = open();
    archive.write([capture({ at: 1000, text: 'one' }), capture({ at: 2000, text: 'two' })]);
    const dates = [999, 1000, 1999, 2000, undefined];
    expect(dates.map((at) => textOf(archive, 1, at))).toEqual([undefined, 'one', 'one', 'two', 'two']);
  });

  test('an unchanged answer adds nothing, a content that comes back is a version again', () => {
    const { archive, bodies } = open();
    for (const [at, text] of [
      [1000, 'one'],
      [2000, 'one'],
      [3000, 'two'],
      [4000, 'one'],
    ] as const) {
      archive.write([capture({ at, text })]);
    }
    expect([archive.read(1, 2500)?.at, archive.read(1, 3500)?.at, archive.read(1)?.at]).toEqual([
      1000, 3000, 4000,
    ]);
    expect(bodies()).toEqual(['one ×2', 'two ×1']);
  });

  test('the same bytes in another encoding are another version of one body', () => {
    const { archive, bodies } = open();
    archive.write([capture({ at: 1000, text: 'x' }), capture({ at: 2000, text: 'x', encoding: 'gbk' })]);
    expect(archive.read(1)?.encoding).toBe('gbk');
    expect(bodies()).toEqual(['x ×2']);
  });

  test('R30: storing again adds nothing, in any order', () => {
    const { archive, bodies } = open();
    const outcomes = [capture({ at: 1000, text: 'one' }), capture({ at: 2000, text: 'two' })];
    archive.write(outcomes);
    archive.write([...outcomes].reverse());
    expect(bodies()).toEqual(['one ×1', 'two ×1']);
    expect(textOf(archive, 1)).toBe('two');
  });

  test('a body is kept once for all pages, and as it was received', () => {
    const { archive, db } = open();
    const received = { coding: 'gzip', bytes: gzipSync('same') } as const;
    archive.write([
      capture({ id: 1, at: 1, text: 'same', received }),
      capture({ id: 2, at: 2, text: 'same' }),
    ]);
    expect(db.prepare('SELECT coding, bytes, refs FROM body').all()).toEqual([
      { coding: 'gzip', bytes: received.bytes, refs: 2 },
    ]);
    expect(textOf(archive, 2)).toBe('same');
  });

  test('the newest versions are kept, and no body without a version', () => {
    const { archive, bodies, db } = open(2);
    archive.write([capture({ id: 2, at: 1, text: 'v1' })]);
    for (let at = 1; at <= 4; at++) archive.write([capture({ at, text: `v${at}` })]);
    expect(textOf(archive, 1, 2)).toBeUndefined();
    expect(textOf(archive, 1, 3)).toBe('v3');
    expect(bodies()).toEqual(['v1 ×1', 'v3 ×1', 'v4 ×1']);
    expect(db.prepare('SELECT count(*) AS n FROM capture WHERE url_id = 1').get()).toEqual({ n: 2 });
  });

  test('R29: what the caller rolls back has not happened', () => {
    const { archive, bodies, db } = open();
    const failing = db.transaction(() => {
      archive.write([capture({ at: 1, text: 'one' })]);
      throw new Error('disk full');
    });
    expect(failing).toThrow('disk full');
    expect(bodies()).toEqual([]);
    expect(archive.read(1)).toBeNull();
  });

  test('an empty body is a body', () => {
    const { archive } = open();
    archive.write([capture({ at: 1, text: '' })]);
    expect(textOf(archive, 1)).toBe('');
  });
});

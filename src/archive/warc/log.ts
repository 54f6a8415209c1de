/**
 * The WARC files of a crawl, written as it goes (R40): appended, and on the disk before the commit of the visits they record. How
 * far the files are good is remembered in that same transaction, so what a crash or a failed commit leaves behind it is cut off
 * before the next record is written, and a record is there when, and only when, its visit is.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Statement } from 'better-sqlite3';
import type { Database } from '../../store/database.ts';
import { Settings, WARC_POSITION } from '../../store/settings.ts';
import { syncToDisk } from '../../store/sync.ts';
import type { VisitOutcome } from '../../types.ts';
import { exchangeRecords, FIELDS_TYPE, keptHead, type Payloads } from './exchange-records.ts';
import { fieldLines, packRecord, type WarcFields } from './format.ts';

export interface WarcLogOptions {
  /** Folder of the files, made when it is missing. */
  readonly folder: string;
  /** A file grows to this and no further, but for one exchange that is larger by itself; bytes. */
  readonly maxFileBytes: number;
  /** What the warcinfo record says of who made it. */
  readonly about: WarcFields;
  readonly now: () => number;
  /** A new UUID. */
  readonly newId: () => string;
}

/** How far the files are good. */
export interface WarcPosition {
  /** Part of the names of all files since the log was begun: its time, UTC. */
  readonly stamp: string;
  readonly serial: number;
  /** Bytes of the file of that number that are good; what follows them is not. */
  readonly length: number;
}

/** The position remembered in a database; null: no WARC was ever kept. */
export function warcPosition(db: Database): WarcPosition | null {
  const text = new Settings(db).get(WARC_POSITION);
  return text === null ? null : (JSON.parse(text) as WarcPosition);
}

export function warcFileName({ stamp, serial }: WarcPosition): string {
  return `freshet-${stamp}-${String(serial).padStart(5, '0')}.warc.gz`;
}

export class WarcLog {
  readonly #settings: Settings;
  readonly #options: WarcLogOptions;
  readonly #payloads: Payloads;
  #position: WarcPosition;
  /** The file being written, of the serial number beside it. */
  #open: { readonly descriptor: number; readonly serial: number } | null = null;

  /** Remembers where files begin when there are none yet. */
  constructor(db: Database, options: WarcLogOptions) {
    this.#settings = new Settings(db);
    this.#options = options;
    this.#payloads = payloadsOf(db);
    const stamp = new Date(options.now()).toISOString().replaceAll(/[-:.]/g, '');
    this.#position = warcPosition(db) ?? { stamp, serial: 1, length: 0 };
    this.#remember(this.#position);
  }

  /** Appends the exchanges of visits inside the caller's transaction. Throws what the disk throws; the transaction then fails. */
  write(outcomes: readonly VisitOutcome[]): void {
    const { newId } = this.#options;
    let isBegun = false;
    for (const outcome of outcomes) {
      const head = keptHead(outcome);
      if (head === null) continue;
      if (!isBegun) this.#goBack();
      isBegun = true;
      const records = exchangeRecords(outcome, head, this.#payloads, newId).map(packRecord);
      this.#append(Buffer.concat(records));
    }
    if (!isBegun) return;
    this.#sync();
    this.#remember(this.#position);
  }

  close(): void {
    if (this.#open !== null) closeSync(this.#open.descriptor);
    this.#open = null;
  }

  /**
   * To the last commit: what is in memory, behind the position in its file and in files after that may be of a transaction that
   * failed or of a process that died. It goes now, since the next record may not fit into that file, and is the first of another.
   */
  #goBack(): void {
    this.#position = this.#remembered();
    const { serial, length } = this.#position;
    if (length > 0 && this.#isWhole()) this.#descriptor();
    for (let later = serial + 1; existsSync(this.#path(later)); later++) rmSync(this.#path(later));
  }

  #append(bytes: Uint8Array): void {
    const { serial, length } = this.#position;
    const isFull = length > 0 && length + bytes.length > this.#options.maxFileBytes;
    if (isFull || !this.#isWhole()) this.#begin(serial + 1);
    if (this.#position.length === 0) this.#write(this.#warcinfo());
    this.#write(bytes);
  }

  /** Is there as much of the file as is said to be good? Somebody may have moved it away. */
  #isWhole(): boolean {
    const { length } = this.#position;
    if (length === 0) return true;
    const size = statSync(this.#path(), { throwIfNoEntry: false })?.size ?? 0;
    return size >= length;
  }

  #begin(serial: number): void {
    this.#sync();
    this.close();
    this.#position = { ...this.#position, serial, length: 0 };
  }

  #write(bytes: Uint8Array): void {
    const descriptor = this.#descriptor();
    let { length } = this.#position;
    for (let written = 0; written < bytes.length; ) {
      const count = writeSync(descriptor, bytes, written, bytes.length - written, length);
      written += count;
      length += count;
    }
    this.#position = { ...this.#position, length };
  }

  /** The file at the position, without anything behind it. */
  #descriptor(): number {
    const { serial, length } = this.#position;
    if (this.#open?.serial !== serial) {
      this.close();
      mkdirSync(this.#options.folder, { recursive: true });
      const isNew = length === 0;
      this.#open = { descriptor: openSync(this.#path(), isNew ? 'w' : 'r+'), serial };
      // After a power cut a new file is found when its folder is on the disk as well.
      if (isNew) syncToDisk(this.#options.folder);
    }
    const { descriptor } = this.#open;
    if (fstatSync(descriptor).size > length) ftruncateSync(descriptor, length);
    return descriptor;
  }

  #sync(): void {
    if (this.#open !== null) fsyncSync(this.#open.descriptor);
  }

  #path(serial: number = this.#position.serial): string {
    return join(this.#options.folder, warcFileName({ ...this.#position, serial }));
  }

  #warcinfo(): Uint8Array {
    const { about, now, newId } = this.#options;
    return packRecord({
      type: 'warcinfo',
      id: newId(),
      at: now(),
      contentType: FIELDS_TYPE,
      fields: [['WARC-Filename', warcFileName(this.#position)]],
      block: Buffer.from(fieldLines([...about, ['format', 'WARC File Format 1.1']]), 'utf8'),
    });
  }

  #remembered(): WarcPosition {
    const text = this.#settings.get(WARC_POSITION);
    return text === null ? this.#position : (JSON.parse(text) as WarcPosition);
  }

  #remember(position: WarcPosition): void {
    this.#settings.set(WARC_POSITION, JSON.stringify(position));
  }
}

function payloadsOf(db: Database): Payloads {
  const find: Statement<[Buffer], { url: string; at: number }> = db.prepare(
    'SELECT url, at FROM warc_payload WHERE digest = ?',
  );
  const insert: Statement<[Buffer, string, number]> = db.prepare(
    'INSERT INTO warc_payload (digest, url, at) VALUES (?, ?, ?)',
  );
  return {
    noteFirst(digest, { url, at }) {
      const earlier = find.get(digest);
      if (earlier === undefined) insert.run(digest, url, at);
      return earlier ?? null;
    },
  };
}

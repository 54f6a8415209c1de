/**
 * WARC 1.1 records as bytes (ISO 28500:2017; iipc.github.io/warc-specifications): made, and their header read. Pure.
 *
 * A record is a version line, named fields, an empty line, a block of `Content-Length` bytes and two line ends. In a `.warc.gz`
 * every record is a gzip member of its own, so that one can be read from its offset (Annex D).
 */
import { createHash, hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** Fields in order; names as written, values as text. */
export type WarcFields = readonly (readonly [name: string, value: string])[];

export type WarcType = 'warcinfo' | 'request' | 'response' | 'revisit' | 'metadata';

/** A record to be written; its lengths and digests are computed. */
export interface NewRecord {
  readonly type: WarcType;
  /** UUID. */
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly contentType: string;
  /** Fields besides those every record has. */
  readonly fields: WarcFields;
  readonly block: Uint8Array;
}

export const VERSION_LINE = 'WARC/1.1';
const LINE_END = '\r\n';

/** zlib's level for records: bodies that came packed gain nothing from a higher one. */
const GZIP_LEVEL = 4;

/** A record as one gzip member. */
export function packRecord(record: NewRecord): Uint8Array {
  return gzipSync(recordBytes(record), { level: GZIP_LEVEL });
}

/** A record as it is in a file that is not packed. */
export function recordBytes({ type, id, at, contentType, fields, block }: NewRecord): Uint8Array {
  const all: WarcFields = [
    ['WARC-Type', type],
    ['WARC-Record-ID', recordId(id)],
    ['WARC-Date', new Date(at).toISOString()],
    ...fields,
    ['WARC-Block-Digest', digestOf(block)],
    ['Content-Type', contentType],
    ['Content-Length', String(block.length)],
  ];
  const head = `${VERSION_LINE}${LINE_END}${fieldLines(all)}${LINE_END}`;
  return Buffer.concat([Buffer.from(head, 'utf8'), block, Buffer.from(LINE_END + LINE_END)]);
}

/** The value of WARC-Record-ID, and of fields that point to a record. */
export function recordId(uuid: string): string {
  return `<urn:uuid:${uuid}>`;
}

/** Lines `name: value`, as in headers and in blocks of `application/warc-fields`. A line break in a value would begin a field. */
export function fieldLines(fields: WarcFields): string {
  return fields.map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}${LINE_END}`).join('');
}

/** A digest as WARC labels it. SHA-256, because whoever serves pages can make two of one SHA-1. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${hash('sha256', bytes, 'hex')}`;
}

/** What a digest in a record says of the bytes it was made over. */
export type DigestVerdict = 'right' | 'wrong' | 'unknown';

/** Compares a labelled digest, in hexadecimal or base 32 (RFC 4648), with bytes. `unknown`: its algorithm is none of ours. */
export function checkDigest(labelled: string, bytes: Uint8Array): DigestVerdict {
  const [label = '', value = ''] = splitOnce(labelled.trim(), ':');
  const algorithm = label.toLowerCase().replace('-', '');
  if (!algorithms.has(algorithm)) return 'unknown';
  const digest = createHash(algorithm).update(bytes).digest();
  const isHex = value.length === digest.length * 2;
  const actual = isHex ? digest.toString('hex') : base32(digest);
  const claimed = isHex ? value.toLowerCase() : value.toUpperCase().replace(/=+$/, '');
  return claimed === actual ? 'right' : 'wrong';
}

const algorithms: ReadonlySet<string> = new Set(['md5', 'sha1', 'sha256', 'sha512']);

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, 6, without padding. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(held >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + BASE32[(held << (5 - bits)) & 31];
}

/**
 * Fields from the lines of a header: ended by CR LF or LF, a line that begins with white space goes on the one before it.
 * Null when a line is no field.
 */
export function parseFields(text: string): WarcFields | null {
  const unfolded = text.replace(/\r?\n[ \t]+/g, ' ');
  const fields: [string, string][] = [];
  for (const line of unfolded.split(/\r?\n/)) {
    if (line === '') continue;
    const [name, value] = splitOnce(line, ':');
    if (value === undefined || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return null;
    fields.push([name, value.trim()]);
  }
  return fields;
}

/** First value of a field, null when absent. Names compare without case. */
export function fieldValue(fields: WarcFields, name: string): string | null {
  const wanted = name.toLowerCase();
  return fields.find(([key]) => key.toLowerCase() === wanted)?.[1] ?? null;
}

function splitOnce(text: string, by: string): [string, string | undefined] {
  const at = text.indexOf(by);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + by.length)];
}

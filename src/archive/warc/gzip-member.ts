/** One gzip member (RFC 1952) out of a stream of many, unpacked piece by piece, its end found exactly. */
import { crc32, createInflateRaw } from 'node:zlib';
import type { ByteReader } from './byte-reader.ts';

/** How a member ended. */
export type MemberEnd = 'whole' | 'torn' | 'broken';

/** A packed byte gives 1,032 at most (zlib's technical details), so a piece of this size gives 17 MB at most. */
const PIECE_BYTES = 16 * 1024;
/** Longest header: ten bytes and fields that are names and comments in practice. */
const MAX_HEADER_BYTES = 64 * 1024;
const TRAILER_BYTES = 8;

/** Do bytes begin as a member does? One byte is too little to deny it. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && (bytes.length < 2 || bytes[1] === 0x8b);
}

/** Unpacks the member that begins where the reader stands, and leaves the reader behind it. Returns how it ended. */
export async function* unpackMember(input: ByteReader): AsyncGenerator<Uint8Array, MemberEnd> {
  const header = await skipHeader(input);
  if (header !== 'whole') return header;
  const inflate = createInflateRaw();
  const pieces: Uint8Array[] = [];
  let length = 0;
  let checksum = 0;
  let hasEnded = false;
  inflate.on('data', (piece: Uint8Array) => pieces.push(piece));
  const ended = new Promise<MemberEnd>((resolve) => {
    inflate.once('end', () => resolve('whole'));
    inflate.once('error', () => resolve('broken'));
  });
  try {
    while (!hasEnded) {
      const packed = await input.piece(PIECE_BYTES);
      if (packed.length === 0) return 'torn';
      const before = inflate.bytesWritten;
      const taken = new Promise<'more'>((resolve) => inflate.write(packed, () => resolve('more')));
      const state = await Promise.race([ended, taken]);
      for (const piece of pieces.splice(0)) {
        length += piece.length;
        checksum = crc32(piece, checksum);
        yield piece;
      }
      if (state === 'broken') return 'broken';
      hasEnded = state === 'whole';
      if (hasEnded) input.putBack(packed.subarray(inflate.bytesWritten - before));
    }
  } finally {
    inflate.destroy();
  }
  return checkTrailer(input, checksum, length);
}

/** The header (RFC 1952, 2.3): ten bytes, then what its flags announce. */
async function skipHeader(input: ByteReader): Promise<MemberEnd> {
  const fixed = await input.peek(10);
  if (!isGzip(fixed) || (fixed.length > 2 && fixed[2] !== 8)) return 'broken';
  if (fixed.length < 10) return 'torn';
  const flags = fixed[3] ?? 0;
  const all = flags === 0 ? fixed : await input.peek(MAX_HEADER_BYTES);
  const end = headerEnd(all, flags);
  if (end === null) return all.length < MAX_HEADER_BYTES ? 'torn' : 'broken';
  for (let left = end; left > 0; ) left -= (await input.piece(left)).length;
  return 'whole';
}

function headerEnd(bytes: Buffer, flags: number): number | null {
  let at = 10;
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const zeroEnded of [8, 16]) {
    if ((flags & zeroEnded) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return null;
    at = end + 1;
  }
  if (flags & 2) at += 2;
  return at <= bytes.length ? at : null;
}

/** The trailer (RFC 1952, 2.3.1): checksum and length of what was packed. */
async function checkTrailer(input: ByteReader, checksum: number, length: number): Promise<MemberEnd> {
  const trailer = Buffer.from(await input.peek(TRAILER_BYTES));
  if (trailer.length < TRAILER_BYTES) return 'torn';
  await input.piece(TRAILER_BYTES);
  const isRight = trailer.readUInt32LE(0) === checksum && trailer.readUInt32LE(4) === length % 2 ** 32;
  return isRight ? 'whole' : 'broken';
}

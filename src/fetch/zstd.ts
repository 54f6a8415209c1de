/**
 * The zstd content coding (RFC 8878, RFC 9659) on runtimes that have it. Node's synchronous call takes a frame that
 * ends early for a whole one and stops after the first frame, so frames are walked here and decoded one by one.
 */
import * as zlib from 'node:zlib';

/** Node's own since 22.15 and 23.8. */
interface ZstdModule {
  readonly zstdDecompressSync?: (
    frame: Uint8Array,
    options: { maxOutputLength: number; params: Record<number, number> },
  ) => Uint8Array;
}

/** False where the runtime cannot decode zstd, and it must not be asked for. */
export const hasZstd: boolean = (zlib as ZstdModule).zstdDecompressSync !== undefined;

/** Every frame decoded. Throws with zlib's codes: `Z_BUF_ERROR` when the last one ends early. */
export function unzstd(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const decompress = (zlib as ZstdModule).zstdDecompressSync;
  if (decompress === undefined) throw new Error('this runtime has no zstd');
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const frame of zstdFrames(bytes)) {
    const params = { [WINDOW_LOG_MAX]: MAX_WINDOW_LOG };
    const part = decompress(frame, { maxOutputLength: Math.max(1, maxBytes - length), params });
    parts.push(part);
    length += part.length;
  }
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts, length);
}

/** ZSTD_d_windowLogMax of zstd.h, and the 8 MB a content coding may use at most (RFC 9659 §3). */
const WINDOW_LOG_MAX = 100;
const MAX_WINDOW_LOG = 23;

/** Magic numbers, little endian (RFC 8878 §3.1.1, §3.1.2); skippable frames are sixteen in a row. */
const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;

/**
 * The data frames of a body, skippable ones left out. What follows the last frame and is none is ignored; a body that
 * starts with none is handed on whole for the decoder to refuse.
 */
export function zstdFrames(bytes: Uint8Array): Uint8Array[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const frames: Uint8Array[] = [];
  let at = 0;
  while (at + 4 <= view.length) {
    const magic = view.readUInt32LE(at);
    const isSkippable = (magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC;
    if (magic !== FRAME_MAGIC && !isSkippable) break;
    const end = isSkippable ? at + 8 + number(view, at + 4, 4) : frameEnd(view, at);
    if (end > view.length) throw endsEarly();
    if (!isSkippable) frames.push(bytes.subarray(at, end));
    at = end;
  }
  if (at === 0 && view.length < 4) throw endsEarly();
  return at === 0 ? [bytes] : frames;
}

/** Where the data frame at `at` ends: header, blocks up to the last one, checksum (RFC 8878 §3.1.1). */
function frameEnd(view: Buffer, at: number): number {
  const descriptor = number(view, at + 4, 1);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? Number(isSingleSegment) : 2 ** sizeFlag;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] as number;
  let next = at + 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
  for (let isLast = false; !isLast; ) {
    const block = number(view, next, 3);
    isLast = (block & 1) !== 0;
    const isRepeatedByte = ((block >> 1) & 3) === 1;
    next += 3 + (isRepeatedByte ? 1 : block >> 3);
  }
  const hasChecksum = (descriptor & 4) !== 0;
  return next + (hasChecksum ? 4 : 0);
}

function number(view: Buffer, at: number, bytes: number): number {
  if (at + bytes > view.length) throw endsEarly();
  return view.readUIntLE(at, bytes);
}

function endsEarly(): Error {
  return Object.assign(new Error('the zstd body ends early'), { code: 'Z_BUF_ERROR' });
}

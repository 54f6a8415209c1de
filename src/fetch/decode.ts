/**
 * Content codings (RFC 9110 §8.4.1): gzip, deflate, br, and zstd where the runtime has it. Whole bodies at once and
 * synchronously: bodies are a few megabytes at most, and zlib's asynchronous calls cost twice as much. A coding that
 * ends early is told apart from one that is broken, because the first is the network's fault and worth another try.
 */
import * as zlib from 'node:zlib';
import { hasZstd, unzstd } from './zstd.ts';

export type Decoded =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | {
      readonly ok: false;
      readonly reason: 'net.truncated' | 'content.size' | 'content.encoding';
      readonly detail: string;
    };

export interface DecodeLimits {
  readonly maxBytes: number;
  /** Largest output as a multiple of the input. */
  readonly maxExpansion: number;
}

/** What this runtime can decode, as the value of Accept-Encoding. */
export const acceptEncoding: string = hasZstd ? 'gzip, deflate, br, zstd' : 'gzip, deflate, br';

/**
 * Undoes the codings of a body, given by the value of Content-Encoding (null: none), last applied first. At most two
 * codings, each output within the limits. An empty body is empty in every coding: servers label it and send nothing.
 */
export function decodeContent(
  body: Uint8Array,
  contentEncoding: string | null,
  limits: DecodeLimits,
): Decoded {
  const codings = codingsOf(contentEncoding);
  if (body.length === 0 || codings.length === 0) return { ok: true, bytes: body };
  if (codings.length > MAX_CODINGS) return broken(`${codings.length} codings on top of each other`);
  let bytes = body;
  for (const coding of codings.reverse()) {
    const decode = decoders.get(coding);
    if (decode === undefined) return broken(`unknown coding "${coding}"`);
    const maxBytes = Math.min(limits.maxBytes, Math.max(FREE_BYTES, bytes.length * limits.maxExpansion));
    const decoded = attempt(coding, () => decode(bytes, maxBytes));
    if (!decoded.ok) return decoded;
    bytes = decoded.bytes;
  }
  return { ok: true, bytes };
}

/**
 * Codings in the order applied, lower case, without those that mean none. `x-gzip` is `gzip` (RFC 9110 §8.4.1.3); servers
 * write the others in that way as well.
 */
export function codingsOf(contentEncoding: string | null): string[] {
  if (contentEncoding === null) return [];
  const names = contentEncoding.split(',').map((name) => name.trim().toLowerCase().replace(/^x-/, ''));
  return names.filter((name) => !meansNone.has(name));
}

/** More has no use but to hide a bomb. */
const MAX_CODINGS = 2;

/** Output that is never too much, whatever the input: the expansion limit is there for bombs, not for small pages. */
const FREE_BYTES = 1024 * 1024;

/** `identity`, and what servers write there instead of nothing or of a charset; browsers take the body as it is. */
const meansNone = new Set([
  '',
  'identity',
  'none',
  'binary',
  '7bit',
  '8bit',
  'utf-8',
  'utf8',
  'iso-8859-1',
  'chunked',
]);

type Decode = (bytes: Uint8Array, maxBytes: number) => Uint8Array;

const decoders: ReadonlyMap<string, Decode> = new Map([
  ['gzip', gunzip],
  ['deflate', inflate],
  ['br', unbrotli],
  ...(hasZstd ? ([['zstd', unzstd]] as const) : []),
]);

function attempt(coding: string, decode: () => Uint8Array): Decoded {
  try {
    return { ok: true, bytes: decode() };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      return { ok: false, reason: 'content.size', detail: `the ${coding} body is too large when decoded` };
    }
    if (code === 'Z_BUF_ERROR') {
      return { ok: false, reason: 'net.truncated', detail: `the ${coding} body ends early` };
    }
    return broken(`the ${coding} body is broken`);
  }
}

function broken(detail: string): Decoded {
  return { ok: false, reason: 'content.encoding', detail };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** One or more gzip members; what follows the last one and is no member is ignored, as gzip and browsers do. */
function gunzip(bytes: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return zlib.gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (codeOf(error) !== 'Z_DATA_ERROR') throw error;
    return gunzipMembers(bytes, maxBytes);
  }
}

/** Called when zlib found bytes it could not read: cuts them off when whole members stand before them, else fails as zlib did. */
function gunzipMembers(bytes: Uint8Array, maxBytes: number): Uint8Array {
  let end = 0;
  for (let members = 0; isMember(bytes, end); members += 1) {
    if (members >= MAX_MEMBERS) throw new Error('more members than are looked at');
    const start = memberDataStart(bytes, end);
    end = start + deflatedLength(bytes.subarray(start), maxBytes) + GZIP_TRAILER_BYTES;
  }
  // Decoded once more from what is left, for the checksums.
  return zlib.gunzipSync(end === 0 ? bytes : bytes.subarray(0, end), { maxOutputLength: maxBytes });
}

/** Of members looked at one by one, each at the price of a call. Files have one; those packed for random access one for 64 KB. */
const MAX_MEMBERS = 1_000;

/** RFC 1952 §2.2: CRC-32 and length. */
const GZIP_TRAILER_BYTES = 8;

/** RFC 1952 §2.3.1: two magic bytes, then deflate as the only method. */
function isMember(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x1f && bytes[at + 1] === 0x8b && bytes[at + 2] === 8;
}

/** Where the deflated data of the member at `at` starts: after ten bytes and the optional fields its flags announce. */
function memberDataStart(bytes: Uint8Array, at: number): number {
  const flags = bytes[at + 3] ?? 0;
  let next = at + 10;
  if (flags & 4) next += 2 + (bytes[next] ?? 0) + 256 * (bytes[next + 1] ?? 0);
  for (const zeroEnded of [8, 16]) {
    if (flags & zeroEnded) next = bytes.indexOf(0, next) + 1 || bytes.length;
  }
  return flags & 2 ? next + 2 : next;
}

/** Bytes of raw deflate at the head of `bytes`, found by decoding them. */
function deflatedLength(bytes: Uint8Array, maxBytes: number): number {
  // `info` makes zlib answer its engine too; the type declarations leave that out.
  const outcome: unknown = zlib.inflateRawSync(bytes, { maxOutputLength: maxBytes, info: true });
  return (outcome as { readonly engine: { readonly bytesWritten: number } }).engine.bytesWritten;
}

/** "deflate" is zlib by the standard (RFC 9110 §8.4.1.2) and raw deflate by the habit of some servers. */
function inflate(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const options = { maxOutputLength: maxBytes };
  if (!hasZlibHeader(bytes)) return zlib.inflateRawSync(bytes, options);
  try {
    return zlib.inflateSync(bytes, options);
  } catch (error) {
    if (codeOf(error) !== 'Z_DATA_ERROR') throw error;
    return zlib.inflateRawSync(bytes, options);
  }
}

/** RFC 1950 §2.2: method 8, and both bytes together a multiple of 31. A single byte is too little to tell. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [method = 0, flags] = bytes;
  if (flags === undefined) return (method & 0x0f) === 8;
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}

function unbrotli(bytes: Uint8Array, maxBytes: number): Uint8Array {
  return zlib.brotliDecompressSync(bytes, { maxOutputLength: maxBytes });
}

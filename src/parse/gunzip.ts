/** gzip files as they lie on servers (RFC 1952): cut short, with a broken end, packed twice. Gives what can be read. */
import { constants, gunzipSync, inflateRawSync } from 'node:zlib';

export interface Unpacked {
  readonly bytes: Uint8Array;
  /** What was wrong, null when nothing was. */
  readonly problem: string | null;
}

/** Servers that pack what is packed already do so once; more layers are an attack. */
const MAX_LAYERS = 2;

/** Halvings in the search for the part of broken data that can be read: finds it to 1/256 of its length. */
const SEARCH_STEPS = 8;

/**
 * Unpacks a body that starts like gzip (1f 8b, whatever its name and type say); others are returned as they are.
 * Never gives more than `maxBytes` bytes and never throws.
 */
export function gunzip(body: Uint8Array, maxBytes: number): Unpacked {
  let bytes = body;
  let problem: string | null = null;
  for (let layer = 0; layer < MAX_LAYERS && isGzip(bytes); layer++) {
    const unpacked = unpack(bytes, maxBytes);
    bytes = unpacked.bytes;
    problem ??= unpacked.problem;
  }
  return { bytes, problem };
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function unpack(packed: Uint8Array, maxBytes: number): Unpacked {
  const whole = attempt(() => gunzipSync(packed, { maxOutputLength: maxBytes }));
  if (whole !== null) return { bytes: whole, problem: null };

  // Without header and checksum, a prefix of the data decodes to a prefix of the file; the longest one is searched.
  const data = packed.subarray(headerLength(packed));
  const options = { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH };
  const inflate = (length: number): Uint8Array | null =>
    attempt(() => inflateRawSync(data.subarray(0, length), options));
  return {
    bytes: inflate(data.length) ?? longestPrefix(data.length, inflate),
    problem: 'The gzip data is broken, cut short or too large; what could be read is used.',
  };
}

/** What the longest prefix that can be inflated gives, when the whole of `length` bytes cannot. */
function longestPrefix(length: number, inflate: (length: number) => Uint8Array | null): Uint8Array {
  let best: Uint8Array = new Uint8Array(0);
  let good = 0;
  let bad = length;
  for (let step = 0; step < SEARCH_STEPS && bad - good > 1; step++) {
    const middle = (good + bad) >> 1;
    const part = inflate(middle);
    if (part === null) {
      bad = middle;
    } else {
      good = middle;
      best = part;
    }
  }
  return best;
}

function attempt(decode: () => Uint8Array): Uint8Array | null {
  try {
    return decode();
  } catch {
    return null; // zlib says so of broken data and of too much of it
  }
}

/** Length of the header (RFC 1952 2.3): ten bytes, then the parts its flags announce. */
function headerLength(packed: Uint8Array): number {
  const flags = packed[3] ?? 0;
  let at = 10;
  if (flags & 0x04) at += 2 + ((packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8));
  for (const flag of [0x08, 0x10]) {
    if (flags & flag) {
      const end = packed.indexOf(0, at);
      at = end < 0 ? packed.length : end + 1;
    }
  }
  return flags & 0x02 ? at + 2 : at;
}

/**
 * Texts that are nearly the same, told by 64 bits: SimHash (Charikar, STOC 2002; of web pages Manku, Jain and Das Sarma,
 * WWW 2007) of the distinct pairs of neighbouring tokens. What was measured: docs/decisions/0010-near-duplicates.md.
 */
import type { Fingerprint } from '../types.ts';

/** Shorter texts are like no other: a few words of a template outweigh what is their own. */
const MIN_TOKENS = 50;
/**
 * Most bits that differ. With three, as Manku et al. have it, a page of 300 words with another version number in it is missed
 * as often as not; twice as many are safe where titles agree as well (rank.ts).
 */
const MAX_BITS = 6;
/** The shorter of two texts has at least this share of the longer one's tokens. */
const MIN_LENGTH_RATIO = 0.9;

/** Fingerprint of a text by its tokens in order. Linear time. */
export function fingerprintOf(tokens: readonly string[]): Fingerprint {
  if (tokens.length < MIN_TOKENS) return { high: 0, low: 0, tokens: 0 };
  // A set of 16 or more bits for each token; a pair whose bit is taken was seen before, but for one in thirty.
  const shift = Math.clz32(tokens.length) - 4;
  const seen = new Uint8Array(2 ** (29 - shift));
  // Byte i of lane k counts ones of bit 8i + k; lanes 0–7 of the low word, 8–15 of the high one.
  const lanes = new Int32Array(16);
  const ones = new Int32Array(64);
  let pairs = 0;
  let previous = 0;
  for (const token of tokens) {
    const next = hashOf(token);
    const low = mix(Math.imul(previous, 31) + next);
    previous = next;
    const slot = low >>> shift;
    const bit = 1 << (slot & 7);
    const byte = seen[slot >>> 3] ?? 0;
    if ((byte & bit) !== 0) continue;
    seen[slot >>> 3] = byte | bit;
    countOnes(lanes, 0, low);
    countOnes(lanes, 8, mix(low + 0x27d4eb2f));
    if (++pairs % 255 === 0) empty(lanes, ones);
  }
  empty(lanes, ones);
  return { high: majority(ones, 32, pairs), low: majority(ones, 0, pairs), tokens: tokens.length };
}

/** True for texts so alike that one of them says it all. */
export function areNearlyEqual(a: Fingerprint, b: Fingerprint): boolean {
  const [shorter, longer] = a.tokens < b.tokens ? [a.tokens, b.tokens] : [b.tokens, a.tokens];
  if (shorter === 0 || shorter < longer * MIN_LENGTH_RATIO) return false;
  return countBits(a.high ^ b.high) + countBits(a.low ^ b.low) <= MAX_BITS;
}

/** Adds the bits of a word to eight lanes, four at a time. */
function countOnes(lanes: Int32Array, first: number, word: number): void {
  for (let lane = 0; lane < 8; lane++) {
    const at = first + lane;
    lanes[at] = (lanes[at] ?? 0) + ((word >>> lane) & 0x01010101);
  }
}

/** Moves the counts to where they have room, before a byte overflows. */
function empty(lanes: Int32Array, ones: Int32Array): void {
  for (const [at, lane] of lanes.entries()) {
    for (let byte = 0; byte < 4; byte++) {
      const bit = (at >> 3) * 32 + byte * 8 + (at & 7);
      ones[bit] = (ones[bit] ?? 0) + ((lane >>> (byte * 8)) & 0xff);
    }
  }
  lanes.fill(0);
}

/** A word with those bits set that are set in most of the pairs. */
function majority(ones: Int32Array, first: number, pairs: number): number {
  let word = 0;
  for (let bit = 0; bit < 32; bit++) if ((ones[first + bit] ?? 0) * 2 > pairs) word |= 1 << bit;
  return word;
}

/** FNV-1a over UTF-16 code units. */
function hashOf(token: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193);
  return hash;
}

/** Spreads every bit of a word over all of them: the last steps of MurmurHash3. */
function mix(word: number): number {
  let hash = word;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function countBits(word: number): number {
  let bits = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

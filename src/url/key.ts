/** A URL as one number: what the frontier's unique index holds instead of the text. */

/**
 * A well-mixed hash of any string: an integer from 0 to 2^53 − 1, the same on every machine. Not for secrets: collisions
 * can be made on purpose.
 *
 * Odds: among n URLs two collide with probability of about n² / 2^54. The index is unique per host, so n is the number
 * of URLs of one host: 6 in 100,000 for a million, 6 in 1,000 for ten million. The later URL of a pair is taken for known.
 */
export function urlHash(url: string): number {
  let high = HIGH_SEED ^ url.length;
  let low = LOW_SEED ^ url.length;
  for (let i = 0; i < url.length; i++) {
    const code = url.charCodeAt(i);
    // Each lane is a bijection of its state for a given character, with its own constants and rotation.
    high = Math.imul(rotate(high, 7) ^ code, HIGH_FACTOR);
    low = Math.imul(rotate(low, 13) + code, LOW_FACTOR);
  }
  // Cross the lanes, so that each half of the result depends on both.
  high = avalanche(high ^ rotate(low, 16));
  low = avalanche(low ^ high);
  return (high & HIGH_MASK) * 2 ** 32 + (low >>> 0);
}

const HIGH_MASK = 2 ** 21 - 1;

// Odd 32-bit numbers from the fractional parts of √2, √3, √5 and √7.
const HIGH_SEED = 0x6a09e667;
const LOW_SEED = 0xbb67ae85;
const HIGH_FACTOR = 0x3c6ef373;
const LOW_FACTOR = 0xa54ff53b;

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** The 32-bit finalizer of MurmurHash3 (Appleby): every input bit flips every output bit half of the time. */
function avalanche(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { urlHash } from './key.ts';

test('any string gives an integer of 53 bits, always the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const hash = urlHash(text);
      expect(Number.isSafeInteger(hash) && hash >= 0).toBe(true);
      expect(urlHash(text)).toBe(hash);
    }),
  );
});

test('never changes: it is stored', () => {
  expect([urlHash(''), urlHash('https://a.test/')]).toEqual([1668581339419999, 3408704884022453]);
});

test('a million URLs that differ in a few characters do not collide', () => {
  const hashes = new Set<number>();
  for (let i = 0; i < 500_000; i++) {
    hashes.add(urlHash(`https://a.test/item?id=${i}`));
    hashes.add(urlHash(`https://a.test/${i % 1000}/${Math.floor(i / 1000)}/`));
  }
  expect(hashes.size).toBe(1_000_000);
});

test('both halves are spread evenly', () => {
  const buckets = 256;
  const low = new Array<number>(buckets).fill(0);
  const high = new Array<number>(buckets).fill(0);
  const n = 100_000;
  for (let i = 0; i < n; i++) {
    const hash = urlHash(`https://a.test/p/${i}`);
    count(low, hash % buckets);
    count(high, Math.floor(hash / 2 ** 45));
  }
  // χ² with 255 degrees of freedom: mean 255, standard deviation 23; 390 is six of them away.
  const spread = (counts: number[]): number =>
    counts.reduce((sum, c) => sum + (c - n / buckets) ** 2 / (n / buckets), 0);
  expect(spread(low)).toBeLessThan(390);
  expect(spread(high)).toBeLessThan(390);
});

test('one changed bit changes half of the bits', () => {
  const bits = 53;
  const flips = new Array<number>(bits).fill(0);
  let trials = 0;
  for (let i = 0; i < 400; i++) {
    const url = `https://a.test/articles/${i * 7919}/index`;
    for (let at = 0; at < url.length; at += 3) {
      const flipped =
        url.slice(0, at) + String.fromCharCode(url.charCodeAt(at) ^ (1 << (i % 7))) + url.slice(at + 1);
      const difference = BigInt(urlHash(url)) ^ BigInt(urlHash(flipped));
      for (let bit = 0; bit < bits; bit++) if ((difference >> BigInt(bit)) & 1n) count(flips, bit);
      trials += 1;
    }
  }
  for (const flipped of flips) expect(Math.abs(flipped / trials - 0.5)).toBeLessThan(0.05);
});

function count(counts: number[], at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}

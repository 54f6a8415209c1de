import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gunzip } from './gunzip.ts';

const TEXT = Buffer.from('one two three '.repeat(100));

test('every part of a header is skipped when the file is cut', () => {
  const extra = [3, 0, 1, 2, 3];
  const name = [...Buffer.from('sitemap.xml\0')];
  const comment = [...Buffer.from('why\0')];
  const header = [
    0x1f,
    0x8b,
    8,
    0x04 | 0x08 | 0x10 | 0x02,
    0,
    0,
    0,
    0,
    0,
    3,
    ...extra,
    ...name,
    ...comment,
    0,
    0,
  ];
  const withoutEnd = Buffer.concat([Buffer.from(header), deflateRawSync(TEXT)]);
  const { bytes, problem } = gunzip(withoutEnd, 10_000);
  expect(Buffer.from(bytes)).toEqual(TEXT);
  expect(problem).not.toBeNull();
});

test('two layers are unpacked, a third is not', () => {
  const once = gzipSync(TEXT);
  expect(Buffer.from(gunzip(gzipSync(once), 10_000).bytes)).toEqual(TEXT);
  expect(Buffer.from(gunzip(gzipSync(gzipSync(once)), 10_000).bytes)).toEqual(once);
});

test('several members are one file', () => {
  const { bytes, problem } = gunzip(Buffer.concat([gzipSync(TEXT), gzipSync(TEXT)]), 10_000);
  expect(bytes).toHaveLength(2 * TEXT.length);
  expect(problem).toBeNull();
});

test('any cut gives a prefix, any body an answer within the limit', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), fc.nat(), (data, at) => {
      const packed = gzipSync(data);
      const { bytes } = gunzip(packed.subarray(0, at % packed.length), 10_000);
      if (at % packed.length > 10) expect(data.subarray(0, bytes.length)).toEqual(Uint8Array.from(bytes));
      const noise = gunzip(Buffer.concat([Buffer.from([0x1f, 0x8b]), data]), 100);
      expect(noise.bytes.length).toBeLessThanOrEqual(100);
    }),
  );
});

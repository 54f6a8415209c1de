import { describe, expect, test } from 'vitest';
import { hasZstd, unzstd, zstdFrames } from './zstd.ts';

/** Made with the reference encoder; between them every shape of header, block and trailer. */
const samples = [
  {
    name: 'one compressed block',
    base64: 'KLUv/SAdZQAAMGhlbGxvIAEAqUsR',
    text: 'hello hello hello hello hello',
  },
  { name: 'one raw block', base64: 'KLUv/SADGQAAeHl6', text: 'xyz' },
  {
    name: 'checksum',
    base64: 'KLUv/WRoD7UAAHAgYW5kIGNoZWNrc3VtIAEAVxD9VAItrod/',
    text: ' and checksum '.repeat(300),
  },
  {
    name: 'two blocks, four bytes of size',
    base64: 'KLUv/aBADQMAVAAAEGFhAQD7/znAAgNqCGE=',
    text: 'a'.repeat(200_000),
  },
  { name: 'streamed, size unknown', base64: 'KLUv/QBYSAAAc3RyZWFtZWQgIQAAdGV4dA==', text: 'streamed text' },
];

/** Skippable frame of three bytes (RFC 8878 §3.1.2). */
const skippable = Buffer.from([0x57, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

describe('zstdFrames', () => {
  test.each(samples)('$name: the whole is one frame, every shorter part ends early', ({ base64 }) => {
    const bytes = bytesOf(base64);
    expect(zstdFrames(bytes)).toEqual([bytes]);
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => zstdFrames(bytes.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'Z_BUF_ERROR' }),
      );
    }
  });

  test('several frames, skippable ones among them, and what follows them', () => {
    const [first, second] = [bytesOf(samples[0]?.base64 ?? ''), bytesOf(samples[2]?.base64 ?? '')];
    const body = Buffer.concat([skippable, first, skippable, second, Buffer.from('garbage')]);
    expect(zstdFrames(body)).toEqual([first, second]);
  });

  test('a skippable frame that ends early', () => {
    expect(() => zstdFrames(skippable.subarray(0, 9))).toThrow(
      expect.objectContaining({ code: 'Z_BUF_ERROR' }),
    );
  });

  test('no frame at all is left for the decoder to refuse', () => {
    const text = Buffer.from('<html>plain</html>');
    expect(zstdFrames(text)).toEqual([text]);
  });
});

describe.runIf(hasZstd)('unzstd', () => {
  test.each(samples)('$name', ({ base64, text }) => {
    expect(Buffer.from(unzstd(bytesOf(base64), 1_000_000)).toString()).toBe(text);
  });

  test('several frames are one body, together within the limit', () => {
    const body = Buffer.concat(samples.slice(0, 2).map(({ base64 }) => bytesOf(base64)));
    expect(Buffer.from(unzstd(body, 32)).toString()).toBe('hello hello hello hello helloxyz');
    expect(() => unzstd(body, 31)).toThrow(expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }));
  });
});

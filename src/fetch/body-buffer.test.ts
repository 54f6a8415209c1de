import { describe, expect, test } from 'vitest';
import { BodyBuffer } from './body-buffer.ts';

describe('a body', () => {
  test.each([[[]], [['a']], [['', 'ab', '', 'c']], [['x'.repeat(100_000), 'y', 'z'.repeat(40_000)]]])(
    'is its pieces one after the other (%#)',
    (pieces: string[]) => {
      const body = new BodyBuffer();
      for (const piece of pieces) body.append(Buffer.from(piece));
      expect(body.toBuffer().toString()).toBe(pieces.join(''));
    },
  );

  test('does not hold on to what its pieces were cut from', () => {
    const body = new BodyBuffer();
    const read = Buffer.from('a piece');
    body.append(read.subarray(2));
    read.fill(0);
    expect(body.toBuffer().toString()).toBe('piece');
  });

  test('of a million pieces takes linear time', () => {
    const body = new BodyBuffer();
    const piece = Buffer.from('0123456789');
    const startedAt = performance.now();
    for (let n = 0; n < 1_000_000; n += 1) body.append(piece);
    expect(body.toBuffer().length).toBe(10_000_000);
    // Copied whole for each piece, it would be 5 TB.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

import { afterEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { systemClock } from '../clock.ts';
import { ReaderPool } from './reader-pool.ts';

const script = new URL('../../test/support/odd-thread.mjs', import.meta.url);
const pools: ReaderPool[] = [];

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

function poolOf(size: number, clock = systemClock): (bytes: Uint8Array) => Promise<string> {
  const pool = new ReaderPool(script, clock, size);
  pools.push(pool);
  const head = { url: 'https://a.test/', contentType: null, robotsHeaders: [], receivedAt: 0 };
  return async (bytes) => {
    const { page } = await pool.read({ bytes, head, productToken: 'x', knownHash: null });
    return page.title;
  };
}

/** Titles of what was read, and the errors of what was not. */
async function readAll(read: (bytes: Uint8Array) => Promise<string>, texts: string[]): Promise<string[]> {
  const ended = await Promise.allSettled(texts.map((text) => read(Buffer.from(text))));
  return ended.map((end) => (end.status === 'fulfilled' ? end.value : String(end.reason)));
}

describe('pages read in threads', () => {
  test.each([1, 3])('are answered each with its own reading by %d', async (size) => {
    const texts = Array.from({ length: 40 }, (_, i) => `page ${i}`);
    expect(await readAll(poolOf(size), texts)).toEqual(texts);
  });

  test.each([
    ['bug', 'Error: Error: a bug'],
    ['exit', 'Error: the thread that read the page ended'],
    ['throw', 'Error: out of hand'],
  ])('fail alone: %s', async (text, error) => {
    const read = poolOf(1);
    expect(await readAll(read, ['a', text, 'b', text, 'c'])).toEqual(['a', error, 'b', error, 'c']);
    expect(await readAll(read, ['after'])).toEqual(['after']);
  });

  test('that never end are ended', async () => {
    const clock = virtualClock();
    const read = poolOf(1, clock);
    await readAll(read, ['a']);
    const readings = readAll(read, ['hang', 'b']);
    await clock.advance(60_000);
    expect(await readings).toEqual(['Error: the page took too long to read', 'b']);
  });

  test('too late are not taken for others', async () => {
    let endThread = (): void => undefined;
    const read = poolOf(1, {
      ...systemClock,
      after: (_, run) => {
        endThread = run;
        return () => undefined;
      },
    });
    await readAll(read, ['a']);
    const readings = readAll(read, ['late', 'b']);
    // As after a process was suspended: the time is up, and the answer is there and not looked at yet.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    endThread();
    expect(await readings).toEqual(['Error: the page took too long to read', 'b']);
  });

  test('leave the memory of the body to its owner', async () => {
    const bytes = Buffer.from('xxpagexx').subarray(2, 6);
    expect(await poolOf(1)(bytes)).toBe('page');
    expect(bytes.toString()).toBe('page');
  });
});

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codingsOf, type Decoded, decodeContent } from './decode.ts';

const MiB = 1024 * 1024;
const limits = { maxBytes: 5 * MiB, maxExpansion: 250 };
const page = Buffer.from(
  `<html>${Array.from({ length: 20 }, (_, i) => `<p>line ${i * 7919}</p>`).join('')}</html>`,
);

const encoders = [
  { coding: 'gzip', encode: (bytes: Uint8Array) => gzipSync(bytes) },
  { coding: 'x-gzip', encode: (bytes: Uint8Array) => gzipSync(bytes, { level: 9 }) },
  { coding: 'deflate', encode: (bytes: Uint8Array) => deflateSync(bytes) },
  { coding: 'deflate', encode: (bytes: Uint8Array) => deflateRawSync(bytes) },
  { coding: 'X-Deflate', encode: (bytes: Uint8Array) => deflateSync(bytes, { level: 9 }) },
  { coding: 'x-br', encode: (bytes: Uint8Array) => brotliCompressSync(bytes) },
  { coding: 'br', encode: (bytes: Uint8Array) => brotliCompressSync(bytes) },
];

function decode(body: Uint8Array, coding: string | null): Decoded {
  return decodeContent(body, coding, limits);
}

/** The outcome in one word: the text, or why there is none. */
function outcome(decoded: Decoded): string {
  return decoded.ok ? Buffer.from(decoded.bytes).toString() : decoded.reason;
}

describe.each(encoders)('$coding by $encode', ({ coding, encode }) => {
  test('decodes', () => {
    expect(outcome(decode(encode(page), coding))).toBe(page.toString());
  });

  test('is never complete when cut, wherever', () => {
    const body = encode(Buffer.from('a page, a page, another page, and the rest of the page'));
    for (let length = 1; length < body.length; length += 1) {
      expect(outcome(decode(body.subarray(0, length), coding))).toBe('net.truncated');
    }
  });

  test('stops at the size limit', () => {
    const body = encode(Buffer.alloc(40_000, 'ab c'));
    expect(outcome(decodeContent(body, coding, { maxBytes: 39_999, maxExpansion: 1e6 }))).toBe(
      'content.size',
    );
    expect(decodeContent(body, coding, { maxBytes: 40_000, maxExpansion: 1e6 }).ok).toBe(true);
  });

  test('stops a bomb by its expansion, below the size limit', () => {
    const bomb = encode(Buffer.alloc(4 * MiB));
    expect(decode(bomb, coding)).toMatchObject({ ok: false, reason: 'content.size' });
  });

  test('lets a small body expand as it likes', () => {
    expect(decode(encode(Buffer.alloc(MiB)), coding).ok).toBe(true);
  });

  test('an empty body is empty', () => {
    expect(outcome(decode(new Uint8Array(0), coding))).toBe('');
  });

  test('plain text under its label is refused, without throwing', () => {
    expect(['content.encoding', 'net.truncated']).toContain(
      outcome(decode(Buffer.from('<html>plain</html>'), coding)),
    );
  });
});

describe('gzip', () => {
  const body = gzipSync(page);
  const text = page.toString();

  test.each([
    ['zeros', Buffer.alloc(20)],
    ['text', Buffer.from('<!-- served by cache 7 -->')],
    ['a magic number of another method', Buffer.from([0x1f, 0x8b, 7, 0, 0])],
  ])('ignores %s after it', (_, garbage) => {
    expect(outcome(decode(Buffer.concat([body, garbage]), 'gzip'))).toBe(text);
  });

  test('garbage behind many members is not looked for, since each would cost a call', () => {
    const member = gzipSync('x');
    const packed = (members: number): Buffer =>
      Buffer.concat([Buffer.alloc(members * member.length, member), Buffer.from('garbage')]);
    expect(outcome(decode(packed(900), 'gzip'))).toBe('x'.repeat(900));
    expect(outcome(decode(packed(250_000), 'gzip'))).toBe('content.encoding');
  });

  test('members after each other are one body', () => {
    const members = Buffer.concat([gzipSync('one '), gzipSync('two '), gzipSync('three')]);
    expect(outcome(decode(members, 'gzip'))).toBe('one two three');
    expect(outcome(decode(Buffer.concat([members, Buffer.from('garbage')]), 'gzip'))).toBe('one two three');
    expect(outcome(decode(members.subarray(0, -9), 'gzip'))).toBe('net.truncated');
    // The first byte of a member that never came: more was meant.
    expect(outcome(decode(Buffer.concat([members, Buffer.from([0x1f])]), 'gzip'))).toBe('net.truncated');
  });

  test('every optional header field is passed over before garbage', () => {
    const plain = gzipSync('named');
    const fields = [
      [3, 0, 1, 2, 3],
      [...Buffer.from('name\0')],
      [...Buffer.from('comment\0')],
      [0, 0],
    ].flat();
    const named = Buffer.concat([plain.subarray(0, 3), Buffer.from([4 | 8 | 16]), plain.subarray(4, 10)]);
    const whole = Buffer.concat([
      named,
      Buffer.from(fields.slice(0, -2)),
      plain.subarray(10),
      Buffer.from('garbage'),
    ]);
    expect(outcome(decode(whole, 'gzip'))).toBe('named');
  });

  test('a wrong checksum is broken, not cut', () => {
    const wrong = Buffer.from(body);
    wrong.writeUInt32LE(0xdeadbeef, wrong.length - 8);
    expect(outcome(decode(wrong, 'gzip'))).toBe('content.encoding');
  });

  test('without its trailer it is cut: nothing says the text is whole', () => {
    expect(outcome(decode(body.subarray(0, -8), 'gzip'))).toBe('net.truncated');
  });
});

describe('codings', () => {
  test.each([
    ['gzip, gzip', gzipSync(gzipSync('twice')), 'twice'],
    ['gzip, br', brotliCompressSync(gzipSync('br last')), 'br last'],
    ['br,gzip', gzipSync(brotliCompressSync('gzip last')), 'gzip last'],
    [' , GZIP ,', gzipSync('lists have empty members'), 'lists have empty members'],
    ['identity', Buffer.from('as sent'), 'as sent'],
    ['None', Buffer.from('as sent'), 'as sent'],
    ['utf-8', Buffer.from('as sent'), 'as sent'],
    ['', Buffer.from('as sent'), 'as sent'],
    ['identity, gzip', gzipSync('one'), 'one'],
    ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync('thrice'))), 'content.encoding'],
    ['foo', Buffer.from('whatever'), 'content.encoding'],
    ['foo, gzip', gzipSync('whatever'), 'content.encoding'],
    ['__proto__', Buffer.from('whatever'), 'content.encoding'],
    ['constructor', Buffer.from('whatever'), 'content.encoding'],
  ])('%j', (coding, body, expected) => {
    expect(outcome(decode(body, coding))).toBe(expected);
  });

  test('no header', () => {
    expect(outcome(decode(Buffer.from('as sent'), null))).toBe('as sent');
    expect(codingsOf(null)).toEqual([]);
  });

  test('a bomb inside a bomb is stopped at either layer', () => {
    const inner = gzipSync(Buffer.alloc(64 * MiB));
    expect(outcome(decode(gzipSync(inner), 'gzip, gzip'))).toBe('content.size');
    expect(outcome(decode(brotliCompressSync(inner), 'gzip, br'))).toBe('content.size');
  });
});

test('any bytes under any coding end in a value', () => {
  const coding = fc.constantFrom('gzip', 'deflate', 'br', 'gzip, br', 'zstd', 'foo', null);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), coding, (bytes, isGzipLike, name) => {
      const body = isGzipLike ? Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), bytes]) : bytes;
      expect(decode(body, name)).toHaveProperty('ok');
    }),
    { numRuns: 500 },
  );
});

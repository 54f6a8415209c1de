import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { skipInterim } from './interim.ts';

/** What a reader sees of chunks that arrive one by one after a request was written. */
function readThrough(chunks: readonly string[], isArmed = true): string {
  const waiting: Buffer[] = [];
  const socket = new Duplex({ read() {}, write() {} }) as unknown as Socket;
  socket.read = () => waiting.shift() ?? null;
  const requestWritten = skipInterim(socket);
  if (isArmed) requestWritten();
  let seen = '';
  for (const chunk of chunks) {
    waiting.push(Buffer.from(chunk, 'latin1'));
    for (let piece: Buffer | null = socket.read(); piece !== null; piece = socket.read()) {
      seen += piece.toString('latin1');
    }
  }
  return seen;
}

const proceed = 'HTTP/1.1 100 Continue\r\n\r\n';
const final = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';

describe('skipInterim', () => {
  test.each([
    ['none', final],
    ['one', proceed + final],
    ['two', proceed + proceed + final],
    [
      'of other kinds',
      `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${proceed}HTTP/1.1 102 Wait\r\n\r\n${final}`,
    ],
    ['with fields and no phrase', `HTTP/1.0 100\r\nX-A: b\r\n\r\n${final}`],
  ])('%s, cut anywhere', (_, bytes) => {
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(readThrough([bytes.slice(0, cut), bytes.slice(cut)].filter((chunk) => chunk !== ''))).toBe(
        final,
      );
    }
    expect(readThrough([...bytes])).toBe(final);
  });

  test('a switch of protocols is an answer', () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: a\r\n\r\n';
    expect(readThrough([switching + final])).toBe(switching + final);
  });

  test('a body that looks like one passes', () => {
    expect(readThrough([final, proceed])).toBe(final + proceed);
    expect(readThrough([proceed], false)).toBe(proceed);
  });

  test('a head without end is not held for ever', () => {
    const endless = `HTTP/1.1 100 Continue\r\nX: ${'a'.repeat(5000)}`;
    expect(readThrough([endless])).toBe(endless);
  });
});

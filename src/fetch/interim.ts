/**
 * Reads an answer's head past its interim answers (1xx). A client has to be ready for any number of them, asked for or not (RFC 9110
 * §15.2), but undici takes a `100 Continue` for a broken connection. `101 Switching Protocols` is none of them and passes.
 */
import type { Socket } from 'node:net';

/** An interim head longer than this is left for the parser; ordinary ones have 25 bytes, early hints a few hundred. */
const MAX_INTERIM_BYTES = 4096;

const headEnd = '\r\n\r\n';

/**
 * Filters what is read from the socket; `received` is told of every piece before it is looked at, and may destroy the socket. The
 * function returned says that a request has just been written, so that the next bytes are the head of its answer; bodies pass
 * untouched.
 */
export function skipInterim(socket: Socket, received: (bytes: number) => void = () => {}): () => void {
  const readSocket = socket.read.bind(socket);
  let isAtHead = false;
  let held: Buffer | null = null;
  socket.read = (size?: number): Buffer | null => {
    const chunk: Buffer | null = readSocket(size);
    if (chunk !== null) received(chunk.length);
    if (socket.destroyed) return null;
    if (!isAtHead || chunk === null) return chunk;
    const rest = withoutInterim(held === null ? chunk : Buffer.concat([held, chunk]));
    const isUndecided = rest.length < MAX_INTERIM_BYTES && mayBeInterim(rest);
    held = isUndecided ? rest : null;
    isAtHead = isUndecided;
    return isUndecided ? null : rest;
  };
  return () => {
    isAtHead = true;
    held = null;
  };
}

/** What is left when all whole interim answers at the start are cut off. */
function withoutInterim(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length > 0 && mayBeInterim(rest) && rest.includes(headEnd)) {
    rest = rest.subarray(rest.indexOf(headEnd) + headEnd.length);
  }
  return rest;
}

/** True when the bytes start an interim answer, or are too few to tell. */
function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, LINE.length);
  const line = start + LINE.slice(start.length);
  return /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]$/.test(line);
}

/** A status line of an interim answer, as far as it tells that it is one. */
const LINE = 'HTTP/1.1 100 ';

/**
 * Skips `100 Continue` answers to requests that did not ask for one. A client has to ignore them (RFC 9110 §15.2), but
 * undici takes one for a broken connection. Other interim answers (102, 103) it passes over by itself.
 */
import type { Socket } from 'node:net';

/** An interim head longer than this is left for the parser to refuse; ordinary ones have 25 bytes. */
const MAX_INTERIM_BYTES = 4096;

const headEnd = '\r\n\r\n';

/**
 * Filters what is read from the socket. The function returned says that a request has just been written, so that the
 * next bytes are the head of its answer; bodies pass untouched.
 */
export function skipContinue(socket: Socket): () => void {
  const readSocket = socket.read.bind(socket);
  let isAtHead = false;
  let held: Buffer | null = null;
  socket.read = (size?: number): Buffer | null => {
    const chunk: Buffer | null = readSocket(size);
    if (!isAtHead || chunk === null) return chunk;
    const rest = withoutContinue(held === null ? chunk : Buffer.concat([held, chunk]));
    const isUndecided = rest.length < MAX_INTERIM_BYTES && mayBeContinue(rest);
    held = isUndecided ? rest : null;
    isAtHead = isUndecided;
    return isUndecided ? null : rest;
  };
  return () => {
    isAtHead = true;
    held = null;
  };
}

/** What is left when all whole 100 answers at the start are cut off. */
function withoutContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length > 0 && mayBeContinue(rest) && rest.includes(headEnd)) {
    rest = rest.subarray(rest.indexOf(headEnd) + headEnd.length);
  }
  return rest;
}

/** True when the bytes start a 100 answer, or are too few to tell. */
function mayBeContinue(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 'HTTP/1.1 100 '.length);
  return ['HTTP/1.1 100 ', 'HTTP/1.0 100 ', 'HTTP/1.1 100\r', 'HTTP/1.0 100\r'].some((line) =>
    line.startsWith(start),
  );
}

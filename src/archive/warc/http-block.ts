/**
 * HTTP messages as blocks of records: written from what the downloader kept, read from what any crawler wrote. Pure.
 *
 * Bodies are stored without their transfer coding. A header that would say otherwise is kept under another name, and
 * Content-Length says how long the stored body is, so that every reader gets the body right.
 */
import { bodyCodings, headerValue, headerValues } from '../../fetch/headers.ts';
import type { HeaderList, WireRequest } from '../../types.ts';
import { fieldLines } from './format.ts';

/** Put before the names of headers that do not describe the stored body; other crawlers use the same. */
const ORIGINAL = 'X-Crawler-';

export interface ResponseParts {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderList;
  /** With its content codings, without its transfer coding. */
  readonly body: Uint8Array;
}

/** The block of a response record. */
export function responseBlock({ status, statusText, headers, body }: ResponseParts): Uint8Array {
  const lines = fieldLines(storedHeaders(headers, body.length));
  const head = `HTTP/1.1 ${status} ${oneLine(statusText)}\r\n${lines}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

/** The block of a revisit record: the head of the answer, as received (WARC 1.1, 6.7). */
export function headBlock(status: number, statusText: string, headers: HeaderList): Uint8Array {
  return Buffer.from(`HTTP/1.1 ${status} ${oneLine(statusText)}\r\n${fieldLines(headers)}\r\n`, 'latin1');
}

/** The block of a request record. */
export function requestBlock(url: string, { method, headers, body }: WireRequest): Uint8Array {
  const { pathname, search, host } = new URL(url);
  const length =
    body.length > 0 || meansBody.has(method) ? [['Content-Length', String(body.length)] as const] : [];
  const connection = method === 'HEAD' ? 'close' : 'keep-alive';
  const lines = fieldLines([['Host', host], ['Connection', connection], ...headers, ...length]);
  return Buffer.concat([
    Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${lines}\r\n`, 'latin1'),
    body,
  ]);
}

/** Methods whose requests tell their length even when it is 0 (RFC 9110, 8.6). */
const meansBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Headers that describe the body as it is stored, in the order received. */
function storedHeaders(headers: HeaderList, length: number): HeaderList {
  const isLengthTrue = headerValues(headers, 'content-length').every((value) => Number(value) === length);
  const transfer = headerValues(headers, 'transfer-encoding').join(',').toLowerCase();
  // undici takes the chunks apart and nothing else: a body packed for the way is packed still.
  const isPacked = /[a-z]/.test(transfer.replaceAll(/\b(chunked|identity)\b/g, ''));
  const codings = bodyCodings(headers)?.replaceAll(/\s*,?\s*\bchunked\b/gi, '') ?? '';
  const untrue = new Set([
    'transfer-encoding',
    ...(isPacked ? ['content-encoding'] : []),
    ...(isLengthTrue ? [] : ['content-length']),
  ]);
  const kept = headers.map(([name, value]): HeaderList[number] =>
    untrue.has(name.toLowerCase()) ? [`${ORIGINAL}${name}`, value] : [name, value],
  );
  const hasLength = headerValue(kept, 'content-length') !== null;
  return [
    ...kept,
    ...(isPacked ? [['Content-Encoding', codings] as const] : []),
    ...(hasLength || length === 0 ? [] : [['Content-Length', String(length)] as const]),
  ];
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

/** What a block of `application/http; msgtype=response` says. */
export interface ReadResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderList;
  /** Without its transfer coding; content codings are as stored. */
  readonly body: Uint8Array;
  /** As stored, in its chunks if it has any. */
  readonly storedBody: Uint8Array;
}

/** Reads a response; null when the block is none. Line ends may be LF. A body said to be chunked that is not is taken as it is. */
export function readResponse(block: Uint8Array): ReadResponse | null {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.length);
  const { head, rest } = splitHead(bytes);
  const [statusLine = '', ...lines] = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const match = /^HTTP\/\d(?:\.\d)? +(\d{3})(?: (.*))?$/.exec(statusLine.trimEnd());
  if (match === null) return null;
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
  });
  const isChunked = headers.some(
    ([name, value]) => name.toLowerCase() === 'transfer-encoding' && /\bchunked\b/i.test(value),
  );
  const body = isChunked ? (unchunked(rest) ?? rest) : rest;
  return { status: Number(match[1]), statusText: match[2] ?? '', headers, body, storedBody: rest };
}

/** Head and body; a message without an empty line is all head. */
function splitHead(bytes: Buffer): { readonly head: string; readonly rest: Buffer } {
  const crlf = bytes.indexOf('\r\n\r\n');
  const lf = bytes.indexOf('\n\n');
  const isCrlf = crlf >= 0 && (lf < 0 || crlf < lf);
  const end = isCrlf ? crlf : lf;
  if (end < 0) return { head: bytes.toString('latin1').trimEnd(), rest: bytes.subarray(bytes.length) };
  return { head: bytes.toString('latin1', 0, end), rest: bytes.subarray(end + (isCrlf ? 4 : 2)) };
}

/** Undoes the chunked coding (RFC 9112, 7.1); null when the bytes are not in it. One that ends early gives what is there. */
function unchunked(bytes: Buffer): Buffer | null {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf('\n', at);
    const line = lineEnd < 0 ? '' : bytes.toString('latin1', at, lineEnd).trim();
    const size = /^[0-9a-f]{1,8}(?=\s*(?:;|$))/i.exec(line)?.[0];
    if (size === undefined) return pieces.length === 0 ? null : Buffer.concat(pieces);
    const length = Number.parseInt(size, 16);
    if (length === 0) break;
    const start = lineEnd + 1;
    pieces.push(bytes.subarray(start, start + length));
    at = start + length;
    at += bytes[at] === 0x0d ? 2 : bytes[at] === 0x0a ? 1 : 0;
  }
  return Buffer.concat(pieces);
}

/** Bodies: lengths that lie, chunks that are none, bombs, and what has no end. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { answer, type Step } from '../support/raw-server.ts';
import { CHUNKED, HTML, html, type Row, story, thenEnd, thenReset } from './row.ts';

const MiB = 1024 * 1024;
const zeros = Buffer.alloc(64 * MiB);
const honest = Buffer.from(story('packed lunches'));

function coded(coding: string, body: Uint8Array): Step[] {
  return answer('200 OK', { 'Content-Type': 'text/html', 'Content-Encoding': coding }, body);
}

function broken(name: string, page: Row['page'], reason: 'net.truncated' | 'net.protocol'): Row {
  return {
    name,
    page,
    fetched: reason,
    crawled: reason === 'net.truncated' ? 'failed net.truncated' : 'failed net.protocol',
  };
}

function bomb(name: string, coding: string, body: Uint8Array): Row {
  return { name, page: coded(coding, body), fetched: 'content.size', crawled: 'blocked content.size' };
}

const endless: readonly Row[] = [
  ['until the connection closes', `${HTML}\r\n`, 'x'.repeat(1000)],
  ['in chunks', CHUNKED, `3e8\r\n${'x'.repeat(1000)}\r\n`],
  ['in chunks of a byte', CHUNKED, '1\r\nx\r\n'],
].map(
  ([how, head = '', piece = '']): Row => ({
    name: `a body without end, ${how}`,
    page: [{ send: head }, { flood: piece }],
    fetched: 'content.size',
    crawled: 'blocked content.size',
  }),
);

const slow: readonly Row[] = [
  ['nothing', []],
  ['half a status line', [{ send: 'HTTP/1.1 2' }]],
  ['a header line now and then', [{ send: HTML }, { drip: 'X-A: b\r\n', everyMs: 50 }]],
  ['a head and no body', [{ send: `${HTML}Content-Length: 10\r\n\r\n` }]],
  ['a byte of the body now and then', [{ send: `${HTML}\r\n` }, { drip: 'x', everyMs: 50 }]],
  ['a chunk size digit now and then', [{ send: CHUNKED }, { drip: '0', everyMs: 50 }]],
].map(
  ([what, page]): Row => ({
    name: `a server that sends ${what as string}`,
    page: page as Step[],
    fetched: 'net.timeout',
    crawled: 'failed net.timeout',
  }),
);

export const bodies: readonly Row[] = [
  ...endless,
  ...slow,
  {
    name: 'chunk extensions without end',
    page: [{ send: CHUNKED }, { flood: `1;${'e'.repeat(16_000)}\r\nx\r\n` }],
    fetched: 'content.size',
    crawled: 'blocked content.size',
  },
  {
    name: 'a chunk extension without end',
    page: [{ send: `${CHUNKED}1;` }, { flood: 'e'.repeat(1000) }],
    fetched: 'content.size',
    crawled: 'blocked content.size',
  },
  {
    name: 'a length beyond all limits',
    page: [{ send: `${HTML}Content-Length: 9007199254740991\r\n\r\n` }],
    fetched: 'content.size',
    crawled: 'blocked content.size',
  },
  bomb('a gzip bomb', 'gzip', gzipSync(zeros)),
  bomb('a deflate bomb', 'deflate', deflateSync(zeros)),
  bomb('a brotli bomb', 'br', brotliCompressSync(zeros)),
  bomb('a bomb in a bomb', 'gzip, gzip', gzipSync(gzipSync(zeros))),
  {
    name: 'three codings on top of each other',
    page: coded('gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(honest)))),
    fetched: 'content.encoding',
    crawled: 'failed content.encoding',
  },
  {
    name: 'a thousand codings on top of each other',
    page: coded(Array(1000).fill('gzip').join(), gzipSync(honest)),
    fetched: 'content.encoding',
    crawled: 'failed content.encoding',
  },
  {
    name: 'gzip that is none',
    page: coded('gzip', honest),
    fetched: 'content.encoding',
    crawled: 'failed content.encoding',
  },
  {
    name: 'a coding nobody knows',
    page: coded('enigma', honest),
    fetched: 'content.encoding',
    crawled: 'failed content.encoding',
  },
  {
    name: 'two codings',
    page: coded('gzip, br', brotliCompressSync(gzipSync(honest))),
    fetched: 'ok',
    crawled: 'indexed',
  },
  broken('gzip that ends early', coded('gzip', gzipSync(honest).subarray(0, -12)), 'net.truncated'),
  broken(
    'a length that is too large',
    thenEnd(`${HTML}Content-Length: 100\r\n\r\n<p>short`),
    'net.truncated',
  ),
  broken('a length below zero', thenEnd(`${HTML}Content-Length: -1\r\n\r\n<p>short`), 'net.protocol'),
  broken('a length in hexadecimal', thenEnd(`${HTML}Content-Length: 0x10\r\n\r\n<p>short`), 'net.protocol'),
  broken('a length without end', thenEnd(`${HTML}Content-Length: ${'9'.repeat(40)}\r\n\r\n`), 'net.protocol'),
  broken(
    'two lengths',
    thenEnd(`${HTML}Content-Length: 5\r\nContent-Length: 6\r\n\r\n<p>abc`),
    'net.protocol',
  ),
  broken(
    'a length and chunks',
    thenEnd(`${CHUNKED.slice(0, -2)}Content-Length: 3\r\n\r\n0\r\n\r\n`),
    'net.protocol',
  ),
  broken('a chunk size that is none', thenEnd(`${CHUNKED}xyz\r\nabc\r\n0\r\n\r\n`), 'net.protocol'),
  broken('a chunk size beyond 64 bits', thenEnd(`${CHUNKED}ffffffffffffffffff\r\nabc`), 'net.protocol'),
  broken('a chunk longer than its size', thenEnd(`${CHUNKED}2\r\nabc\r\n0\r\n\r\n`), 'net.protocol'),
  broken('a chunk shorter than its size', thenEnd(`${CHUNKED}5\r\nabc\r\n0\r\n\r\n`), 'net.protocol'),
  broken('chunks without the last one', thenEnd(`${CHUNKED}3\r\nabc\r\n`), 'net.truncated'),
  broken('a reset in the body', thenReset(`${HTML}Content-Length: 100\r\n\r\n<p>short`), 'net.truncated'),
  broken('a reset in a chunk', thenReset(`${CHUNKED}64\r\nshort`), 'net.truncated'),
  broken('a reset in a chunk size', thenReset(`${CHUNKED}6`), 'net.truncated'),
  {
    name: 'a body longer than its length, that looks like another answer',
    page: [...html(story('stowaways')), { send: 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison' }],
    fetched: 'ok',
    crawled: 'indexed',
  },
];

/** Connections that break, and TLS that does not come about. */
import { readFileSync } from 'node:fs';
import type { Step } from '../support/raw-server.ts';
import { HTML, html, type Row, story, thenEnd, thenReset } from './row.ts';

const fixture = (file: string): Buffer => readFileSync(`test/fixtures/tls/${file}`);
const selfSigned = { key: fixture('secure-test.key'), cert: fixture('secure-test.crt') };

function breaks(name: string, page: Step[]): Row {
  return { name, page, fetched: 'net.reset', crawled: 'failed net.reset' };
}

/** A whole host that cannot be talked to: what it lacks first is its robots.txt. */
function silent(name: string, greeting: Step[], fetched: Row['fetched']): Row {
  return { name, page: [], greeting, fetched, crawled: 'blocked robots.unreachable' };
}

export const connections: readonly Row[] = [
  silent('a reset at the door', [{ close: 'reset' }], 'net.connect'),
  silent('a close at the door', [{ close: 'end' }], 'net.reset'),
  breaks('a reset after the request', [{ close: 'reset' }]),
  breaks('a close after the request', [{ close: 'end' }]),
  breaks('a reset in the status line', thenReset('HTTP/1.1 20')),
  breaks('a close in the status line', thenEnd('HTTP/1.1 20')),
  breaks('a reset in the headers', thenReset(HTML)),
  breaks('a close in the headers', thenEnd(`${HTML}Content-Le`)),
  breaks('a reset after early hints', thenReset('HTTP/1.1 103 Early Hints\r\n\r\n')),
  breaks('an upgrade nobody asked for', [
    { send: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n' },
  ]),
];

/** Their pages are asked for by https. */
export const secure: readonly Row[] = [
  {
    name: 'a certificate signed by itself, for another name',
    page: html(story('trust me')),
    tls: selfSigned,
    fetched: 'net.tls',
    crawled: 'blocked robots.unreachable',
  },
  {
    name: 'nothing but a version of TLS long given up',
    page: html(story('old locks')),
    tls: { ...selfSigned, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    fetched: 'net.tls',
    crawled: 'blocked robots.unreachable',
  },
  silent('plain text on the port of TLS', [{ send: 'HTTP/1.1 400 Bad Request\r\n\r\n' }], 'net.tls'),
  silent('a reset before the handshake', [{ close: 'reset' }], 'net.connect'),
  silent('a close before the handshake', [{ close: 'end' }], 'net.tls'),
  silent('a reset within the handshake', thenReset('\x16\x03\x03\x00\x7a\x02\x00'), 'net.tls'),
  silent(
    'a handshake without end',
    [{ flood: `\x16\x03\x03\x40\x00${'\x02\x3f\xff\xff'.repeat(4096)}` }],
    'net.tls',
  ),
  silent('a handshake that does not begin', [], 'net.connect'),
];

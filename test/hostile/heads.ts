/** Status lines, header sections and interim answers. */
import { CHUNKED, HTML, html, OK, type Row, story, thenEnd } from './row.ts';

const early = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n';
const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';
const honest = html(story('early birds'));

export const heads: readonly Row[] = [
  {
    name: 'a header section without end, in many lines',
    page: [{ send: OK }, { flood: 'X-Flood: 0123456789012345678901234567890123456789\r\n' }],
    fetched: 'net.headers',
    crawled: 'failed net.headers',
  },
  {
    name: 'a header line without end',
    page: [{ send: `${OK}X-Long: ` }, { flood: 'a'.repeat(1000) }],
    fetched: 'net.headers',
    crawled: 'failed net.headers',
  },
  {
    name: 'a header name without end',
    page: [{ send: OK }, { flood: 'X'.repeat(1000) }],
    fetched: 'net.headers',
    crawled: 'failed net.headers',
  },
  {
    name: 'a status line without end',
    page: [{ send: 'HTTP/1.1 200 ' }, { flood: 'OK'.repeat(500) }],
    fetched: 'net.headers',
    crawled: 'failed net.headers',
  },
  {
    name: 'empty lines without end',
    page: [{ flood: '\r\n' }],
    fetched: 'net.headers',
    crawled: 'failed net.headers',
  },
  {
    name: 'headers of a byte without end',
    page: [{ send: OK }, { flood: 'a:b\r\n' }],
    fetched: 'net.headers',
    crawled: 'failed net.headers',
  },
  {
    name: 'five hundred cookies',
    page: html(story('cookie jars'), `Set-Cookie: id=${'c'.repeat(80)}\r\n`.repeat(500)),
    fetched: 'ok',
    crawled: 'indexed',
  },
  {
    name: 'trailers without end',
    page: [{ send: `${CHUNKED}1\r\nx\r\n0\r\n` }, { flood: 'X-Trailer: 0123456789\r\n' }],
    fetched: 'net.headers',
    crawled: 'failed net.headers',
  },
  {
    name: 'early hints',
    page: [{ send: early }, ...honest],
    fetched: 'ok',
    crawled: 'indexed',
  },
  {
    name: 'a hundred interim answers of one kind',
    page: [{ send: early.repeat(100) }, ...honest],
    fetched: 'ok',
    crawled: 'indexed',
  },
  {
    name: 'early hints without end',
    page: [{ flood: early }],
    fetched: 'net.headers',
    crawled: 'failed net.headers',
  },
  {
    name: 'a hundred times 100 Continue',
    page: [{ send: goOn.repeat(100) }, ...honest],
    fetched: 'ok',
    crawled: 'indexed',
  },
  {
    name: '100 Continue without end',
    page: [{ flood: goOn }],
    fetched: 'net.headers',
    crawled: 'failed net.headers',
  },
  {
    name: 'interim answers of both kinds in turn',
    page: [{ send: (early + goOn).repeat(3) }, ...honest],
    fetched: 'ok',
    crawled: 'indexed',
  },
  {
    name: 'HTTP/0.9',
    page: thenEnd(story('an old web')),
    fetched: 'net.protocol',
    crawled: 'failed net.protocol',
  },
  {
    name: 'another protocol',
    page: [{ send: 'SSH-2.0-OpenSSH_9.6\r\n' }],
    fetched: 'net.protocol',
    crawled: 'failed net.protocol',
  },
  {
    name: 'a version nobody knows',
    page: thenEnd('HTTP/7.3 200 OK\r\nContent-Length: 0\r\n\r\n'),
    fetched: 'net.protocol',
    crawled: 'failed net.protocol',
  },
  ...['99', '1000', 'abc', '-200', ''].map(
    (status): Row => ({
      name: `the status "${status}"`,
      page: thenEnd(`HTTP/1.1 ${status} What\r\nContent-Length: 0\r\n\r\n`),
      fetched: 'net.protocol',
      crawled: 'failed net.protocol',
    }),
  ),
  {
    name: 'the status 999',
    page: [{ send: 'HTTP/1.1 999 Denied\r\nContent-Length: 0\r\n\r\n' }],
    fetched: 'http-error',
    crawled: 'failed http.unexpected',
  },
  ...['X\0: y', 'X: a\0b', ': no name', 'a b: c', 'no colon', 'X: a\rb'].map(
    (line): Row => ({
      name: `the header line ${JSON.stringify(line)}`,
      page: thenEnd(`${HTML}${line}\r\nContent-Length: 0\r\n\r\n`),
      fetched: 'net.protocol',
      crawled: 'failed net.protocol',
    }),
  ),
];

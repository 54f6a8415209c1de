/** Requests that are more than a GET: their methods, headers and bodies on the wire, and what comes back. */
import { describe, expect, test } from 'vitest';
import { alive, download, fetchOnce, serve, textOf } from '../../test/support/downloads.ts';
import { answer, type Script } from '../../test/support/raw-server.ts';
import type { FetchRequest } from './downloader.ts';
import { headerValue } from './headers.ts';
import type { Method } from './request.ts';
import { formBody, jsonBody } from './request-body.ts';

const page: Script = answer('200 OK', {}, 'done');

function linesOf(head: string): [string, string][] {
  return head
    .split('\r\n')
    .slice(1)
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
}

describe('what is sent', () => {
  test.each<[string, Partial<FetchRequest>, string, string | null, string]>([
    ['a form', { method: 'POST', ...formBody({ q: 'a b' }) }, 'POST', '5', 'q=a+b'],
    ['JSON', { method: 'PUT', ...jsonBody([1]) }, 'PUT', '3', '[1]'],
    ['bytes', { method: 'PATCH', body: Uint8Array.of(0, 255, 13, 10) }, 'PATCH', '4', '\x00\xff\r\n'],
    ['a view into more bytes', { method: 'PUT', body: Buffer.from('abc').subarray(1, 2) }, 'PUT', '1', 'b'],
    ['no body, which is said', { method: 'POST' }, 'POST', '0', ''],
    ['an empty body', { method: 'PUT', body: new Uint8Array(0) }, 'PUT', '0', ''],
    ['no body, which needs no word', { method: 'DELETE' }, 'DELETE', null, ''],
    ['a body to delete by', { method: 'DELETE', ...jsonBody([]) }, 'DELETE', '2', '[]'],
    ['no method', {}, 'GET', null, ''],
  ])('%s', async (_, request, method, length, body) => {
    const { result, server } = await fetchOnce(page, {}, request);
    const [head = ''] = server.requests;
    expect(textOf(result)).toBe('done');
    expect(head.split(' ', 1)).toEqual([method]);
    expect(headerValue(linesOf(head), 'content-length')).toBe(length);
    expect(server.bodies).toEqual([body]);
  });

  test('headers in their order, after those of every request', async () => {
    const headers = [
      ['X-B', 'caf\xe9'],
      ['x-a', ''],
      ['X-B', '2'],
      ['Cookie', 'a=b'],
    ] as const;
    const { server } = await fetchOnce(page, {}, { headers });
    const lines = linesOf(server.requests[0] ?? '');
    expect(lines.slice(-4)).toEqual(headers);
    expect(lines.slice(0, -4).map(([name]) => name)).toEqual([
      'host',
      'connection',
      'User-Agent',
      'Accept',
      'Accept-Encoding',
    ]);
  });

  test('an Accept in place of ours', async () => {
    const { server } = await fetchOnce(page, {}, { headers: [['accept', 'image/*']], accept: 'text/plain' });
    expect(linesOf(server.requests[0] ?? '').filter(([name]) => /^accept$/i.test(name))).toEqual([
      ['accept', 'image/*'],
    ]);
  });

  test.each<Partial<FetchRequest>>([
    { headers: [['X', 'a\r\nHost: b.test']] },
    { headers: [['User-Agent', 'other/1']] },
    { method: 'GET', body: Buffer.from('x') },
    { method: 'TRACE' as Method },
  ])('nothing of %j', async (request) => {
    const { result, server } = await fetchOnce(page, {}, request);
    expect(result).toMatchObject({ kind: 'failed', reason: 'request.invalid', wasSent: false, head: null });
    expect(server.connections).toBe(0);
  });
});

describe('an answer to HEAD', () => {
  test.each<[string, string, number]>([
    ['with the length of the page', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', 200],
    ['with a length above the limit', 'HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n', 200],
    ['that would be in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', 200],
    ['that would be coded', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\n', 200],
    ['with a body all the same', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong', 200],
    ['of an error', 'HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\n', 404],
  ])('%s has a head only', async (_, head, status) => {
    const { result } = await fetchOnce([{ send: head }], {}, { method: 'HEAD' });
    const kind = status === 200 ? 'ok' : 'http-error';
    expect(result).toMatchObject({ kind, head: { status, wireBytes: 0 }, body: { bytes: { length: 0 } } });
  });

  test('is whole in a WARC, whatever length it tells', async () => {
    const server = await serve({ '*': [{ send: 'HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n' }] });
    const downloader = download({}, { keepsWire: true });
    const result = await downloader.fetch({ url: `${server.origin}/`, method: 'HEAD' }, alive);
    expect(result.head?.wire).toMatchObject({ truncated: null, request: { method: 'HEAD' } });
  });

  test('that sent a body is not followed by it as the next answer', async () => {
    const poison = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison';
    const server = await serve({
      '/head': [{ send: `HTTP/1.1 200 OK\r\nContent-Length: ${poison.length}\r\n\r\n${poison}` }],
      '/page': page,
    });
    const downloader = download();
    await downloader.fetch({ url: `${server.origin}/head`, method: 'HEAD' }, alive);
    expect(textOf(await downloader.fetch({ url: `${server.origin}/page` }, alive))).toBe('done');
  });
});

describe('a kept-alive connection that the server has just closed', () => {
  test.each<[Method, number]>([
    ['GET', 2],
    ['HEAD', 2],
    ['PUT', 2],
    ['DELETE', 2],
    ['POST', 1],
    ['PATCH', 1],
  ])('%s is sent %i times', async (method, times) => {
    const server = await serve({ '/': page, '/lost': (_, nth) => (nth > 1 ? [{ close: 'end' }] : page) });
    const downloader = download();
    await downloader.fetch({ url: `${server.origin}/` }, alive);
    const result = await downloader.fetch({ url: `${server.origin}/lost`, method }, alive);
    expect(server.requests.filter((head) => head.includes('/lost'))).toHaveLength(times);
    expect(result).toMatchObject(
      times === 2 ? { kind: 'ok' } : { kind: 'failed', reason: 'net.reset', wasSent: true },
    );
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%i to a POST is told and not followed', async (status) => {
    const moved: Script = [
      { send: `HTTP/1.1 ${status} Moved\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n` },
    ];
    const { result, server } = await fetchOnce(moved, {}, { method: 'POST', ...formBody({ a: 'b' }) });
    expect(result).toMatchObject({ kind: 'redirect', location: `${server.origin}/next` });
    expect(server.requests).toHaveLength(1);
  });
});

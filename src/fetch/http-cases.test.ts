/** Conformance cases of bodies, redirects and conditional requests, played over real sockets. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  answer,
  type RawServer,
  type Script,
  type Step,
  startRawServer,
} from '../../test/support/raw-server.ts';
import { systemClock } from '../clock.ts';
import type { ReasonCode } from '../reasons.ts';
import type { FetchResult } from '../types.ts';
import { parseAllowList } from '../url/address.ts';
import type { FetchRequest } from './downloader.ts';
import { headerValue } from './headers.ts';
import { HttpDownloader } from './http.ts';
import { defaultFetchLimits } from './limits.ts';

interface Case {
  readonly id: string;
  readonly name: string;
  readonly level: string;
}

const cases = JSON.parse(readFileSync('test/fixtures/cases/http-exchange.json', 'utf8')) as {
  bodies: Case[];
  redirects: Case[];
  conditional: Case[];
};

const page = `<html>${Array.from({ length: 200 }, (_, i) => `<p>some text ${i * 7919}</p>`).join('')}</html>`;
const gzip = { 'Content-Encoding': 'gzip' };

/** Sends bytes and ends the connection. */
function thenClose(text: string | Uint8Array): Step[] {
  return [{ send: text }, { close: 'end' }];
}

/** A head with these lines, for answers framed by hand. */
function head(...lines: string[]): string {
  return ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
}

/** What the server does for a case, and how it must end: a text, or the reasons one of which is given. */
interface Played {
  readonly script: Script;
  readonly expected: string | readonly ReasonCode[];
}

const bodies: Readonly<Record<string, Played>> = {
  'body-000': {
    script: thenClose(`${head('Content-Length: 1000')}${'x'.repeat(500)}`),
    expected: ['net.truncated'],
  },
  'body-001': { script: [{ send: `${head('Content-Length: 5')}hello world` }], expected: 'hello' },
  'body-002': {
    script: [{ send: `${head('Content-Length: 5', 'Content-Length: 5')}hello` }],
    expected: ['net.protocol'],
  },
  'body-006': {
    script: thenClose(`${head('Transfer-Encoding: chunked')}5\r\nhello\r\n`),
    expected: ['net.truncated'],
  },
  'body-007': {
    script: [{ send: `${head('Transfer-Encoding: chunked')}zz\r\nhello` }],
    expected: ['net.protocol'],
  },
  'body-008': {
    script: [{ send: `${head('Transfer-Encoding: chunked')}5;x=y\r\nhello\r\n0\r\nX-T: 1\r\n\r\n` }],
    expected: 'hello',
  },
  'body-009': { script: thenClose(`${head('Connection: close')}hello`), expected: 'hello' },
  'body-010': { script: answer('200 OK', gzip, gzipSync(page)), expected: page },
  'body-011': {
    script: answer('200 OK', gzip, gzipSync(page).subarray(0, gzipSync(page).length / 2)),
    expected: ['net.truncated'],
  },
  'body-015': {
    script: answer('200 OK', { 'Content-Encoding': 'deflate' }, deflateRawSync(page)),
    expected: page,
  },
  'body-016': {
    script: answer('200 OK', { 'Content-Encoding': 'br' }, brotliCompressSync(page)),
    expected: page,
  },
  'body-018': {
    script: answer('200 OK', { 'Content-Encoding': 'gzip, gzip' }, gzipSync(gzipSync(page))),
    expected: page,
  },
  'body-019': { script: answer('200 OK', { 'Content-Encoding': 'none' }, page), expected: page },
  'body-020': { script: answer('200 OK', { 'Content-Encoding': 'x-GZIP' }, gzipSync(page)), expected: page },
  'body-024': { script: answer('200 OK', gzip), expected: '' },
  'body-025': {
    script: [{ send: 'HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n' }],
    expected: '',
  },
  'body-030': { script: thenClose('garbage bytes'), expected: ['net.protocol'] },
  'body-032': { script: thenClose(`${head('X-Bad', 'Content-Length: 2')}hi`), expected: ['net.protocol'] },
  'body-039': { script: answer('200 OK', { 'Content-Type': 'TEXT/HTML' }, page), expected: page },
  'body-040': {
    script: thenClose(`${head('Content-Encoding: gzip', 'Connection: close')}<html>plain</html>`),
    expected: ['content.encoding'],
  },
  'body-043': {
    script: thenClose(
      Buffer.concat([
        Buffer.from(head('Content-Encoding: br', 'Connection: close')),
        brotliCompressSync(page).subarray(0, 300),
      ]),
    ),
    expected: ['net.truncated'],
  },
  // Level `policy`: a gzip body without its trailer is cut, since nothing says that the text is whole.
  'body-044': { script: answer('200 OK', gzip, gzipSync(page).subarray(0, -8)), expected: ['net.truncated'] },
};

/** Path → Location, for the single hops of the redirect cases; the rest of those cases belongs to frontier and visit. */
const hops: Readonly<
  Record<string, { status: string; location: string | null; leadsTo: string | null; from?: string }>
> = {
  'redirect-000': { status: '301 Moved', location: 'http://b.test/b', leadsTo: 'http://b.test/b' },
  'redirect-002': { status: '303 See Other', location: 'http://b.test/b', leadsTo: 'http://b.test/b' },
  'redirect-003': { status: '307 Temporary', location: 'http://b.test/b', leadsTo: 'http://b.test/b' },
  'redirect-004': { status: '308 Permanent', location: 'http://b.test/b', leadsTo: 'http://b.test/b' },
  'redirect-006': { status: '302 Found', location: '//h2.test/b', leadsTo: 'http://h2.test/b' },
  'redirect-007': { status: '302 Found', location: '?y=2', leadsTo: '/redirect-007?y=2', from: '?x=1' },
  'redirect-008': { status: '302 Found', location: '/b', leadsTo: '/b', from: '#f' },
  'redirect-009': { status: '302 Found', location: '/caf\xc3\xa9', leadsTo: '/caf%C3%A9' },
  'redirect-010': { status: '302 Found', location: '/caf\xe9', leadsTo: '/caf%E9' },
  'redirect-011': { status: '302 Found', location: '/x y', leadsTo: '/x%20y' },
  'redirect-012': { status: '302 Found', location: null, leadsTo: 'http-error' },
  'redirect-014': { status: '302 Found', location: 'http://[::1', leadsTo: null },
  'redirect-015': { status: '302 Found', location: 'mailto:x@h', leadsTo: null },
  'redirect-026': { status: '300 Choices', location: null, leadsTo: 'http-error' },
  'redirect-027': { status: '304 Not Modified', location: '/b', leadsTo: 'failed' },
  'redirect-029': { status: '201 Created', location: '/b', leadsTo: 'ok' },
};

/** Chains, scope, robots and politeness of redirects: no part of a single request. */
const otherwhere = ['019', '020', '021', '022', '023', '024', '031'].map((number) => `redirect-${number}`);

/** Validators of the conditional cases: what was stored, and what the next request must carry. */
const validators: Readonly<Record<string, Pick<FetchRequest, 'etag' | 'lastModified'>>> = {
  'conditional-000': { etag: '"abcdef"' },
  'conditional-001': { etag: 'W/"abcdef"' },
  'conditional-002': { etag: 'abcdef' },
  'conditional-004': { etag: '""' },
  'conditional-005': { etag: '"abc-gzip"' },
  'conditional-007': { lastModified: '0' },
  'conditional-008': { etag: '"a"', lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT' },
  'conditional-009': { etag: null, lastModified: null },
};

const isTested = ({ level }: Case): boolean => level === 'must' || level === 'should';

let server: RawServer;
let downloader: HttpDownloader;

beforeAll(async () => {
  const scripts: Record<string, Script> = {
    '/after': answer('200 OK', {}, 'after'),
    '/echo': answer('200 OK', {}),
  };
  for (const [id, { script }] of Object.entries(bodies)) scripts[`/${id}`] = script;
  for (const [id, { status, location, from }] of Object.entries(hops)) {
    const path = `/${id}${from?.startsWith('?') ? from : ''}`;
    const bytes = `HTTP/1.1 ${status}\r\n${location === null ? '' : `Location: ${location}\r\n`}Content-Length: 0\r\n\r\n`;
    scripts[path] = [{ send: bytes }];
  }
  server = await startRawServer(scripts);
  downloader = new HttpDownloader({
    userAgent: 'test/1',
    limits: defaultFetchLimits,
    allow: parseAllowList(['127.0.0.1']),
    resolver: { resolve: async () => [] },
    clock: systemClock,
    connectionsPerOrigin: 1,
  });
});

afterAll(async () => {
  await downloader.close();
  await server.close();
});

function get(path: string, request: Omit<FetchRequest, 'url'> = {}): Promise<FetchResult> {
  return downloader.fetch({ url: server.origin + path, ...request }, new AbortController().signal);
}

function textOf(result: FetchResult): string | null {
  return result.kind === 'ok' ? Buffer.from(result.body.bytes).toString() : null;
}

describe('conformance: bodies', () => {
  test.each(cases.bodies)('$id $name', async ({ id }) => {
    const played = bodies[id];
    if (played === undefined) throw new Error(`${id} is not played`);
    const result = await get(`/${id}`);
    if (typeof played.expected === 'string') expect(textOf(result)).toBe(played.expected);
    else expect(played.expected).toContain(result.kind === 'failed' ? result.reason : result.kind);
    // Whatever came, the next request on this origin is answered with its own answer.
    expect(textOf(await get('/after'))).toBe('after');
  });
});

describe('conformance: single hops of redirects', () => {
  const tested = cases.redirects.filter((one) => isTested(one) && !otherwhere.includes(one.id));
  test.each(tested)('$id $name', async ({ id }) => {
    const hop = hops[id];
    if (hop === undefined) throw new Error(`${id} is not played`);
    const before = server.requests.length;
    const result = await get(`/${id}${hop.from ?? ''}`);
    const target = hop.leadsTo?.startsWith('/') ? server.origin + hop.leadsTo : hop.leadsTo;
    if (result.kind === 'redirect') expect(result.location).toBe(target);
    else expect(result.kind).toBe(target);
    expect(server.requests).toHaveLength(before + 1);
  });
});

describe('conformance: validators in the next request', () => {
  /** What is done with an answer and its validators afterwards is the life cycle's, tested in crawl/. */
  const later = ['012', '016', '017', '018', '020'].map((number) => `conditional-${number}`);
  const tested = cases.conditional.filter((one) => isTested(one) && !later.includes(one.id));
  test.each(tested)('$id $name', async ({ id }) => {
    const sent = validators[id];
    if (sent === undefined) throw new Error(`${id} is not played`);
    await get('/echo', sent);
    const request = requestHeaders(server.requests.at(-1) ?? '');
    expect(headerValue(request, 'if-none-match')).toBe(sent.etag ?? null);
    expect(headerValue(request, 'if-modified-since')).toBe(sent.lastModified ?? null);
  });

  // bug-095; the last two are no field values, and an unconditional request is the safe one.
  test.each([
    ['W/"abc"', 'W/"abc"'],
    ['"abc-gzip"', '"abc-gzip"'],
    ['"a,b"', '"a,b"'],
    ['unquoted', 'unquoted'],
    ['""', '""'],
    ['"\xe9\xff"', '"\xe9\xff"'],
    ['"a"\r\nX-Injected: 1', null],
    ['"\u4e2d"', null],
  ])('bug-095: %j is sent byte for byte or not at all', async (etag, sent) => {
    await get('/echo', { etag });
    const request = requestHeaders(server.requests.at(-1) ?? '');
    expect(headerValue(request, 'if-none-match')).toBe(sent);
    expect(headerValue(request, 'x-injected')).toBeNull();
  });
});

describe('bug-078: codings nobody asked for, stacked and unknown', () => {
  test.each<[string, Uint8Array, string | null]>([
    ['gzip', gzipSync(page), page],
    ['x-gzip', gzipSync(page), page],
    ['deflate', deflateSync(page), page],
    ['gzip, br', brotliCompressSync(gzipSync(page)), page],
    ['br, x-gzip', gzipSync(brotliCompressSync(page)), page],
    ['foo', Buffer.from(page), null],
    ['foo, gzip', gzipSync(page), null],
    ['gzip, foo', gzipSync(page), null],
  ])('Content-Encoding: %s', async (coding, bytes, decoded) => {
    const own = await startRawServer({ '*': answer('200 OK', { 'Content-Encoding': coding }, bytes) });
    // Whoever takes the start of a body asks for no coding at all.
    for (const takesStart of [false, true]) {
      const result = await downloader.fetch({ url: own.origin, takesStart }, new AbortController().signal);
      const isAsked =
        headerValue(requestHeaders(own.requests.at(-1) ?? ''), 'accept-encoding') !== 'identity';
      expect(isAsked).toBe(!takesStart);
      if (decoded === null) expect(result).toMatchObject({ kind: 'failed', reason: 'content.encoding' });
      else expect(textOf(result)).toBe(decoded);
    }
    await own.close();
  });
});

function requestHeaders(requestHead: string): [string, string][] {
  return requestHead
    .split('\r\n')
    .slice(1)
    .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]);
}

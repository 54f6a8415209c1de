import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FetchResult, HeaderList } from '../types.ts';
import { conclude } from './answer.ts';
import { defaultFetchLimits } from './limits.ts';

const url = 'http://a.test/dir/page?x=1';

function judge(
  status: number,
  headers: HeaderList,
  body: string | Uint8Array = '',
  isConditional = false,
): FetchResult {
  const bytes = Buffer.from(body as string);
  const answer = { status, headers, bytes, wireBytes: bytes.length, remoteAddress: '192.0.2.1' };
  return conclude(
    { url, method: 'GET', isConditional, startedAt: 5, durationMs: 7 },
    answer,
    defaultFetchLimits,
  );
}

function locationFor(value: string): string | null {
  const result = judge(302, [['Location', value]]);
  return result.kind === 'redirect' ? result.location : `not a redirect but ${result.kind}`;
}

describe('statuses', () => {
  test.each([
    [200, 'ok'],
    [201, 'ok'],
    [203, 'ok'],
    [299, 'ok'],
    [300, 'redirect'],
    [301, 'redirect'],
    [302, 'redirect'],
    [303, 'redirect'],
    [305, 'http-error'],
    [306, 'http-error'],
    [307, 'redirect'],
    [308, 'redirect'],
    [404, 'http-error'],
    [410, 'http-error'],
    [503, 'http-error'],
    [999, 'http-error'],
  ])('%i with a Location is %s', (status, kind) => {
    expect(judge(status, [['Location', '/b']], 'text').kind).toBe(kind);
  });

  test.each([300, 301, 302, 303, 307, 308])(
    '%i without Location is an error answer with its body',
    (status) => {
      expect(judge(status, [], 'choose')).toMatchObject({
        kind: 'http-error',
        body: { bytes: Buffer.from('choose') },
      });
    },
  );

  test('304 confirms only what was asked', () => {
    expect(judge(304, [['Location', '/b']], '', true).kind).toBe('not-modified');
    expect(judge(304, [], '', false)).toMatchObject({
      kind: 'failed',
      reason: 'http.unexpected',
      head: { status: 304 },
    });
  });

  test.each([206, 226])('%i is not the whole page', (status) => {
    expect(judge(status, [], 'part')).toMatchObject({ kind: 'failed', reason: 'http.unexpected' });
  });

  test.each([204, 205])('%i is an empty page', (status) => {
    expect(judge(status, [['Content-Encoding', 'gzip']], 'stray')).toMatchObject({
      kind: 'ok',
      body: { received: null },
    });
  });

  test('the head carries everything known', () => {
    expect(judge(200, [['X-A', 'é']], 'text')).toMatchObject({
      head: {
        url,
        status: 200,
        headers: [['X-A', 'é']],
        remoteAddress: '192.0.2.1',
        startedAt: 5,
        durationMs: 7,
        wireBytes: 4,
      },
    });
  });
});

describe('Location', () => {
  test.each([
    ['http://b.test/c', 'http://b.test/c'],
    ['//b.test/c', 'http://b.test/c'],
    ['/c', 'http://a.test/c'],
    ['c', 'http://a.test/dir/c'],
    ['?y=2', 'http://a.test/dir/page?y=2'],
    ['/x y', 'http://a.test/x%20y'],
    ['  /c  ', 'http://a.test/c'],
    ['/c#fragment', 'http://a.test/c'],
    ['/caf\xc3\xa9', 'http://a.test/caf%C3%A9'],
    ['/caf\xe9', 'http://a.test/caf%E9'],
    ['/caf%C3%A9', 'http://a.test/caf%C3%A9'],
    ['http://a.test\\@127.0.0.1/', 'http://a.test/@127.0.0.1/'],
    ['', null],
    ['   ', null],
    ['http://[::1', null],
    ['http://a b.test/', null],
    ['mailto:x@h', null],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
  ])('%j leads to %j', (value, target) => {
    expect(locationFor(value)).toBe(target);
  });

  test('the first of several counts', () => {
    const result = judge(302, [
      ['location', '/first'],
      ['Location', '/second'],
    ]);
    expect(result).toMatchObject({ kind: 'redirect', location: 'http://a.test/first' });
  });

  test('any bytes end in a value', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const location = locationFor(Buffer.from(bytes).toString('latin1'));
        expect(location === null || /^https?:/.test(location)).toBe(true);
      }),
    );
  });
});

describe('bodies', () => {
  test.each([
    ['gzip', gzipSync('text'), 'gzip'],
    ['X-GZIP', gzipSync('text'), 'gzip'],
    ['br', brotliCompressSync('text'), 'br'],
  ])('%s is kept as received too', (coding, body, kept) => {
    const result = judge(200, [['content-encoding', coding]], body);
    expect(result).toMatchObject({ kind: 'ok', body: { received: { coding: kept, bytes: body } } });
    expect(result.kind === 'ok' && Buffer.from(result.body.bytes).toString()).toBe('text');
  });

  test('two codings, in one header or in two, are not kept as received', () => {
    const twice = gzipSync(gzipSync('text'));
    for (const headers of [
      [['content-encoding', 'gzip, gzip']],
      Array(2).fill(['content-encoding', 'gzip']),
    ]) {
      const result = judge(200, headers as HeaderList, twice);
      expect(result).toMatchObject({ kind: 'ok', body: { received: null } });
      expect(result.kind === 'ok' && Buffer.from(result.body.bytes).toString()).toBe('text');
    }
  });

  test('a page that cannot be decoded fails, an error page is only left out', () => {
    const cut = gzipSync('text').subarray(0, -3);
    expect(judge(200, [['content-encoding', 'gzip']], cut)).toMatchObject({
      kind: 'failed',
      reason: 'net.truncated',
    });
    expect(judge(404, [['content-encoding', 'gzip']], cut)).toMatchObject({
      kind: 'http-error',
      head: { status: 404 },
    });
  });
});

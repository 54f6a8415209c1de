import { Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { constants, createBrotliCompress, createDeflate, createGzip, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { alive, allClosed, download, fetchOnce, serve, textOf } from '../../test/support/downloads.ts';
import { answer, type Script } from '../../test/support/raw-server.ts';

const MiB = 1024 * 1024;

describe('limits in time', () => {
  const fast = { idleMs: 200, totalMs: 400 };

  test.each<[string, Script, string]>([
    ['no answer', [], 'nothing received'],
    ['a status line that drips', [{ send: 'HTTP/1.1 200 ' }, { drip: 'O', everyMs: 20 }], 'nothing received'],
    [
      'a head that never ends',
      [{ send: 'HTTP/1.1 200 OK\r\n' }, { drip: 'X-A: b\r\n', everyMs: 20 }],
      'nothing received',
    ],
    ['a body that stops', [{ send: 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc' }], 'nothing received'],
    [
      'bug-076: a body that drips',
      [{ send: 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n' }, { drip: 'x', everyMs: 20 }],
      'not complete after 400 ms',
    ],
  ])('%s', async (_, script, detail) => {
    const { result, server, tookMs } = await fetchOnce(script, { ...fast, minBytesPerSecond: 1 });
    expect(result).toMatchObject({ kind: 'failed', reason: 'net.timeout', wasSent: true });
    expect(result.kind === 'failed' && result.detail).toContain(detail);
    expect(tookMs).toBeLessThan(500);
    expect(await allClosed(server)).toBe(true);
  });

  test('a body slower than the minimum rate', async () => {
    const script: Script = [
      { send: 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n' },
      { drip: 'x', everyMs: 20 },
    ];
    const { result } = await fetchOnce(script, { idleMs: 100, totalMs: 5000, minBytesPerSecond: 1000 });
    expect(result.kind === 'failed' && result.detail).toContain('slower than 1000 bytes per second');
  });

  test.each<[string, Script]>([
    ['silence', []],
    ['a head that drips', [{ send: 'HTTP/1.1 200 OK\r\n' }, { drip: 'X-A: b\r\n', everyMs: 20 }]],
    ['a body that drips', [{ send: 'HTTP/1.1 200 OK\r\n\r\n' }, { drip: 'x', everyMs: 20 }]],
  ])('bug-076: the slot is free after %s', async (_, script) => {
    const server = await serve({ '/slow': script, '/next': answer('200 OK', {}, 'next') });
    const downloader = download({ ...fast, minBytesPerSecond: 1 });
    const slow = await downloader.fetch({ url: `${server.origin}/slow` }, alive);
    const next = await downloader.fetch({ url: `${server.origin}/next` }, alive);
    expect(slow).toMatchObject({ reason: 'net.timeout' });
    expect(textOf(next)).toBe('next');
  });

  test('an error answer counts even when its body does not come', async () => {
    const { result } = await fetchOnce(
      [{ send: 'HTTP/1.1 503 No\r\nRetry-After: 7\r\nContent-Length: 9\r\n\r\nabc' }],
      fast,
    );
    expect(result).toMatchObject({ kind: 'http-error', head: { status: 503 } });
  });
});

describe('limits in size', () => {
  const small = { maxBodyBytes: 1000, maxErrorBodyBytes: 100 };
  const endless: Script = [{ send: 'HTTP/1.1 200 OK\r\n\r\n' }, { drip: 'x'.repeat(300), everyMs: 1 }];

  test.each<[string, Script]>([
    ['declared', [{ send: 'HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n' }]],
    ['endless', endless],
    ['decoded', answer('200 OK', { 'Content-Encoding': 'gzip' }, gzipSync('x'.repeat(1001)))],
  ])('a body too large as %s', async (kind, script) => {
    const { result, server } = await fetchOnce(script, small);
    expect(result).toMatchObject({
      kind: 'failed',
      reason: 'content.size',
      wasSent: true,
      head: { status: 200 },
    });
    if (kind !== 'decoded') expect(await allClosed(server)).toBe(true);
  });

  test.each<[string, Script]>([
    ['declared', answer('200 OK', {}, 'x'.repeat(1001))],
    ['endless', endless],
  ])('a larger body is cut when its start will do: %s', async (_, script) => {
    const { result, server } = await fetchOnce(script, small, { takesStart: true });
    expect(textOf(result)).toBe('x'.repeat(1000));
    expect(server.requests[0]).toContain('Accept-Encoding: identity');
    expect(await allClosed(server)).toBe(true);
  });

  test('the start of a coded body will not do', async () => {
    const coded = answer('200 OK', { 'Content-Encoding': 'gzip' }, gzipSync('x'.repeat(1001)));
    const { result } = await fetchOnce(coded, small, { takesStart: true });
    expect(result).toMatchObject({ kind: 'failed', reason: 'content.size' });
  });

  test('a request can set its own', async () => {
    expect(
      textOf((await fetchOnce(answer('200 OK', {}, 'x'.repeat(500)), small, { maxBodyBytes: 499 })).result),
    ).toBeNull();
    expect(
      textOf((await fetchOnce(answer('200 OK', {}, 'x'.repeat(1500)), small, { maxBodyBytes: 1500 })).result),
    ).toBe('x'.repeat(1500));
  });

  test.each<[string, () => Transform]>([
    ['gzip', () => createGzip({ level: 1 })],
    ['deflate', () => createDeflate({ level: 1 })],
    ['br', () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['gzip, gzip', () => createGzip({ level: 1 })],
  ])('bug-071: a bomb ends near the limit: %s', async (coding, compressor) => {
    const zeros = Buffer.alloc(4 * MiB);
    let bomb = await buffer(Readable.from(Array<Buffer>(64).fill(zeros)).pipe(compressor()));
    if (coding === 'gzip, gzip') bomb = gzipSync(bomb);
    const peakBefore = process.resourceUsage().maxRSS;
    const { result } = await fetchOnce(answer('200 OK', { 'Content-Encoding': coding }, bomb));
    expect(result).toMatchObject({ kind: 'failed', reason: 'content.size' });
    expect(process.resourceUsage().maxRSS - peakBefore).toBeLessThan(64 * 1024); // kilobytes; decoded it is 256 MiB
  });

  test.each<[string, Script]>([
    ['declared', [{ send: 'HTTP/1.1 404 No\r\nContent-Length: 101\r\n\r\n' }]],
    ['received', [{ send: 'HTTP/1.1 404 No\r\n\r\n' }, { drip: 'x'.repeat(60), everyMs: 1 }]],
  ])('an error page too large as %s is left out, the error stands', async (_, script) => {
    const { result, server } = await fetchOnce(script, small);
    expect(result).toMatchObject({
      kind: 'http-error',
      head: { status: 404 },
      body: { bytes: new Uint8Array(0) },
    });
    expect(await allClosed(server)).toBe(true);
  });

  test('an error page is kept', async () => {
    const { result } = await fetchOnce(answer('404 No', {}, 'nothing here'), small);
    expect(result).toMatchObject({ kind: 'http-error', body: { bytes: Buffer.from('nothing here') } });
  });

  test('a redirect with an endless page leads on', async () => {
    const { result } = await fetchOnce(
      [{ send: 'HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n' }, { drip: 'x'.repeat(60), everyMs: 1 }],
      small,
    );
    expect(result).toMatchObject({ kind: 'redirect', location: expect.stringMatching(/\/b$/) });
  });

  test.each([
    [60_000, 'ok'],
    [70_000, 'net.headers'],
  ])('%i bytes of headers: %s', async (length, expected) => {
    const lines = `X-Long: ${'a'.repeat(100)}\r\n`.repeat(Math.ceil(length / 110));
    const { result } = await fetchOnce([{ send: `HTTP/1.1 200 OK\r\n${lines}Content-Length: 0\r\n\r\n` }]);
    expect(result.kind === 'failed' ? result.reason : result.kind).toBe(expected);
  });
});

test('a small limit of headers is none of the page that comes in one piece with them', async () => {
  const body = 'x'.repeat(500_000);
  const send = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const { result } = await fetchOnce([{ send }], { maxHeaderBytes: 1024 });
  expect(textOf(result)).toBe(body);
});

describe('bug-074 and bug-072: what ends early or is broken', () => {
  const page = gzipSync('text of the page '.repeat(50));
  const wrongChecksum = Buffer.from(page);
  wrongChecksum.writeUInt32LE(1, page.length - 8);

  test.each<[string, Script, string]>([
    [
      'chunked',
      [{ send: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n' }, { close: 'end' }],
      'net.truncated',
    ],
    [
      'chunked, reset',
      [
        { send: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel' },
        { waitMs: 20 },
        { close: 'reset' },
      ],
      'net.truncated',
    ],
    [
      'chunked and closing',
      [
        { send: 'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n' },
        { close: 'end' },
      ],
      'net.truncated',
    ],
    [
      'Content-Length',
      [{ send: 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello' }, { close: 'end' }],
      'net.truncated',
    ],
    [
      'Content-Length and closing',
      [
        { send: 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 100\r\n\r\nhello' },
        { close: 'end' },
      ],
      'net.truncated',
    ],
    [
      'HTTP/1.0',
      [{ send: 'HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\nhello' }, { close: 'end' }],
      'net.truncated',
    ],
    ['head', [{ send: 'HTTP/1.1 200 OK\r\nContent-Le' }, { close: 'end' }], 'net.reset'],
    [
      'gzip until close',
      [
        {
          send: Buffer.concat([
            Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n'),
            page.subarray(0, 30),
          ]),
        },
        { close: 'end' },
      ],
      'net.truncated',
    ],
    ['wrong checksum', answer('200 OK', { 'Content-Encoding': 'gzip' }, wrongChecksum), 'content.encoding'],
    ['random bytes', answer('200 OK', { 'Content-Encoding': 'gzip' }, 'random bytes'), 'content.encoding'],
    ['negative length', [{ send: 'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello' }], 'net.protocol'],
    [
      'two lengths',
      [{ send: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!' }],
      'net.protocol',
    ],
    [
      'NUL in a header',
      [{ send: 'HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n' }],
      'net.protocol',
    ],
    [
      'upgrade',
      [{ send: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n' }],
      'net.reset',
    ],
  ])('%s', async (_, script, reason) => {
    const { result } = await fetchOnce(script);
    expect(result).toMatchObject({ kind: 'failed', reason, wasSent: true });
  });

  const chunk = `${page.length.toString(16)}\r\n`;
  test.each<[string, string, string]>([
    ['Content-Length', `Content-Length: ${page.length}\r\n\r\n`, ''],
    ['chunked', `Transfer-Encoding: chunked\r\n\r\n${chunk}`, '\r\n0\r\n\r\n'],
    ['close-delimited', 'Connection: close\r\n\r\n', ''],
  ])('a gzip answer, %s, is whole or failed wherever it is cut', async (_, framing, after) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n${framing}`;
    const whole = Buffer.concat([Buffer.from(head), page, Buffer.from(after)]);
    const server = await serve({
      '*': (request) => [
        { send: whole.subarray(0, Number(/\/(\d+) /.exec(request)?.[1])) },
        { close: 'end' },
      ],
    });
    const downloader = download();
    for (let length = 0; length <= whole.length; length += 1) {
      const result = await downloader.fetch({ url: `${server.origin}/${length}` }, alive);
      // Nothing at all after a head that announces no length is an empty body; no other cut can pass for whole.
      const isEmpty = length === head.length && framing.startsWith('Connection');
      const isWhole = length === whole.length;
      expect(textOf(result)).toBe(isWhole ? 'text of the page '.repeat(50) : isEmpty ? '' : null);
    }
  });

  test('a close-delimited body is whole when the server closes in order', async () => {
    const { result } = await fetchOnce([{ send: 'HTTP/1.0 200 OK\r\n\r\nhello' }, { close: 'end' }]);
    expect(textOf(result)).toBe('hello');
  });

  test('bug-073: empty bodies under a coding are empty', async () => {
    expect(textOf((await fetchOnce(answer('200 OK', { 'Content-Encoding': 'gzip' }))).result)).toBe('');
    const chunked = 'HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(textOf((await fetchOnce([{ send: chunked }])).result)).toBe('');
  });

  test('bug-073: a 304 under a coding says that nothing was modified', async () => {
    const script: Script = [
      { send: 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Encoding: gzip\r\n\r\n' },
    ];
    const { result } = await fetchOnce(script, {}, { etag: '"a"' });
    expect(result).toMatchObject({ kind: 'not-modified' });
  });
});

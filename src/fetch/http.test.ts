import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { createSecureContext, createServer } from 'node:tls';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { alive, allClosed, download, fetchOnce, open, serve, textOf } from '../../test/support/downloads.ts';
import { recordingDial, stubResolver } from '../../test/support/public-names.ts';
import { answer, type Script, startRawServer } from '../../test/support/raw-server.ts';
import { systemClock } from '../clock.ts';

describe('the request', () => {
  test('says who asks, what for, and nothing else', async () => {
    const server = await serve({ '*': answer('200 OK', {}) });
    const downloader = download({}, { from: 'crawler@a.test' });
    await downloader.fetch({ url: `${server.origin}/a%20b?c=d#e`, accept: 'text/plain' }, alive);
    const [request = ''] = server.requests;
    const names = request
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(':')[0]?.toLowerCase());
    expect(request.startsWith('GET /a%20b?c=d HTTP/1.1\r\n')).toBe(true);
    expect(names).toEqual(['host', 'connection', 'user-agent', 'accept', 'accept-encoding', 'from']);
    expect(request).toContain('User-Agent: freshet-test/1 (+https://a.test/bot)\r\nAccept: text/plain');
  });

  test.each([{ userAgent: 'a\r\nX: b' }, { userAgent: '' }, { from: '蜘蛛@a.test' }])(
    '%j cannot be sent',
    (options) => {
      expect(() => download({}, options)).toThrow(/cannot be sent/);
    },
  );

  test('a 304 is believed only when a validator was sent', async () => {
    const notModified: Script = [
      { send: 'HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\nETag: "a"\r\n\r\n' },
    ];
    expect((await fetchOnce(notModified, {}, { etag: '"a"' })).result).toMatchObject({
      kind: 'not-modified',
      head: { status: 304, wireBytes: 0 },
    });
    expect((await fetchOnce(notModified)).result).toMatchObject({ reason: 'http.unexpected' });
    expect((await fetchOnce(notModified, {}, { etag: 'a\r\nb' })).result).toMatchObject({
      reason: 'http.unexpected',
    });
  });

  test.each(['0', '1234', '9999999'])(
    'a 304 may tell the length of the page it stands for: %s',
    async (length) => {
      const notModified: Script = [
        { send: `HTTP/1.1 304 Not Modified\r\nContent-Length: ${length}\r\n\r\n` },
      ];
      expect((await fetchOnce(notModified, {}, { lastModified: 'x' })).result.kind).toBe('not-modified');
    },
  );

  test('a 204 is empty, whatever length it claims', async () => {
    const { result } = await fetchOnce([{ send: 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n' }]);
    expect(textOf(result)).toBe('');
  });

  test.each([
    ['ftp://127.0.0.1/', 'safety.scheme'],
    ['http://10.0.0.1/', 'safety.private'],
    ['http://127.0.0.1:6379/', 'safety.port'],
    ['not a URL', 'safety.host'],
  ])('%s is refused before any connection', async (url, reason) => {
    expect(await download().fetch({ url }, alive)).toMatchObject({
      kind: 'failed',
      reason,
      wasSent: false,
      head: null,
    });
  });
});

describe('connections', () => {
  test('the request was started when it was sent, not when connecting was begun', async () => {
    const server = await serve({ '*': answer('200 OK', {}, 'x') });
    let now = 1_000;
    const clock = { ...systemClock, now: () => now };
    const resolve = stubResolver({ 'a.test': ['93.184.216.34'] });
    const slowly = {
      resolve(host: string) {
        now += 5_000;
        return resolve.resolve(host);
      },
    };
    const downloader = download({}, { clock, resolver: slowly, dial: recordingDial(server.port) });
    const result = await downloader.fetch({ url: 'http://a.test/' }, alive);
    expect(result).toMatchObject({ kind: 'ok', head: { startedAt: 6_000, durationMs: 0 } });
  });

  test('one serves many requests, one after the other', async () => {
    const server = await serve({ '*': answer('200 OK', {}, 'x') });
    const downloader = download();
    for (let i = 0; i < 5; i += 1) await downloader.fetch({ url: `${server.origin}/${i}` }, alive);
    expect([server.requests.length, server.connections]).toEqual([5, 1]);
  });

  test.each([1, 2])('at most %i per origin, whatever is asked at once', async (connectionsPerOrigin) => {
    const server = await serve({ '*': [{ waitMs: 10 }, ...answer('200 OK', {}, 'x')] });
    const downloader = download({}, { connectionsPerOrigin });
    const urls = Array.from({ length: 6 }, (_, i) => `${server.origin}/${i}`);
    const results = await Promise.all(urls.map((url) => downloader.fetch({ url }, alive)));
    expect(results.map(textOf)).toEqual(Array(6).fill('x'));
    expect(server.connections).toBe(connectionsPerOrigin);
  });

  test('the longest unused origin is closed when there are too many', async () => {
    const server = await serve({ '*': answer('200 OK', {}, 'x') });
    const downloader = download({}, { maxOrigins: 2, dial: recordingDial(server.port) });
    const visit = async (...hosts: number[]): Promise<number> => {
      for (const host of hosts) await downloader.fetch({ url: `http://127.0.0.${host}/` }, alive);
      return server.connections;
    };
    expect(await visit(1, 2, 1)).toBe(2);
    expect(await visit(3, 1)).toBe(3);
    expect(await visit(2)).toBe(4);
  });

  test('a kept-alive connection the server just closed is made good at once, once', async () => {
    const server = await serve({
      '/': (_, nth) => (nth === 1 ? answer('200 OK', {}, 'fresh') : [{ close: 'reset' }]),
      '/never': [{ close: 'end' }],
    });
    const downloader = download();
    for (let i = 0; i < 3; i += 1) {
      expect(textOf(await downloader.fetch({ url: `${server.origin}/` }, alive))).toBe('fresh');
    }
    const before = server.requests.length;
    expect(await downloader.fetch({ url: `${server.origin}/never` }, alive)).toMatchObject({
      kind: 'failed',
      reason: 'net.reset',
      head: null,
      wasSent: true,
    });
    expect(server.requests.length - before).toBe(2);
    expect(await downloader.fetch({ url: `${server.origin}/never` }, alive)).toMatchObject({
      reason: 'net.reset',
    });
    // A fresh connection that closes is no accident: it is not tried again.
    expect(server.requests.length - before).toBe(3);
  });

  test('bytes after an answer do not become the next answer', async () => {
    const poison = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison';
    const server = await serve({
      '/first': [...answer('200 OK', {}, 'first'), { send: poison }],
      '/second': answer('200 OK', {}, 'second'),
    });
    const downloader = download();
    expect(textOf(await downloader.fetch({ url: `${server.origin}/first` }, alive))).toBe('first');
    expect(textOf(await downloader.fetch({ url: `${server.origin}/second` }, alive))).toBe('second');
  });

  test('interim answers are passed over', async () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    const { result } = await fetchOnce([{ send: interim }, ...answer('200 OK', {}, 'final')]);
    expect(textOf(result)).toBe('final');
  });

  test('nobody there', async () => {
    const server = await startRawServer({});
    await server.close();
    expect(await download().fetch({ url: `${server.origin}/` }, alive)).toMatchObject({
      kind: 'failed',
      reason: 'net.connect',
      wasSent: true,
    });
  });

  test('a connection that never stands ends at its limit', async () => {
    const downloader = download({ connectMs: 50 }, { dial: () => new Socket() });
    expect(await downloader.fetch({ url: 'http://127.0.0.1/' }, alive)).toMatchObject({
      reason: 'net.connect',
    });
  });

  test('a name that is never resolved ends at the same limit', async () => {
    const downloader = download({ connectMs: 50 }, { resolver: { resolve: () => new Promise(() => {}) } });
    expect(await downloader.fetch({ url: 'http://a.test/' }, alive)).toMatchObject({
      reason: 'safety.dns',
      wasSent: false,
    });
  });
});

describe('ending from outside', () => {
  test('an aborted signal ends a request under way and closes its connection', async () => {
    const server = await serve({ '*': [] });
    const stop = new AbortController();
    const pending = download().fetch({ url: `${server.origin}/` }, stop.signal);
    while (server.requests.length === 0) await systemClock.sleep(2);
    stop.abort();
    expect(await pending).toMatchObject({
      kind: 'failed',
      reason: 'net.timeout',
      detail: 'aborted',
      wasSent: true,
    });
    expect(await allClosed(server)).toBe(true);
  });

  test('an aborted signal sends nothing', async () => {
    const server = await serve({ '*': answer('200 OK', {}) });
    expect(await download().fetch({ url: `${server.origin}/` }, AbortSignal.abort())).toMatchObject({
      reason: 'net.timeout',
      wasSent: false,
    });
    expect(server.connections).toBe(0);
  });

  test('close ends requests under way and refuses later ones', async () => {
    const server = await serve({ '*': [] });
    const downloader = download();
    const pending = downloader.fetch({ url: `${server.origin}/` }, alive);
    while (server.requests.length === 0) await systemClock.sleep(2);
    await downloader.close();
    expect(await pending).toMatchObject({ kind: 'failed', reason: 'net.timeout' });
    expect(await downloader.fetch({ url: `${server.origin}/` }, alive)).toMatchObject({ wasSent: false });
    expect(await allClosed(server)).toBe(true);
  });

  test('no listener stays on a signal shared by many requests', async () => {
    const server = await serve({ '*': answer('200 OK', {}) });
    const downloader = download();
    let listeners = 0;
    const { signal } = new AbortController();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    for (let i = 0; i < 3; i += 1) await downloader.fetch({ url: `${server.origin}/` }, signal);
    expect(listeners).toBe(0);
  });
});

describe('TLS', () => {
  const key = readFileSync('test/fixtures/tls/secure-test.key');
  const cert = readFileSync('test/fixtures/tls/secure-test.crt');
  const names = stubResolver({ 'secure.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] });

  async function serveTls(): Promise<{ port: number; resumed: boolean[] }> {
    const resumed: boolean[] = [];
    const server = createServer({ key, cert }, (socket) => {
      resumed.push(socket.isSessionReused());
      socket.on('error', () => socket.destroy());
      socket.on('data', () =>
        socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 6\r\n\r\nsecret'),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise((resolve) => server.close(() => resolve())) });
    const address = server.address();
    return { port: typeof address === 'object' && address !== null ? address.port : 0, resumed };
  }

  test('a certificate nobody vouches for is refused', async () => {
    const { port, resumed } = await serveTls();
    const result = await download({}, { resolver: names }).fetch(
      { url: `https://secure.test:${port}/` },
      alive,
    );
    expect(result).toMatchObject({ kind: 'failed', reason: 'net.tls', head: null, wasSent: true });
    expect(resumed.length).toBeLessThanOrEqual(1);
  });

  test('a trusted one is good for its own name only, and its session is resumed', async () => {
    const { port, resumed } = await serveTls();
    const secureContext = createSecureContext({ ca: cert });
    const downloader = download({}, { resolver: names, secureContext });
    for (let i = 0; i < 2; i += 1) {
      expect(textOf(await downloader.fetch({ url: `https://secure.test:${port}/` }, alive))).toBe('secret');
    }
    expect(resumed).toEqual([false, true]);
    expect(await downloader.fetch({ url: `https://other.test:${port}/` }, alive)).toMatchObject({
      reason: 'net.tls',
    });
  });

  test('a server without TLS', async () => {
    const server = await serve({ '*': answer('200 OK', {}) });
    const downloader = download({ connectMs: 100 });
    const result = await downloader.fetch({ url: `https://127.0.0.1:${server.port}/` }, alive);
    expect(result).toMatchObject({ kind: 'failed', reason: 'net.connect', wasSent: true });
  });
});

describe('codings of the transfer', () => {
  const chunked = (coded: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from(`${coded.length.toString(16)}\r\n`), coded, Buffer.from('\r\n0\r\n\r\n')]);

  test.each([
    ['gzip, chunked', '', gzipSync('the page')],
    ['x-gzip, chunked', '', gzipSync('the page')],
    ['gzip, chunked', 'Content-Encoding: deflate\r\n', gzipSync(deflateSync('the page'))],
    ['chunked', 'Content-Encoding: gzip\r\n', gzipSync('the page')],
  ])('%s, %s: undone, the last applied first', async (transfer, header, coded) => {
    const head = `HTTP/1.1 200 OK\r\nTransfer-Encoding: ${transfer}\r\n${header}\r\n`;
    const { result } = await fetchOnce([{ send: Buffer.concat([Buffer.from(head), chunked(coded)]) }]);
    expect(textOf(result)).toBe('the page');
  });

  test('one that nobody knows is a failure, not a body', async () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: secret, chunked\r\n\r\n';
    const { result } = await fetchOnce([
      { send: Buffer.concat([Buffer.from(head), chunked(Buffer.from('x'))]) },
    ]);
    expect(result).toMatchObject({ kind: 'failed', reason: 'content.encoding' });
  });
});

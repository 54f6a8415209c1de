/** Our own server against clients that speak no proper HTTP, or speak it too slowly, too long, or from too many connections. */
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type ServerLimits, serverLimits, startServer, type WebServer } from '../../src/web/server.ts';
import { MOST_IN_TRANSIT } from '../../src/web/snapshot-routes.tsx';
import { snapshot, type World, webWorld } from '../support/web-world.ts';

const running: WebServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of running.splice(0)) await server.close();
});

async function serve(limits: Partial<ServerLimits> = {}, world: Partial<World> = {}): Promise<number> {
  const { web } = webWorld({ snapshots: new Map([[7, snapshot('copy')]]), ...world });
  const server = await startServer(web, { ...serverLimits, ...limits });
  running.push(server);
  return Number(new URL(server.url).port);
}

interface Client {
  readonly socket: Socket;
  /** Everything received, once the server has ended the connection. */
  readonly end: Promise<string>;
}

function open(port: number): Client {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
  });
  // Broken off is also an end.
  const end = new Promise<string>((resolve) => {
    socket.on('error', () => resolve(received)).on('close', () => resolve(received));
  });
  return { socket, end };
}

/** Sends bytes (as latin1) and gives what comes back. */
function ask(port: number, bytes: string): Promise<string> {
  const { socket, end } = open(port);
  socket.write(bytes, 'latin1');
  return end;
}

const request = (target: string, headers = '', method = 'GET'): string =>
  `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:7700\r\nConnection: close\r\n${headers}\r\n`;
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);

async function expectAlive(port: number): Promise<void> {
  expect(statusOf(await ask(port, request('/?q=a')))).toBe(200);
}

const climbs = [
  '..',
  '%2e%2e',
  '%2E.',
  '..%00',
  '%252e%252e',
  '%c0%ae%c0%ae',
  '%u002e%u002e',
  '．．',
  '..;',
  '....',
];
const separators = ['/', '%2f', '%5c', '\\', '%252f', '%c0%af', '//'];
const paths = climbs.flatMap((climb) =>
  separators.flatMap((separator) =>
    ['/', '/cache/', '/cache/7/', '/style.css/'].map(
      (start) => `${start}${`${climb}${separator}`.repeat(8)}etc${separator}passwd`,
    ),
  ),
);

describe('request targets', () => {
  test(`${paths.length} ways to climb out of the folder there is not find nothing`, async () => {
    const port = await serve();
    for (const path of paths) {
      const answer = await ask(port, request(Buffer.from(path).toString('latin1')));
      expect([path, [400, 404].includes(statusOf(answer))]).toEqual([path, true]);
      expect(answer).not.toContain('root:');
    }
    await expectAlive(port);
  });

  test.each([
    ['/cache/7%00', 404],
    ['/cache/7\0', 400],
    ['/cache/%37', 200],
    ['/cache/7/./raw', 200],
    ['/cache/8/../7', 200],
    ['/cache/7;raw', 404],
    ['/%', 404],
    ['/%ff%fe?q=%ff%00%', 404],
    ['/?q=%ff%00%&page=%&lang=%ff', 200],
    ['/?__proto__=1&constructor=2&q=a', 200],
    ['*', 400],
    ['', 400],
    ['cache/7', 400],
    ['http://127.0.0.1:7700/cache/7', 200],
    ['http://evil.example/cache/7', 421],
    ['http://evil.example@127.0.0.1:7700/cache/7', 200],
    ['http://127.0.0.1:7700@evil.example/', 421],
    ['http://[/', 400],
    ['https://localhost/', 200],
    ['ftp://127.0.0.1/', 400],
    ['file:///etc/passwd', 400],
    ['127.0.0.1:7700', 400],
  ])('%j is answered with %d', async (target, status) => {
    const port = await serve();
    expect(statusOf(await ask(port, request(target)))).toBe(status);
    await expectAlive(port);
  });

  test.each([
    ['two names', 'Host: 127.0.0.1\r\nHost: evil.example\r\n', 421],
    ['two names, a stranger first', 'Host: evil.example\r\nHost: 127.0.0.1\r\n', 421],
    ['none', '', 400],
    ['an empty one', 'Host: \r\n', 400],
    ['a path', 'Host: 127.0.0.1/evil.example\r\n', 400],
    ['a user', 'Host: 127.0.0.1@evil.example\r\n', 400],
    ['a folded line', 'Host: 127.0.0.1\r\n .evil.example\r\n', 400],
    ['a NUL', 'Host: 127.0.0.1\0.evil.example\r\n', 400],
  ])('Host with %s is refused', async (_, hosts, status) => {
    const port = await serve();
    const answer = await ask(port, `GET /?q=a HTTP/1.1\r\nConnection: close\r\n${hosts}\r\n`);
    expect([statusOf(answer), answer.includes('Installing')]).toEqual([status, false]);
  });
});

describe('what is no proper request is answered with', () => {
  test.each([
    [
      '400 for both framings',
      request('/indexnow', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', 'POST'),
      400,
    ],
    ['400 for two lengths', request('/indexnow', 'Content-Length: 5\r\nContent-Length: 6\r\n', 'POST'), 400],
    ['400 for a bare CR', request('/', 'A: b\rX: c\r\n'), 400],
    ['400 for a space before the colon', request('/', 'A : b\r\n'), 400],
    ['400 for what is no HTTP', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['400 for TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['431 for a long URL', request(`/?q=${'a'.repeat(20_000)}`), 431],
    ['431 for many headers', request('/', 'A: b\r\n'.repeat(20_000)), 431],
    ['431 for a long header', request('/', `A: ${'b'.repeat(20_000)}\r\n`), 431],
    ['200 for the longest query', request(`/?q=${'%E4%B8%AD'.repeat(1_000)}`), 200],
    ['405 for a method', request('/', '', 'DELETE'), 405],
    ['405 for TRACE, which would show cookies', request('/', '', 'TRACE'), 405],
    [
      '200 where another protocol is offered',
      request('/', 'Upgrade: websocket\r\nConnection: Upgrade\r\n'),
      200,
    ],
    ['417 for what is expected', request('/', 'Expect: everything\r\n'), 417],
    [
      '413 for a body that says it is large',
      request('/indexnow', 'Content-Length: 99999999\r\n', 'POST'),
      413,
    ],
    ['nothing for CONNECT', request('evil.example:443', '', 'CONNECT'), 0],
  ])('%s', async (_, bytes, status) => {
    const port = await serve();
    expect(statusOf(await ask(port, bytes))).toBe(status);
    await expectAlive(port);
  });

  test('413 for a body without end that does not say so', async () => {
    const port = await serve();
    const { socket, end } = open(port);
    socket.write(
      request('/indexnow', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n', 'POST'),
    );
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    let sent = 0;
    const pour = (): void => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
    };
    socket.on('drain', pour);
    pour();
    expect(statusOf(await end)).toBe(413);
    expect(sent).toBeLessThan(80 * 1024 * 1024);
    await expectAlive(port);
  });

  test('no header that a text of strangers is in', async () => {
    const evil = 'x\r\nX-Evil: 1\r\n\r\n<script>';
    const page = { url: `https://a.example/${evil}`, title: evil, fetchedAt: 0, hasSnapshot: true };
    const copy = snapshot(evil, { headers: [['Content-Type', `text/html${evil}`]] });
    const port = await serve({}, { pages: new Map([[7, page]]), snapshots: new Map([[7, copy]]) });
    const q = encodeURIComponent(evil);
    for (const path of [
      '/?q=',
      '/?lang=',
      '/cache/7?q=',
      '/cache/7/raw?q=',
      '/api/v1/search?q=',
      '/nowhere?',
    ]) {
      const answer = await ask(port, request(`${path}${q}`, `Accept-Language: ${q}\r\n`));
      const head = answer.slice(0, answer.indexOf('\r\n\r\n'));
      expect([path, statusOf(answer) < 500, head.toLowerCase().includes('evil')]).toEqual([
        path,
        true,
        false,
      ]);
    }
  });
});

/** Short, so that tests need not wait; the numbers in use are checked by themselves. */
const hasty: Partial<ServerLimits> = { headersMs: 100, requestMs: 300, checkEveryMs: 20 };

describe('a slow client is let go of', () => {
  test('that sends its headers a byte at a time', async () => {
    const port = await serve(hasty);
    const { socket, end } = open(port);
    const bytes = [...request('/', 'X: '.padEnd(10_000, 'x'))];
    const timer = setInterval(() => socket.write(bytes.shift() ?? 'x'), 5);
    expect(statusOf(await end)).toBe(408);
    clearInterval(timer);
    expect(bytes.length).toBeGreaterThan(1_000);
  });

  test('that sends its body a byte at a time', async () => {
    const port = await serve(hasty);
    const { socket, end } = open(port);
    socket.write(
      request('/indexnow', 'Content-Type: application/json\r\nContent-Length: 100000\r\n', 'POST'),
    );
    const timer = setInterval(() => socket.write('x'), 5);
    expect(statusOf(await end)).toBe(408);
    clearInterval(timer);
  });

  test('that says nothing', async () => {
    const port = await serve({ silenceMs: 100 });
    expect(await open(port).end).toBe('');
  });

  test('that does not read what it asked for', async () => {
    let now = 0;
    const large = snapshot('x'.repeat(12_000_000), { headers: [['Content-Type', 'text/plain']] });
    // Every look at the clock is in another window of time, so that nothing is refused for being asked often.
    const port = await serve(
      { silenceMs: 1_000 },
      { snapshots: new Map([[7, large]]), now: () => (now += 10_000) },
    );
    for (let n = 0; n < MOST_IN_TRANSIT; n++) {
      const { socket } = open(port);
      socket.pause();
      socket.write(request('/cache/7/raw'));
    }
    const wait = async (status: number): Promise<void> => {
      while (statusOf(await ask(port, request('/cache/7/raw', '', 'HEAD'))) !== status);
    };
    await wait(429);
    await wait(200);
  });

  test('that keeps a connection for later', async () => {
    const port = await serve({ idleMs: 100 });
    const { socket, end } = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(statusOf(await end)).toBe(200);
  });

  test('by the limits in use: 10 s for headers, 30 s for a request, looked at every 2 s, 512 connections', () =>
    expect(serverLimits).toEqual({
      headersMs: 10_000,
      requestMs: 30_000,
      silenceMs: 30_000,
      idleMs: 5_000,
      checkEveryMs: 2_000,
      connections: 512,
    }));
});

test('connections above the most are closed at once, and there is room again when others end', async () => {
  const port = await serve({ connections: 3 });
  const held = [open(port), open(port), open(port)];
  for (const { socket } of held) await new Promise((resolve) => socket.on('connect', resolve));
  expect(await ask(port, request('/'))).toBe('');
  held[0]?.socket.destroy();
  await held[0]?.end;
  // The server learns of it a moment after we do.
  let answer = '';
  while (answer === '') answer = await ask(port, request('/'));
  expect(statusOf(answer)).toBe(200);
});

test('copies that nobody reads are few, on however many connections they were asked for', async () => {
  // More than the system takes off our hands for a connection.
  const copy = snapshot('x'.repeat(12_000_000), { headers: [['Content-Type', 'text/plain']] });
  const port = await serve({}, { snapshots: new Map([[7, copy]]) });
  const unread = Array.from({ length: 6 }, () => open(port));
  for (const { socket } of unread) {
    socket.pause();
    socket.write('GET /cache/7/raw HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(4));
  }
  const ask7 = async (): Promise<number> => statusOf(await ask(port, request('/cache/7/raw', '', 'HEAD')));
  let read = 0;
  while ((await ask7()) === 200) read += 1;
  expect(read).toBeLessThanOrEqual(MOST_IN_TRANSIT);
  expect(statusOf(await ask(port, request('/?q=a')))).toBe(200);
  for (const { socket } of unread) socket.destroy();
  let status = 429;
  while (status !== 200) status = await ask7();
});

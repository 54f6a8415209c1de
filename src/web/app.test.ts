import { describe, expect, test } from 'vitest';
import { found, hit, NOW, own, snapshot, webWorld } from '../../test/support/web-world.ts';

describe('hostile text', () => {
  const attack = `"><script>alert(1)</script><img src=x onerror=alert(1)>'\u202e`;

  test('in titles, snippets, URLs and the query is only text', async () => {
    const { get } = webWorld({
      result: found([
        hit({
          title: attack,
          titleMarks: [[0, 4]],
          snippet: attack,
          marks: [
            [2, 9],
            [5, 3],
            [-4, 2],
            [0, 9_999],
          ],
          language: attack,
        }),
        hit({ url: `https://evil.example/${attack}`, duplicates: [`https://evil.example/${attack}`] }),
      ]),
    });
    const { text } = await get(`/?q=${encodeURIComponent(attack)}&lang=${encodeURIComponent(attack)}`);
    expect(text).not.toMatch(/<script|<img/i);
    expect(text.replace(/"[^"]*"/g, '""')).not.toMatch(/\bon\w+\s*=""/);
    expect(text).toContain('&lt;script&gt;');
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//x',
    '',
  ])('%j never becomes a link', async (url) => {
    const pages = new Map([[7, { url, title: 'x', fetchedAt: NOW, hasSnapshot: true }]]);
    const { get } = webWorld({ result: found([hit({ url, hasSnapshot: false })]), pages });
    for (const path of ['/?q=a', '/cache/7']) {
      const links = [...(await get(path)).text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(
        (match) => match[1] ?? '',
      );
      expect(links.filter((href) => !/^(\/|#content$)/.test(href))).toEqual([]);
    }
  });

  test('cannot add a response header', async () => {
    const { get } = webWorld({ snapshots: new Map([[7, snapshot('x')]]) });
    for (const path of [
      '/?q=a%0d%0aX-Evil:%201',
      '/cache/7/raw?q=%0d%0aX-Evil:1',
      '/a%0d%0aX-Evil:1',
      '/?lang=%0d%0aX-Evil:1',
    ]) {
      expect((await get(path)).header('x-evil')).toBeNull();
    }
  });
});

describe('guard', () => {
  test.each([
    ['127.0.0.1:7700', 200],
    ['localhost', 200],
    ['LOCALHOST:1', 200],
    ['[::1]:7700', 200],
    ['evil.example', 421],
    ['evil.example:7700', 421],
    ['127.0.0.1.evil.example', 421],
    ['localhost@evil.example', 421],
    ['evil.example#localhost', 421],
    ['localhost:7700:7700', 421],
    ['', 421],
  ])('Host %j is answered with %d', async (host, expected) => {
    for (const path of ['/', '/api/v1/search?q=a', '/cache/7', '/style.css', '/healthz', '/nowhere']) {
      const { status } = await webWorld().get(path, { host });
      expect(expected === 421 ? status : status < 500 && status !== 421).toBe(expected === 421 ? 421 : true);
    }
  });

  test.each(['http://evil.example/', 'http://127.0.0.1.evil.example/', 'https://[2001:db8::1]/'])(
    'nor is a request target that names %s',
    async (target) => expect((await webWorld().get(target)).status).toBe(421),
  );

  test('a request without Host is not answered', async () =>
    expect((await webWorld().get('/', {})).status).toBe(421));

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is not allowed', async (method) => {
    const { status, header } = await webWorld().get('/', own, method);
    expect(status).toBe(405);
    expect(header('allow')).toBe('GET, HEAD');
  });

  test('HEAD is GET without a body', async () => {
    const { status, text, header } = await webWorld().get('/', own, 'HEAD');
    expect([status, text, header('content-type')]).toEqual([200, '', 'text/html; charset=UTF-8']);
  });

  test.each(['/', '/?q=a', '/nowhere', '/cache/7', '/api/v1/search', '/style.css'])(
    '%s has the security headers',
    async (path) => {
      const { header } = await webWorld().get(path);
      for (const directive of [
        "default-src 'self'",
        "script-src 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ]) {
        expect(header('content-security-policy')).toContain(directive);
      }
      expect(header('x-content-type-options')).toBe('nosniff');
      expect(header('referrer-policy')).toBe('no-referrer');
      expect(header('x-dns-prefetch-control')).toBe('off');
      expect(header('cross-origin-resource-policy')).toBe('same-origin');
      expect(header('cross-origin-opener-policy')).toBe('same-origin');
      expect(header('cache-control')).toBe(
        path === '/style.css' ? 'public, max-age=300' : 'private, no-store',
      );
      expect(header('access-control-allow-origin')).toBeNull();
      expect(header('set-cookie')).toBeNull();
    },
  );

  test('refused hosts and failures have them too', async () => {
    const { get, logged } = webWorld({
      search() {
        throw new Error('disk <gone>');
      },
    });
    expect((await get('/', { host: 'evil.example' })).header('content-security-policy')).toContain(
      "default-src 'self'",
    );
    const { status, text, header } = await get('/?q=a');
    expect(status).toBe(500);
    expect(header('content-security-policy')).toContain("default-src 'self'");
    expect(text).not.toContain('disk');
    const event = JSON.parse(logged[0] ?? '');
    expect(event.error.message).toBe('disk <gone>');
    expect(text).toContain(event.id);
    expect(JSON.parse((await get('/api/v1/search?q=a')).text)).toMatchObject({
      status: 500,
      detail: expect.stringContaining(event.id),
    });
  });
});

describe('what a page of another origin has a browser send', () => {
  const get = (path: string, headers: Record<string, string>, method = 'GET') =>
    webWorld({ snapshots: new Map([[7, snapshot('x')]]) }).get(path, { ...own, ...headers }, method);
  const paths = [
    '/?q=a',
    '/api/v1/search?q=a',
    '/cache/7',
    '/cache/7/raw',
    '/metrics',
    '/healthz',
    '/style.css',
  ];
  const push = '/indexnow?url=https%3A%2F%2Fdocs.example.org%2F&key=a1b2c3d4';

  test.each([
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'object' },
    // Another port of this machine.
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'style' },
    { origin: 'http://evil.example' },
    { origin: 'http://127.0.0.1:3000' },
    { origin: 'null' },
    { origin: 'https://127.0.0.1:7700.evil.example' },
    { origin: '' },
  ])('is refused, before anything is done for it: %j', async (headers) => {
    for (const path of [...paths, push]) {
      const { status, header } = await get(path, headers);
      expect([path, status, header('access-control-allow-origin')]).toEqual([path, 403, null]);
    }
    expect((await get('/indexnow', headers, 'POST')).status).toBe(403);
  });

  test('is answered where it is a link that was followed, but for what changes something', async () => {
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    for (const path of paths) expect([path, (await get(path, headers)).status]).toEqual([path, 200]);
    expect((await get(push, headers)).status).toBe(403);
  });

  test.each([
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'style' },
    { origin: 'http://127.0.0.1:7700' },
    {},
  ])('is no page of ours, nor a program: %j', async (headers) => {
    for (const path of paths) expect([path, (await get(path, headers)).status]).toEqual([path, 200]);
    expect((await get(push, headers)).status).toBe(422);
  });

  test('is not let in by a preflight', async () => {
    const { status, header } = await get(
      '/api/v1/search?q=a',
      { origin: 'https://evil.example', 'access-control-request-private-network': 'true' },
      'OPTIONS',
    );
    expect([
      status,
      header('access-control-allow-origin'),
      header('access-control-allow-private-network'),
    ]).toEqual([403, null, null]);
  });
});

test.each(['//evil.example/', '///evil.example', '/\\evil.example/x', '//evil.example/%2e%2e'])(
  'links on the page for %s stay here',
  async (path) => {
    const { text } = await webWorld().get(`http://localhost${path}`);
    const links = [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) expect(new URL(link, 'http://localhost/').host).toBe('localhost');
  },
);

test('no page has a script or an inline style', async () => {
  const { get } = webWorld({ snapshots: new Map([[7, snapshot('x')]]) });
  for (const path of ['/', '/?q=a', '/cache/7', '/nowhere']) {
    expect((await get(path)).text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i);
  }
});

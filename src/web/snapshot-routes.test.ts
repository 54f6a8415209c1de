import { describe, expect, test } from 'vitest';
import { NOW, snapshot, webWorld } from '../../test/support/web-world.ts';

describe('snapshots', () => {
  test('are framed below a bar that says what they are', async () => {
    const { get } = webWorld({ snapshots: new Map([[7, snapshot('<p>copy')]]) });
    const { status, text } = await get('/cache/7?q=a%20b');
    expect(status).toBe(200);
    expect(text).toContain(
      '<a href="https://docs.example.org/guide/" rel="noopener noreferrer nofollow" dir="ltr">',
    );
    expect(text).toMatch(
      /<iframe[^>]* src="\/cache\/7\/raw\?q=a\+b" sandbox="allow-popups allow-popups-to-escape-sandbox"/,
    );
    expect(text).toContain('This copy is from Jan 9, 2026');
  });

  test('are served under exactly the inert headers', async () => {
    const { get } = webWorld({ snapshots: new Map([[7, snapshot('<p>copy')]]) });
    const { status, header } = await get('/cache/7/raw');
    expect(status).toBe(200);
    expect(header('content-type')).toBe('text/html; charset=utf-8');
    expect(header('content-security-policy')).toBe(
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; " +
        "font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
    );
    expect(header('x-content-type-options')).toBe('nosniff');
    expect(header('referrer-policy')).toBe('no-referrer');
    expect(header('x-dns-prefetch-control')).toBe('off');
    expect(header('cross-origin-opener-policy')).toBe('same-origin');
    expect(header('cross-origin-resource-policy')).toBe('same-origin');
    expect(header('x-robots-tag')).toBe('noindex, noarchive');
    expect(header('cache-control')).toBe('private, no-store');
  });

  test('are decoded, and the words of the query marked', async () => {
    const gbk = Uint8Array.from([0xcd, 0xa3, 0xbb, 0xfa, 0xcd, 0xa8, 0xd6, 0xaa]); // 停机通知
    const { get } = webWorld({ snapshots: new Map([[7, snapshot('', { bytes: gbk, encoding: 'gbk' })]]) });
    expect((await get('/cache/7/raw')).text).toMatch(/停机通知$/);
    expect((await get('/cache/7/raw?q=停机')).text).toMatch(/<mark>停机<\/mark>通知$/);
  });

  test.each([
    [[['content-type', 'text/plain; charset=utf-8']], '<pre style="white-space:pre-wrap">a&lt;b&gt;</pre>'],
    [[['content-type', 'application/pdf']], 'A file of this kind cannot be shown here.'],
    [[], '<title></title>a<b>'],
  ] as const)('of type %j', async (headers, expected) => {
    const { get } = webWorld({ snapshots: new Map([[7, snapshot('a<b>', { headers })]]) });
    expect((await get('/cache/7/raw')).text).toContain(expected);
  });

  test('of noarchive pages are not shown, and the page says why', async () => {
    const pages = new Map([
      [7, { url: 'https://a.example/', title: 'Private', fetchedAt: NOW, hasSnapshot: false }],
    ]);
    const { get } = webWorld({ pages, snapshots: new Map([[7, snapshot('secret')]]) });
    const viewer = await get('/cache/7');
    expect(viewer.status).toBe(404);
    expect(viewer.text).toContain('noarchive');
    expect(viewer.text).not.toContain('<iframe');
    const raw = await get('/cache/7/raw');
    expect(raw.status).toBe(404);
    expect(raw.text).not.toContain('secret');
  });

  test.each([
    '/cache/8',
    '/cache/8/raw',
    '/cache/7/raw',
    '/cache/x',
    '/cache/-1',
    '/cache/7/../8',
    '/cache/%2e%2e%2fetc%2fpasswd',
    '/cache/9999999999999999999',
  ])('%s is not found', async (path) => expect((await webWorld().get(path)).status).toBe(404));
});

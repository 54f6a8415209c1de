/** A hostile page in a real browser: shown by our server, nothing of it runs and nothing of it loads. */
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfig } from '../../src/config.ts';
import { silentLog } from '../../src/log.ts';
import { inertHeaders } from '../../src/web/inert.ts';
import { startServer, type WebServer } from '../../src/web/server.ts';
import { hit, noMetrics, snapshot } from '../support/web-world.ts';

const CHROMIUM = '/usr/bin/chromium';
const isMissing = !existsSync(CHROMIUM);
if (isMissing)
  process.stderr.write(`SKIPPED: hostile pages in a browser, because ${CHROMIUM} is not installed\n`);

/** Longer than any of the tricks below takes to fire; they all do within 200 ms when nothing stops them. */
const FUSE_MS = 1_500;

/** Each trick asks the canary for a path of its own. */
const hostile = (canary: string): string => `<!doctype html><html><head>
<base href="${canary}/base/">
<meta http-equiv="refresh" content="0;url=${canary}/refresh">
<link rel="stylesheet" href="${canary}/css"><link rel="prefetch" href="${canary}/prefetch">
<link rel="preload" as="image" href="${canary}/preload"><link rel="icon" href="${canary}/icon">
<style>@import "${canary}/import"; body { background: url(${canary}/background) } @font-face { font-family: x; src: url(${canary}/font) } body { font-family: x }</style>
<script>fetch('${canary}/inline', { mode: 'no-cors' }); document.title = 'owned'</script>
<script src="${canary}/script"></script></head>
<body onload="fetch('${canary}/onload', { mode: 'no-cors' })" background="${canary}/bodybackground">
<img src="${canary}/img"><img src="x" onerror="fetch('${canary}/onerror', { mode: 'no-cors' })">
<img srcset="${canary}/srcset 1x"><picture><source srcset="${canary}/picture"><img></picture>
<svg onload="fetch('${canary}/svg', { mode: 'no-cors' })"><image href="${canary}/svgimage"/><use href="${canary}/use"/></svg>
<input autofocus onfocus="fetch('${canary}/focus', { mode: 'no-cors' })">
<iframe src="${canary}/frame"></iframe><iframe srcdoc="<script>fetch('${canary}/srcdoc')</script>"></iframe>
<object data="${canary}/object"></object><embed src="${canary}/embed">
<video src="${canary}/video" poster="${canary}/poster" autoplay></video><audio src="${canary}/audio" autoplay></audio>
<form id="f" action="${canary}/form"><button>Send</button></form>
<div style="background-image:url(${canary}/style)">visible text</div>
<a href="${canary}/link" ping="${canary}/ping">a link</a>
</body></html>`;

describe.skipIf(isMissing)('a hostile snapshot', () => {
  let browser: Browser;
  let canary: { readonly origin: string; readonly requests: string[]; readonly server: Server };
  let own: WebServer;

  beforeAll(async () => {
    canary = await startCanary();
    own = await startServer({
      index: {
        write() {},
        document: () => null,
        isElsewhere: () => false,
        count: () => 1,
        search: () => ({ hits: [hit()], total: 1, isTotalExact: true, hasMore: false, isRelaxed: false }),
      },
      archive: { write() {}, read: () => snapshot(hostile(canary.origin), { url: `${canary.origin}/page` }) },
      inbox: { isCrawled: () => false, check: () => null, put: () => true },
      reads: {
        page: () => ({ url: `${canary.origin}/page`, title: 'Hostile', fetchedAt: 0, hasSnapshot: true }),
        status: () => ({ documents: 1, known: 1, lastFetchedAt: 0 }),
        metrics: () => noMetrics,
      },
      clock: { now: () => 0 },
      log: silentLog,
      config: { ...defaultConfig(), serve: { ...defaultConfig().serve, port: 0 } },
    });
    // No sandbox of the browser's own: tests may run as root in a container.
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await own?.close();
    canary?.server.close();
  });

  /** Opens a page, waits for the tricks, and tells what was asked of the canary. */
  async function requestsOf(url: string): Promise<{ requests: string[]; text: string }> {
    canary.requests.length = 0;
    const page = await browser.newPage();
    await page.goto(url);
    await page.waitForTimeout(FUSE_MS);
    const texts = await Promise.all(page.frames().map((frame) => frame.locator('body').textContent()));
    const requests = [...canary.requests];
    await page.close();
    return { requests, text: texts.join('\n') };
  }

  test('acts when nothing stops it: the canary works', async () => {
    const { requests } = await requestsOf(`${canary.origin}/hostile`);
    expect(requests).toEqual(
      expect.arrayContaining(['/inline', '/onerror', '/svg', '/refresh', '/css', '/img', '/frame']),
    );
  });

  test.each(['cache/7/raw', 'cache/7', 'cache/7?q=text'])('does nothing at /%s', async (path) => {
    const { requests, text } = await requestsOf(own.url + path);
    expect(text).toContain('visible');
    expect(requests).toEqual([]);
  });

  test('is stopped by the headers alone, were the allow-list to fail', async () => {
    const { requests, text } = await requestsOf(`${canary.origin}/headers-only`);
    expect(text).toContain('visible text');
    expect(requests).toEqual([]);
  });

  test('its links open outside of the frame, and do not tell where they were found', async () => {
    canary.requests.length = 0;
    const page = await browser.newPage();
    await page.goto(`${own.url}cache/7`);
    const popup = page.waitForEvent('popup');
    await page.frameLocator('iframe').getByText('a link').click();
    const opened = await popup;
    await opened.waitForLoadState();
    expect(opened.url()).toBe(`${canary.origin}/link`);
    expect(await opened.evaluate('[window.opener, document.referrer]')).toEqual([null, '']);
    expect(canary.requests).not.toContain('/ping');
    await page.close();
  });
});

/** Counts what is asked of it; serves the hostile page itself, bare and under the inert headers only. */
async function startCanary(): Promise<{ origin: string; requests: string[]; server: Server }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/hostile' || path === '/headers-only') {
      response.writeHead(200, {
        ...(path === '/headers-only' ? inertHeaders : {}),
        'Content-Type': 'text/html',
      });
      response.end(hostile(origin));
      return;
    }
    requests.push(path);
    response.end('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, requests, server };
}

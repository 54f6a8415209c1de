/** Pages of others in the reader's own browser, which can reach our server: what they try, and what comes of it. */
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type WebServer } from '../../src/web/server.ts';
import { snapshot, type WebWorld, webWorld } from '../support/web-world.ts';

const CHROMIUM = '/usr/bin/chromium';
const isMissing = !existsSync(CHROMIUM);
if (isMissing) process.stderr.write(`SKIPPED: pages of others, because ${CHROMIUM} is not installed\n`);

/** Longer than everything tried below takes. */
const FUSE_MS = 1_500;
/** A name that a stranger has turned to this machine (DNS rebinding). */
const REBOUND = 'rebound.test';
const HOST = 'docs.example.org';

/** Everything a page can do to make a browser ask `own` for something, but for following a link. */
const attempts = (own: string): string => {
  const paths = ['', '?q=secret', 'api/v1/search?q=secret', 'cache/7/raw', 'metrics', 'healthz'];
  const push = `${own}indexnow?url=https%3A%2F%2F${HOST}%2F&key=a1b2c3d4e5f6`;
  const body = JSON.stringify({ host: HOST, key: 'a1b2c3d4e5f6', urlList: [`https://${HOST}/`] });
  return `<!doctype html><title>x</title><meta charset=utf-8>
${[...paths.map((path) => own + path), push]
  .map((url) => url.replaceAll('&', '&amp;'))
  .map(
    (url) => `<img src="${url}"><link rel=stylesheet href="${url}"><script src="${url}"></script>
<iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"><video src="${url}"></video>
<link rel=prefetch href="${url}"><link rel=preload as=fetch href="${url}" crossorigin>`,
  )
  .join('\n')}
<iframe name=sink></iframe>
<form id=get action="${own}indexnow" target=sink><input name=url value="https://${HOST}/"><input name=key value=a1b2c3d4e5f6></form>
<form id=post action="${own}indexnow" method=post enctype="text/plain" target=sink><input name='${body.replace('}', ',"x":"')}' value='"}'></form>
<script>
const seen = [];
window.seen = seen;
const look = (name, promise) => promise.then(async (answer) => seen.push(name + ' ' + answer.type + ' ' + answer.status + ' ' + (await answer.text())), () => {});
for (const url of ${JSON.stringify([...paths.map((path) => own + path), push])}) {
  look('cors', fetch(url)); look('no-cors', fetch(url, { mode: 'no-cors' })); look('cookies', fetch(url, { credentials: 'include' }));
}
for (const type of ['application/json', 'text/plain']) {
  look('post', fetch('${own}indexnow', { method: 'POST', body: ${JSON.stringify(body)}, headers: { 'content-type': type } }));
}
look('blind', fetch('${own}indexnow', { method: 'POST', mode: 'no-cors', body: ${JSON.stringify(body)} }));
navigator.sendBeacon('${own}indexnow', ${JSON.stringify(body)});
new EventSource('${own}?q=secret');
new WebSocket('${own.replace('http', 'ws')}?q=secret');
get.submit();
setTimeout(() => post.submit(), 200);
</script>`;
};

describe.skipIf(isMissing)('a page of somebody else', () => {
  let browser: Browser;
  let strangers: Server;
  let port: number;
  let world: WebWorld;
  let own: WebServer;
  let asked = 0;

  beforeAll(async () => {
    strangers = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end(attempts(own.url));
    });
    await new Promise<void>((resolve) => strangers.listen(0, resolve));
    port = (strangers.address() as AddressInfo).port;
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      // No sandbox of the browser's own: tests may run as root in a container.
      args: ['--no-sandbox', `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`],
    });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    strangers?.close();
  });

  beforeEach(async () => {
    asked = 0;
    const now = (): number => {
      asked += 1;
      return 0;
    };
    world = webWorld({ now, snapshots: new Map([[7, snapshot('a secret')]]) });
    world.knowHost(HOST);
    own = await startServer(world.web);
    return () => own.close();
  });

  test.each([
    ['of another site', 'localhost'],
    ['of another port of this machine', '127.0.0.1'],
  ])('%s has nothing searched, pushed or shown, and sees nothing', async (_, host) => {
    const page = await browser.newPage();
    await page.goto(`http://${host}:${port}/`, { waitUntil: 'commit' });
    await page.waitForTimeout(FUSE_MS);
    const seen = (await page.evaluate('window.seen')) as string[];
    await page.close();
    // It did get through to us, many times.
    expect(asked).toBeGreaterThan(50);
    expect(seen.filter((text) => !/^(no-cors|blind) opaque 0 $/.test(text))).toEqual([]);
    expect(world.asked).toEqual([]);
    expect(world.inbox.count()).toBe(0);
  });

  test('may link to us', async () => {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${port}/`, { waitUntil: 'commit' });
    await page.evaluate(`location.href = '${own.url}?q=a'`);
    await page.waitForURL(`${own.url}?q=a`);
    expect(await page.textContent('body')).toContain('Installing the guide');
    expect(world.asked.length).toBe(1);
    // And searching on from there is ours.
    await page.fill('input[name=q]', 'guide');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=guide/);
    expect(world.asked.length).toBe(2);
    await page.close();
  });

  test('whose name is turned to this machine finds nothing', async () => {
    const page = await browser.newPage();
    const { port: ours } = new URL(own.url);
    const response = await page.goto(`http://${REBOUND}:${ours}/?q=a`);
    expect(response?.status()).toBe(421);
    expect(await page.evaluate("fetch('/api/v1/search?q=a').then((answer) => answer.status)")).toBe(421);
    expect(
      await page.evaluate("fetch('/indexnow?url=x', { method: 'POST' }).then((answer) => answer.status)"),
    ).toBe(421);
    expect(world.asked).toEqual([]);
    await page.close();
  });
});

/**
 * The most hostile page we know, crawled and shown by the built command line, in a real browser: nothing of it runs, loads,
 * looks up a name or leads away. Everything the browser does is watched, in its own log of the network too.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchResult } from '../../src/search/search-index.ts';
import { inertHeaders, inertHtml } from '../../src/web/inert.ts';
import { type CliRun, runCli, startCli } from '../support/cli.ts';
import { hostilePage, LOOKUPS } from '../support/hostile-page.ts';

const CHROMIUM = '/usr/bin/chromium';
const isMissing = !existsSync(CHROMIUM);
if (isMissing)
  process.stderr.write(`SKIPPED: hostile pages in a browser, because ${CHROMIUM} is not installed\n`);

/** Longer than any of the tricks takes to fire; all that fire at all do within half a second when nothing stops them. */
const FUSE_MS = 1_500;
const WORDS = 'harmless';

interface Canary {
  readonly origin: string;
  /** Paths asked for, but for the pages themselves. */
  readonly requests: string[];
  readonly server: Server;
}

/** What a browser did with a page. */
interface Deeds {
  /** Paths the canary was asked for. */
  readonly requests: readonly string[];
  /** URLs the browser meant to ask for, wherever they are; not those inside of the page. */
  readonly tried: readonly string[];
  /** Dialogs, new windows, downloads, and addresses of the window. */
  readonly events: readonly string[];
  readonly text: string;
  readonly title: string;
}

describe.skipIf(isMissing)('the most hostile page', () => {
  let canary: Canary;
  let folder: string;
  let serving: CliRun;
  let own: string;
  let id: number;
  let browser: Browser;

  beforeAll(async () => {
    canary = await startCanary();
    folder = mkdtempSync(join(tmpdir(), 'freshet-hostile-'));
    const data = ['--data', join(folder, 'data')];
    const page = `${canary.origin}/hostile`;
    await runCli(['crawl', page, ...data, '--allow-private', '127.0.0.1', '--depth', '0', '--quiet']);
    const { stdout } = await runCli(['search', WORDS, '--json', ...data]);
    id = (JSON.parse(stdout) as SearchResult).hits.find(({ url }) => url === page)?.id ?? 0;
    serving = startCli(['serve', '--port', '0', '--json', ...data]);
    own = await urlOf(serving);
    browser = await launch(join(folder, 'guarded.json'));
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    serving?.process.kill();
    await serving?.end;
    canary?.server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a page, waits for the tricks, and tells what came of them. */
  async function watch(url: string, options: { hasScripts?: boolean; in?: Browser } = {}): Promise<Deeds> {
    canary.requests.length = 0;
    const context = await (options.in ?? browser).newContext({
      javaScriptEnabled: options.hasScripts ?? true,
    });
    const { tried, events } = listen(context);
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForTimeout(FUSE_MS);
    const [text, title] = [await textOf(page), await page.title()];
    const requests = [...canary.requests];
    await context.close();
    return { requests, tried: [...new Set(tried)], events: [...new Set(events)], text, title };
  }

  test('acts when nothing stops it: the canary works, and so does the log of names', async () => {
    const log = join(folder, 'bare.json');
    const bare = await launch(log);
    const { requests, events } = await watch(`${canary.origin}/bare`, { in: bare });
    const led = await watch(`${canary.origin}/hostile`, { in: bare });
    await bare.close();
    expect(led.requests).toContain('/load/refresh');
    expect(new Set(requests).size).toBeGreaterThan(100);
    expect(requests).toEqual(
      expect.arrayContaining(
        ['run/inline', 'run/error', 'run/svg', 'run/autofocus', 'run/srcdoc', 'run/noscript', 'load/img']
          .concat([
            'load/iframe',
            'load/import',
            'load/import-escaped',
            'load/background-escaped',
            'load/shadow',
          ])
          .map((name) => `/${name}`),
      ),
    );
    expect(events).toContain('dialog');
    expect(readFileSync(log, 'latin1')).toContain(LOOKUPS[0]);
  });

  test.each([
    ['cache/ID/raw', true],
    ['cache/ID/raw', false],
    ['cache/ID/raw?q=harmless+words', true],
    ['cache/ID', true],
    ['cache/ID', false],
    ['cache/ID?q=harmless', true],
    ['?q=harmless', true],
    ['?q=harmless', false],
    [
      `?q=${encodeURIComponent('harmless "></title><script>alert(1)</script><img src=x onerror=alert(1)>')}`,
      true,
    ],
    [`?q=harmless+nowhere&lang=${encodeURIComponent('"><script>alert(1)</script>')}`, true],
    ['api/v1/search?q=harmless', true],
  ])('does nothing at /%s, scripts allowed by the browser: %s', async (path, hasScripts) => {
    const deeds = await watch(own + path.replace('ID', String(id)), { hasScripts });
    expect(deeds.requests).toEqual([]);
    expect(deeds.tried.filter((url) => !url.startsWith(own))).toEqual([]);
    expect(deeds.events).toEqual([]);
    expect(deeds.text).toContain('harmless');
    expect(deeds.title).not.toBe('owned');
  });

  test.each([true, false])(
    'is stopped by the headers alone, were the allow-list to fail (scripts: %s)',
    async (hasScripts) => {
      const { requests, events, text } = await watch(`${canary.origin}/headers-only`, { hasScripts });
      expect(requests).toEqual([]);
      expect(events).toEqual([]);
      expect(text).toContain('harmless words');
    },
  );

  test.each([true, false])(
    'is stopped by the allow-list alone, were the headers to fail (scripts: %s)',
    async (hasScripts) => {
      const { requests, tried, events, text } = await watch(`${canary.origin}/list-only`, { hasScripts });
      expect(requests).toEqual([]);
      expect(tried.filter((url) => !url.endsWith('/list-only'))).toEqual([]);
      expect(events).toEqual([]);
      expect(text).toContain('harmless words at the end');
    },
  );

  test('has no link left but to the web, and those tell nobody where they were found', async () => {
    const page = await browser.newPage();
    await page.goto(`${own}cache/${id}`);
    const links = page.frameLocator('iframe').locator('a, area');
    await links.first().waitFor();
    const hrefs = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? '#'));
    expect(hrefs.length).toBeGreaterThan(10);
    expect(hrefs.filter((href) => !/^(https?:\/\/|#)/.test(href))).toEqual([]);
    canary.requests.length = 0;
    const popup = page.waitForEvent('popup');
    await page.frameLocator('iframe').getByText('an honest link').click();
    const opened = await popup;
    await opened.waitForLoadState();
    expect(opened.url()).toBe(`${canary.origin}/load/link`);
    expect(await opened.evaluate('[window.opener, document.referrer]')).toEqual([null, '']);
    expect(canary.requests).toEqual(['/load/link']);
    await page.close();
  });

  test('had no name looked up in all of this, nor a connection prepared', async () => {
    await browser.close();
    const log = readFileSync(join(folder, 'guarded.json'), 'latin1');
    expect(log).toContain(new URL(own).host);
    expect(LOOKUPS.filter((name) => log.includes(name))).toEqual([]);
  });
});

/** No sandbox of the browser's own: tests may run as root in a container. */
function launch(networkLog: string): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', `--log-net-log=${networkLog}`],
  });
}

function listen(context: BrowserContext): { tried: string[]; events: string[] } {
  const tried: string[] = [];
  const events: string[] = [];
  context.on('request', (request) => {
    if (/^(?:https?|wss?|file|ftp):/.test(request.url())) tried.push(request.url());
  });
  let pages = 0;
  context.on('page', (page) => {
    if (pages++ > 0) events.push('window');
    page.on('dialog', (dialog) => {
      events.push('dialog');
      void dialog.dismiss().catch(() => undefined);
    });
    page.on('download', () => events.push('download'));
    page.on('websocket', () => events.push('websocket'));
    page.on('worker', () => events.push('worker'));
    let addresses = 0;
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && addresses++ > 0) events.push(`address ${frame.url()}`);
    });
  });
  return { tried, events };
}

/** Text of all frames; one that has just gone has none. */
async function textOf(page: Page): Promise<string> {
  const texts = page.frames().map((frame) => frame.textContent('body', { timeout: 1_000 }).catch(() => ''));
  return (await Promise.all(texts)).join('\n');
}

async function urlOf(serving: CliRun): Promise<string> {
  const line = await new Promise<string>((resolve) => serving.process.stdout?.once('data', resolve));
  return (JSON.parse(String(line)) as { url: string }).url;
}

/** Serves the page: to the crawler, bare, under the inert headers only, and as the allow-list leaves it without them. */
async function startCanary(): Promise<Canary> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const html = hostilePage(origin);
    const bodies: Readonly<Record<string, string>> = {
      '/hostile': html,
      // Not led away, so that the rest has time.
      '/bare': html.replace(/<meta http-equiv="refresh"[^>]*>/g, ''),
      '/headers-only': html,
      '/list-only': inertHtml(html, `${origin}/hostile`, () => []),
    };
    const body = bodies[path];
    if (body === undefined && path !== '/robots.txt' && path !== '/favicon.ico') requests.push(path);
    response.writeHead(body === undefined ? 404 : 200, {
      ...(path === '/headers-only' ? inertHeaders : {}),
      'Content-Type': 'text/html; charset=utf-8',
    });
    response.end(body ?? 'x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, requests, server };
}

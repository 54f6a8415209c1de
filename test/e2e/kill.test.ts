/** The built command line against real servers, killed, interrupted and locked out (R29, R31, R32). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DemoRequest } from '../../src/demo/server.ts';
import { type DemoWeb, startDemoWeb } from '../../src/demo/site.ts';
import type { SearchResult } from '../../src/search/search-index.ts';
import type { UrlRow } from '../../src/store/reports.ts';
import { type CliEnd, type CliRun, runCli, startCli } from '../support/cli.ts';
import { seededRandom } from '../support/random.ts';

/** Requests arrive somewhat later than they are started. */
const LATENCY_MS = 100;

let web: DemoWeb;
let folder: string;
let data: string;
let runs = 0;

beforeAll(async () => {
  web = await startDemoWeb({ slowMs: 3000 });
  folder = mkdtempSync(join(tmpdir(), 'freshet-kill-'));
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  data = join(folder, `data-${++runs}`);
});

function crawl(sites: readonly string[], ...flags: string[]): string[] {
  return ['crawl', ...sites, '--data', data, '--allow-private', '127.0.0.1', ...flags];
}

/** Resolves when the servers have seen `count` more requests; rejects when the run ends before. */
async function afterRequests(count: number, run: CliRun): Promise<void> {
  const target = web.requests.length + count;
  let end: CliEnd | null = null;
  void run.end.then((value) => {
    end = value;
  });
  while (web.requests.length < target) {
    if (end !== null) throw new Error(`it ended: ${JSON.stringify(end)}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function urlsOf(): Promise<
  Pick<UrlRow, 'url' | 'state' | 'reason' | 'status' | 'title' | 'depth' | 'redirectTo'>[]
> {
  const { stdout } = await runCli(['urls', '--json', '--data', data]);
  const rows = JSON.parse(stdout) as UrlRow[];
  return rows
    .map(({ url, state, reason, status, title, depth, redirectTo }) => ({
      url,
      state,
      reason,
      status,
      title,
      depth,
      redirectTo,
    }))
    .sort((a, b) => (a.url < b.url ? -1 : 1));
}

async function found(words: string): Promise<string[]> {
  const { stdout } = await runCli(['search', words, '--json', '--limit', '50', '--data', data]);
  return (JSON.parse(stdout) as SearchResult).hits.map(({ url }) => url).sort();
}

describe('kill -9', () => {
  test('again and again, at any moment: in the end everything is as if it had not happened', async () => {
    const sites = [web.origins.docs, web.origins.news, web.origins.notices].map((origin) => `${origin}/`);
    const flags = ['--delay', '40ms', '--quiet'];
    const undisturbed = await runCli(crawl(sites, ...flags));
    expect(undisturbed).toMatchObject({ code: 0, stderr: '' });
    const words = ['rain gauge', '停水'];
    const expected = { urls: await urlsOf(), found: await Promise.all(words.map(found)) };
    expect(expected.urls.length).toBeGreaterThan(40);

    data = join(folder, 'killed');
    const random = seededRandom(9);
    for (let round = 0; round < 5; round++) {
      const run = startCli(crawl(sites, ...flags));
      await afterRequests(1 + Math.floor(random() * 14), run);
      run.process.kill('SIGKILL');
      expect((await run.end).code).toBeNull();
    }
    expect((await runCli(crawl(sites, ...flags))).code).toBe(0);
    expect(await urlsOf()).toEqual(expected.urls);
    expect(await Promise.all(words.map(found))).toEqual(expected.found);
  }, 60_000);

  test('the next start keeps the rest the host is owed', async () => {
    const run = startCli(crawl([`${web.origins.library}/`], '--quiet')); // Crawl-delay: 2
    await afterRequests(2, run);
    run.process.kill('SIGKILL');
    await run.end;
    const before = web.requests.at(-1);
    const next = startCli(crawl([`${web.origins.library}/`], '--quiet'));
    await afterRequests(1, next);
    next.process.kill('SIGKILL');
    await next.end;
    expect(since(before)).toBeGreaterThanOrEqual(2000 - LATENCY_MS);
  });

  function since(before: DemoRequest | undefined): number {
    return (web.requests.at(-1)?.at ?? 0) - (before?.at ?? 0);
  }
});

describe('Ctrl-C', () => {
  test('once: exit 130, the state is saved, and nothing is fetched twice', async () => {
    const site = `${web.origins.docs}/`;
    const run = startCli(crawl([site], '--delay', '200ms'));
    await afterRequests(4, run);
    run.process.kill('SIGINT');
    const end = await run.end;
    expect(end.code).toBe(130);
    expect(end.stderr).toContain('Stopping');
    expect(end.stderr).not.toContain('Warning');
    const first = web.requests.slice(-4).map(({ target }) => target);
    const known = await urlsOf();
    expect(known.filter(({ state }) => state === 'indexed').length).toBeGreaterThanOrEqual(2);
    const before = web.requests.length;
    expect((await runCli(crawl([site], '--delay', '20ms', '--quiet'))).code).toBe(0);
    const second = web.requests.slice(before).map(({ target }) => target);
    expect(second.filter((target) => first.includes(target))).toEqual([]);
  });

  test('twice: it leaves at once, although an answer is still to come', async () => {
    const run = startCli(crawl([`${web.origins.odd}/slow`], '--delay', '20ms'));
    await afterRequests(2, run); // robots.txt and the slow page
    const stoppedAt = Date.now();
    run.process.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 100));
    run.process.kill('SIGINT');
    expect((await run.end).code).toBe(130);
    expect(Date.now() - stoppedAt).toBeLessThan(2000);
    const rows = await urlsOf();
    expect(rows.find(({ url }) => url.endsWith('/slow'))).toMatchObject({ state: 'waiting', reason: null });
  });
});

describe('nobody is there any more', () => {
  test('a closed terminal: what is in flight is saved, exit 0', async () => {
    const run = startCli(crawl([`${web.origins.docs}/`], '--delay', '300ms'));
    await afterRequests(3, run);
    run.process.kill('SIGHUP');
    expect((await run.end).code).toBe(0);
    const states = (await urlsOf()).map(({ state }) => state);
    expect(states).toContain('indexed');
    expect(states).toContain('waiting');
  });

  test('a closed pipe: the crawl stops by itself, exit 0', async () => {
    const before = web.requests.length;
    const run = startCli(crawl([`${web.origins.docs}/`], '--delay', '300ms'));
    run.process.stderr?.destroy();
    expect((await run.end).code).toBe(0);
    expect(web.requests.length - before).toBeLessThan(5);
  });

  test('a closed pipe keeps the exit code of what is over', async () => {
    const run = startCli(['bogus']);
    run.process.stderr?.destroy();
    expect((await run.end).code).toBe(2);
  });
});

test('a configuration that never ends: one clear line, exit 3', async () => {
  const config = join(folder, 'freshet.config.mjs');
  writeFileSync(config, 'await new Promise(() => {});\nexport default {};\n');
  const end = await runCli(['status', '--config', config]);
  expect(end.code).toBe(3);
  expect(end.stderr).toContain('freshet.config.mjs: it awaits something that never comes');
});

test('a folder in use: the second crawl says so and leaves with 9, reading goes on', async () => {
  const run = startCli(crawl([`${web.origins.library}/`], '--quiet'));
  await afterRequests(2, run);
  const second = await runCli(crawl([`${web.origins.news}/`]));
  expect(second.code).toBe(9);
  expect(second.stderr).toContain(String(run.process.pid));
  expect(await urlsOf()).not.toEqual([]);
  run.process.kill('SIGINT');
  expect((await run.end).code).toBe(130);
});

test('bug-062: two crawls and a search page begin at one instant in a new folder: one crawl leaves with 9', async () => {
  for (let round = 0; round < 2; round++) {
    data = join(folder, `new-${round}`);
    const page = startCli(['serve', '--data', data, '--port', '0']);
    const args = crawl([`${web.origins.library}/`], '--max-pages', '1'); // Crawl-delay: 2, so that they do meet
    const ends = await Promise.all([runCli(args), runCli(args)]);
    expect(ends.map(({ code }) => code).sort()).toEqual([0, 9]);
    page.process.kill('SIGTERM');
    const { code, stderr } = await page.end;
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Search page: \S+ .*\n$/);
  }
});

test('a data folder that cannot be one: one clear line, exit 3', async () => {
  data = '/dev/null/data';
  const end = await runCli(crawl([`${web.origins.news}/`]));
  expect(end.code).toBe(3);
  expect(end.stderr).toContain('cannot use the data folder');
});

test('held removals of a host that has none: one clear line, exit 2', async () => {
  await runCli(crawl([`${web.origins.news}/`], '--max-pages', '1'));
  const end = await runCli(['held', 'apply', 'docs.example.org', '--data', data]);
  expect(end.code).toBe(2);
  expect(end.stderr).toContain('no removals of docs.example.org are held');
});

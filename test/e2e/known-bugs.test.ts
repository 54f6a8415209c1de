/** Old bugs of other crawlers that only show in real processes: memory, a data folder begun by several, words of the command line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LINK_LIMIT } from '../../src/parse/links.ts';
import { type CliEnd, runCli, startCli } from '../support/cli.ts';
import { answer, startRawServer } from '../support/raw-server.ts';

const HTML = { 'Content-Type': 'text/html' };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-known-bugs-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('bug-064: a page with 200,000 links is read with a heap of 256 MB, and as many are taken as a page may have', async () => {
  const links = Array.from({ length: 200_000 }, (_, n) => `<a href=/${n}>${n}</a>`).join('');
  const server = await startRawServer({
    '/': answer('200 OK', HTML, `<title>Many</title><p>Many links</p>${links}`),
    '/robots.txt': answer('404 Not Found', {}),
    '*': answer('200 OK', HTML, '<title>One</title><p>One of many'),
  });
  const data = join(folder, 'many');
  const flags = ['--data', data, '--allow-private', '127.0.0.1', '--delay', '10ms', '--max-pages', '20'];
  const end = await startCli(
    ['crawl', `${server.origin}/`, ...flags, '--concurrency', '4', '--json'],
    ['--max-old-space-size=256'],
  ).end;
  await server.close();
  expect(end).toMatchObject({ code: 0 });
  expect(JSON.parse(end.stdout)).toMatchObject({ limit: 'limit.pages', documents: 20 });
  const { stdout } = await runCli(['urls', '--json', '--data', data]);
  expect((JSON.parse(stdout) as unknown[]).length).toBeLessThanOrEqual(LINK_LIMIT + 1);
});

test('bug-038: a start URL that leads to another host is told, with the command that crawls that one', async () => {
  const server = await startRawServer({
    '/robots.txt': answer('404 Not Found', {}),
    '*': answer('301 Moved', { Location: 'http://www.a.test/' }),
  });
  const seed = `${server.origin}/`;
  const end = await runCli(['crawl', seed, '--data', join(folder, 'www'), '--allow-private', '127.0.0.1']);
  await server.close();
  expect(end.code).not.toBe(0);
  expect(end.stdout + end.stderr).toContain(`start URL ${seed}: redirect.scope`);
  expect(end.stdout + end.stderr).toContain('freshet crawl http://www.a.test/');
});

/** Opens the folders it is told, and says how that ended. */
const opener = `
  import { openDatabase } from './dist/store/database.js';
  process.on('message', ({ folder, isReadOnly }) => {
    let end = 'open';
    try {
      openDatabase(folder, { isReadOnly }).close();
    } catch (error) {
      end = error.message;
    }
    process.send(end);
  });
  process.send('ready');`;

async function nextWord(child: ChildProcess): Promise<unknown> {
  const [word] = await once(child, 'message');
  return word;
}

test('bug-062: four processes open a new folder at one instant, thirty times: those that write are never turned away', async () => {
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', opener], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  await Promise.all(children.map(nextWord));
  for (let round = 0; round < 30; round++) {
    const ends = children.map(nextWord);
    for (const [n, child] of children.entries())
      child.send({ folder: join(folder, `new-${round}`), isReadOnly: n === 3 });
    const [reader, ...writers] = (await Promise.all(ends)).reverse();
    expect(writers).toEqual(['open', 'open', 'open']);
    // Whoever reads may come too early.
    expect(reader).toMatch(/^open$|^no data in /);
  }
  for (const child of children) child.disconnect();
});

test('bug-062: a crawl and a search page begin at one instant in a new folder, and both start', async () => {
  const server = await startRawServer({
    '/robots.txt': answer('404 Not Found', {}),
    '*': answer('200 OK', HTML, '<title>One</title><p>Text of the one page'),
  });
  const data = join(folder, 'both');
  const page = startCli(['serve', '--data', data, '--port', '0']);
  const crawled = await runCli([
    'crawl',
    `${server.origin}/`,
    '--data',
    data,
    '--allow-private',
    '127.0.0.1',
  ]);
  page.process.kill('SIGTERM');
  const served: CliEnd = await page.end;
  await server.close();
  expect([crawled.code, served.code]).toEqual([0, 0]);
  expect(served.stderr).toMatch(/^Search page: \S+ .*\n$/);
});

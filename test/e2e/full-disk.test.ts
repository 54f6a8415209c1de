/** The built command line on a disk that is full, and on one that cannot be written to: a small file system of its own in memory (R32). */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UrlRow } from '../../src/store/reports.ts';
import { runCli } from '../support/cli.ts';

const PAGES = 300;
const disk = mkdtempSync(join(tmpdir(), 'freshet-disk-'));
const whyNot = mount('size=6m');

let server: Server;
let config: string;

/** Mounts the file system, or mounts it anew with other options; null, or why that cannot be done. */
function mount(options: string): string | null {
  const how = options.startsWith('remount')
    ? ['-o', options, disk]
    : ['-t', 'tmpfs', '-o', options, 'tmpfs', disk];
  try {
    execFileSync('mount', how, { stdio: 'pipe' });
    return null;
  } catch (error) {
    return `cannot mount a file system: ${error instanceof Error ? error.message.trim() : String(error)}`;
  }
}

/** Text that hardly packs, of a number. */
function noise(seed: number): string {
  let text = '';
  for (let i = 0; text.length < 12_000; i++)
    text += createHash('sha256').update(`${seed}.${i}`).digest('base64');
  return text;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const n = Number(request.url?.slice(1));
    if (!Number.isInteger(n)) {
      response.writeHead(404).end();
      return;
    }
    const links = [1, 2, 3].map((i) => `<a href="/${(n * 3 + i) % PAGES}">next</a>`).join(' ');
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(`<title>Page ${n}</title><p>A river, ${noise(n)} ${links}`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  config = join(disk, '..', `freshet-disk-${process.pid}.yaml`);
  const lines = [
    `sites: [{start: ["http://127.0.0.1:${(server.address() as AddressInfo).port}/0"], sitemaps: none}]`,
    'security: {allow_private: ["127.0.0.1"]}',
    'politeness: {delay: 1ms, per_host: 8}',
    'archive: {warc: true}',
    `storage: {dir: ${join(disk, 'data')}}`,
  ];
  writeFileSync(config, lines.join('\n'));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(config);
  if (whyNot === null) execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});

const freshet = (...args: string[]) => runCli([...args, '--config', config, '--quiet']);

async function indexed(): Promise<number> {
  const { stdout } = await freshet('urls', '--json');
  return (JSON.parse(stdout) as UrlRow[]).filter(({ state }) => state === 'indexed').length;
}

describe('a disk that is full', () => {
  test('ends the crawl with 8, and again; what is there is sound and can be searched; with room it goes on', async (context) => {
    if (whyNot !== null) context.skip(whyNot);
    for (let run = 0; run < 2; run++) {
      const end = await freshet('crawl');
      expect(end).toMatchObject({ code: 8 });
      expect(end.stderr).toContain('no room left on the disk');
      expect(await freshet('check')).toMatchObject({ code: 0 });
    }
    const before = await indexed();
    expect(before).toBeGreaterThan(10);
    expect(before).toBeLessThan(PAGES);
    expect((await freshet('search', 'river')).stdout).toContain('Page ');

    expect(mount('remount,size=200m')).toBeNull();
    expect(await freshet('crawl')).toMatchObject({ code: 0 });
    expect(await freshet('check')).toMatchObject({ code: 0 });
    expect(await indexed()).toBe(PAGES);
  }, 120_000);

  test('that cannot be written to is searched and checked; a crawl says so in one line', async (context) => {
    if (whyNot !== null) context.skip(whyNot);
    expect(mount('remount,ro')).toBeNull();
    const crawl = await freshet('crawl');
    expect(crawl.code).toBe(3);
    expect(crawl.stderr).toMatch(
      /^freshet: cannot use the data folder .*\n {2}check that it is a folder and writable.*\n$/,
    );
    expect(await freshet('check')).toMatchObject({ code: 0, stderr: '' });
    expect(await freshet('status')).toMatchObject({ code: 0, stderr: '' });
    expect((await freshet('search', 'river')).stdout).toContain('Page ');
    expect(await freshet('backup', join(disk, 'copy.db'))).toMatchObject({ code: 3 });
    const copy = `${config}.db`;
    expect(await freshet('backup', copy)).toMatchObject({ code: 0 });
    rmSync(copy);
    expect(mount('remount,rw')).toBeNull();
  }, 60_000);
});

/** WARC files of a whole crawl by the built command line, read by an implementation that is not ours (R40). */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WARCParser } from 'warcio';
import { runCli, startCli } from '../support/cli.ts';

const TEXT = '中文 and rivers. '.repeat(40);
const links = ['/plain', '/same', '/moved', '/big', '/gone', '/accent'];
const page = (name: string): string =>
  `<title>${name}</title><p>${TEXT}${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}`;

interface Read {
  readonly type: string;
  readonly url: string;
  readonly offset: number;
  readonly field: (name: string) => string | null;
  readonly http: readonly (readonly [string, string])[];
  readonly statusLine: string;
  readonly text: string;
}

let server: Server;
let origin: string;
let folder: string;
let config: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-warc-'));
  server = createServer((request, response) => answer(request.url ?? '', response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  config = join(folder, 'freshet.yaml');
  const lines = [
    `sites: [{start: ["${origin}/"], sitemaps: none}]`,
    'security: {allow_private: ["127.0.0.1"]}',
    'politeness: {delay: 5ms, per_host: 8}',
    'limits: {body: 1MB}',
    'archive: {warc: true, file: 1MB}',
    'storage: {dir: data}',
  ];
  writeFileSync(config, lines.join('\n'));
  const { code } = await runCli(['crawl', '--config', config, '--quiet']);
  expect(code).toBe(0);
}, 60_000);
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

function answer(path: string, response: import('node:http').ServerResponse): void {
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  if (path === '/robots.txt') response.writeHead(404).end();
  else if (path === '/moved') {
    response.writeHead(301, { Location: '/plain', 'Set-Cookie': ['a=1', 'b=2'] }).end('moved');
  } else if (path === '/gone') response.writeHead(404, headers).end('<p>nothing here');
  else if (path === '/big') {
    // Bytes that do not pack, so that files fill up.
    response.writeHead(200, headers);
    for (let i = 0; i < 30; i++) response.write(noise(i));
    response.end();
  } else if (path === '/accent') {
    response.writeHead(200, 'd\u00e9j\u00e0 vu', { ...headers, 'X-Note': '\u00e9' }).end(page('accent'));
  } else {
    const packed = gzipSync(page(path === '/same' ? '/plain' : path));
    response.writeHead(200, { ...headers, 'Content-Encoding': 'gzip' });
    response.write(packed.subarray(0, 40));
    response.end(packed.subarray(40));
  }
}

/** 100,000 bytes that are no text and do not pack, of a seed. */
function noise(seed: number): Buffer {
  const bytes = Buffer.alloc(100_000);
  let state = seed + 1;
  for (let i = 0; i < bytes.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

function files(): string[] {
  const warcs = join(folder, 'data', 'warc');
  return readdirSync(warcs)
    .sort()
    .map((name) => join(warcs, name));
}

async function readAll(file: string): Promise<Read[]> {
  const bytes = readFileSync(file);
  const source = (async function* () {
    yield new Uint8Array(bytes);
  })();
  const parser = new WARCParser(source);
  const records: Read[] = [];
  for (let record = await parser.parse(); record !== null; record = await parser.parse()) {
    const payload = await record.readFully(true);
    records.push({
      type: record.warcType ?? '',
      url: record.warcTargetURI ?? '',
      offset: parser.offset,
      field: (name) => record.warcHeaders.headers.get(name) ?? null,
      http: [...(record.httpHeaders?.headers.entries() ?? [])] as [string, string][],
      statusLine: record.httpHeaders?.statusline ?? '',
      text: Buffer.from(payload).toString(),
    });
  }
  return records;
}

async function everything(): Promise<Read[]> {
  return (await Promise.all(files().map(readAll))).flat();
}

async function answerFor(path: string): Promise<Read> {
  const found = (await everything()).find(
    ({ type, url }) => (type === 'response' || type === 'revisit') && url === `${origin}${path}`,
  );
  if (found === undefined) throw new Error(`no answer of ${path}`);
  return found;
}

describe('warc', () => {
  test('every exchange is there: answer, request and metadata (warc-write-00, 01, 02, 13, 22)', async () => {
    const records = await everything();
    expect(records[0]?.type).toBe('warcinfo');
    expect(records[0]?.text).toMatch(
      /^software: freshet\/.*\r\nrobots: classic\r\n(?:.*\r\n)*format: WARC File Format 1\.1/,
    );
    for (const record of records) {
      expect(record.field('WARC-Record-ID')).toMatch(/^<urn:uuid:[0-9a-f-]{36}>$/);
      expect(record.field('WARC-Date')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(record.field('WARC-Block-Digest')).toMatch(/^sha256:[0-9a-f]{64}$/);
    }
    for (const path of ['/robots.txt', '/', ...links]) {
      const types = records.filter(({ url }) => url === `${origin}${path}`).map(({ type }) => type);
      expect([path, ...types.slice(1, 3)]).toEqual([path, 'request', 'metadata']);
    }
    expect(await answerFor('/moved')).toMatchObject({ statusLine: 'HTTP/1.1 301 Moved Permanently' });
  });

  test('bodies are what readers expect under the headers beside them (warc-write-04, 05, 06, bug-101)', async () => {
    const { text, http } = await answerFor('/');
    expect(text).toBe(page('/'));
    const names = http.map(([name]) => name.toLowerCase());
    expect(names).toContain('x-crawler-transfer-encoding');
    expect(names).not.toContain('transfer-encoding');
    expect(names).toContain('content-length');
  });

  test('a body that came before is a revisit of it (warc-write-15)', async () => {
    const [plain, same] = [await answerFor('/plain'), await answerFor('/same')];
    const revisit = plain.type === 'revisit' ? plain : same;
    const first = plain.type === 'revisit' ? same : plain;
    expect([first.type, revisit.type]).toEqual(['response', 'revisit']);
    expect(revisit.field('WARC-Profile')).toBe(
      'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
    );
    expect(revisit.field('WARC-Payload-Digest')).toBe(first.field('WARC-Payload-Digest'));
    expect(revisit.field('WARC-Refers-To-Target-URI')).toBe(first.url);
    expect(revisit.field('WARC-Refers-To-Date')).toBe(first.field('WARC-Date'));
    expect(revisit.text).toBe('');
  });

  test('a body cut short says why, and is as long as it says (warc-write-16, bug-104)', async () => {
    const big = await answerFor('/big');
    expect(big.field('WARC-Truncated')).toBe('length');
    expect(big.http).toContainEqual(['content-length', String(1024 ** 2)]);
  });

  test('headers are bytes: values that repeat, and values that are not ASCII (warc-write-19, 26, bug-106)', async () => {
    const packed = files().map((file) => gunzipSync(readFileSync(file)).toString('latin1'));
    const text = packed.join('');
    expect(text).toContain('Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n');
    expect(text).toContain('X-Note: \u00e9\r\n');
    expect((await answerFor('/accent')).text).toBe(page('accent'));
  });

  test('files are of bounded size, each begins with its own warcinfo (warc-write-20, bug-104)', async () => {
    const all = files();
    expect(all.length).toBeGreaterThan(1);
    expect(new Set(all).size).toBe(all.length);
    for (const file of all) expect((await readAll(file))[0]?.type).toBe('warcinfo');
  });

  test('each record is a gzip member of its own, read from its offset (warc-write-03)', async () => {
    const [file = ''] = files();
    const bytes = readFileSync(file);
    for (const { offset, type } of await readAll(file)) {
      expect(bytes.subarray(offset, offset + 3)).toEqual(Buffer.from([0x1f, 0x8b, 8]));
      expect(type).not.toBe('');
    }
  });

  test('check finds them sound with their digests (warc-write-08), and a byte changed in one', async () => {
    expect(await runCli(['check', '--config', config])).toMatchObject({ code: 0 });
    const [file = ''] = files();
    const good = readFileSync(file);
    const bad = Buffer.from(good);
    bad[bad.length >> 1] = (bad[bad.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, bad);
    const end = await runCli(['check', '--config', config]);
    writeFileSync(file, good);
    expect(end).toMatchObject({ code: 12 });
    expect(end.stdout).toContain(`${file}, byte`);
  });

  test('what a dying process left behind the last commit is cut off by the next crawl (bug-103)', async () => {
    const file = files().at(-1) ?? '';
    const before = readFileSync(file);
    const torn = gzipSync('WARC/1.1\r\nWARC-Type: response\r\n').subarray(0, 20);
    appendFileSync(file, torn);
    expect((await runCli(['crawl', '--config', config, '--quiet', '--now'])).code).toBe(0);
    expect(readFileSync(file).subarray(0, before.length)).toEqual(before);
    expect(readFileSync(file).indexOf(torn, before.length)).toBe(-1);
    expect(await runCli(['check', '--config', config])).toMatchObject({ code: 0 });
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'after %s in the middle all files are whole (bug-103)',
    async (signal) => {
      const seen = new Promise<void>((resolve) => server.once('request', () => setTimeout(resolve, 30)));
      const run = startCli(['crawl', '--config', config, '--quiet', '--now']);
      await seen;
      run.process.kill(signal);
      await run.end;
      expect(await runCli(['check', '--config', config])).toMatchObject({ code: 0 });
      expect((await runCli(['crawl', '--config', config, '--quiet', '--now'])).code).toBe(0);
      expect(await runCli(['check', '--config', config])).toMatchObject({ code: 0 });
    },
  );
});

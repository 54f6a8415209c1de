import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { digestOf } from './format.ts';
import { readResponse } from './http-block.ts';
import { readWarc, type WarcProblem, type WarcRecord } from './reader.ts';

const HTML = '<!doctype html><title>River levels</title>';
const HTTP = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${HTML.length}\r\n\r\n${HTML}`;

interface Made {
  readonly fields?: readonly string[];
  readonly block?: string;
  readonly lineEnd?: string;
  readonly version?: string;
}

/** A response record as other crawlers write it. */
function made({ fields = [], block = HTTP, lineEnd = '\r\n', version = 'WARC/1.0' }: Made = {}): Buffer {
  const bytes = Buffer.from(block);
  const uri = fields.some((field) => field.startsWith('WARC-Target-URI'))
    ? []
    : ['WARC-Target-URI: http://a.test/'];
  const header = [
    version,
    'WARC-Type: response',
    'WARC-Record-ID: <urn:uuid:6e8f7f5e-9c1f-4f1e-8c5b-0f6d1a2b3c4d>',
    ...uri,
    'WARC-Date: 2026-12-01T10:00:00Z',
    'Content-Type: application/http; msgtype=response',
    ...fields,
    `Content-Length: ${bytes.length}`,
    '',
    '',
  ].join(lineEnd);
  return Buffer.concat([Buffer.from(header), bytes, Buffer.from('\r\n\r\n')]);
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(
  bytes: Uint8Array,
  size = 65_536,
  maxBlockBytes?: number,
): Promise<(WarcRecord | WarcProblem)[]> {
  const items: (WarcRecord | WarcProblem)[] = [];
  for await (const item of readWarc(inPieces(bytes, size), maxBlockBytes)) items.push(item);
  return items;
}

async function recordsOf(bytes: Uint8Array, size?: number): Promise<WarcRecord[]> {
  const items = await read(bytes, size);
  expect(items.filter(({ kind }) => kind === 'problem')).toEqual([]);
  return items.filter((item) => item.kind === 'record');
}

const problem = (offset: number, severity: WarcProblem['severity'], message: unknown) => ({
  kind: 'problem',
  offset,
  severity,
  message,
});
const three = [made(), made({ block: HTTP.replace('River', 'Water') }), made({ block: '' })];
const packed = three.map((record) => gzipSync(record));

/** Every case of warc.json that is about reading. */
const cases: Readonly<Record<string, () => Promise<void>>> = {
  'warc-read-02': async () => {
    const items = await read(gzipSync(Buffer.concat(three)));
    const message = 'several records share one gzip member, so none can be read from its offset';
    expect(items.map(({ kind, offset }) => [kind, offset])).toEqual([
      ['record', 0],
      ['problem', 0],
      ['record', 0],
      ['record', 0],
    ]);
    expect(items[1]).toEqual(problem(0, 'remark', message));
    expect(items[2]).toMatchObject({ block: Buffer.from(HTTP.replace('River', 'Water')) });
  },
  'warc-read-03': async () => {
    const plain = await read(Buffer.concat(three).subarray(10));
    expect(plain).toEqual([problem(0, 'broken', 'no record begins here')]);
    const gz = await read(Buffer.concat(packed).subarray(10));
    expect(gz).toEqual([problem(0, 'broken', 'no record begins here')]);
  },
  'warc-read-05': async () => {
    const fields = ['WARC-Target-URI: file:///example with spaces.png'];
    const [record] = await recordsOf(made({ fields }));
    expect(record?.targetUri).toBe('file:///example%20with%20spaces.png');
  },
  'warc-read-06': async () => {
    const chunks = `5\r\n${HTML.slice(0, 5)}\r\n${(HTML.length - 5).toString(16)};x=y\r\n${HTML.slice(5)}\r\n0\r\n\r\n`;
    const block = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`;
    const [record] = await recordsOf(made({ block }));
    expect(Buffer.from(readResponse(record?.block ?? Buffer.of())?.body ?? []).toString()).toBe(HTML);
  },
  'warc-read-07': async () => {
    const good = digestOf(Buffer.from(HTML));
    const fields = [`WARC-Payload-Digest: ${good.slice(0, -3)}${good.endsWith('000') ? '111' : '000'}`];
    const items = await read(Buffer.concat([made({ fields }), made()]));
    expect(items).toMatchObject([
      { digestProblems: ['WARC-Payload-Digest is not that of the record'], block: Buffer.from(HTTP) },
      { digestProblems: [] },
    ]);
  },
  'warc-read-08': async () => {
    const [record] = await recordsOf(made({ fields: ['WARC-Block-Digest: xxx:ABC'] }));
    expect(record?.digestProblems).toEqual([
      'WARC-Block-Digest is of an algorithm that is not known: xxx:ABC',
    ]);
  },
  'warc-read-09': async () => {
    const extra = Buffer.from('\r\n\r\n');
    expect(await recordsOf(Buffer.concat([made(), extra, made(), extra]))).toHaveLength(2);
  },
  'warc-read-10': async () => {
    const records = await recordsOf(Buffer.concat([made({ lineEnd: '\n' }), made({ lineEnd: '\n' })]));
    expect(records.map(({ targetUri, block }) => [targetUri, block?.length])).toEqual([
      ['http://a.test/', HTTP.length],
      ['http://a.test/', HTTP.length],
    ]);
  },
  'warc-read-12': async () => {
    const [record] = await recordsOf(made({ fields: ['X-Note: one\r\n  line'] }));
    expect(record?.fields).toContainEqual(['X-Note', 'one line']);
  },
  'warc-read-14': async () => {
    const records = await recordsOf(Buffer.concat([made({ block: '' }), made()]));
    expect(records.map(({ block }) => block?.length)).toEqual([0, HTTP.length]);
  },
  'warc-read-15': async () => {
    for (const file of [Buffer.concat(three), Buffer.concat(packed)]) {
      expect(await recordsOf(file, 1)).toEqual(await recordsOf(file));
    }
  },
};

const ids = (
  JSON.parse(readFileSync('test/fixtures/cases/warc.json', 'utf8')) as {
    read: { id: string; name: string }[];
  }
).read;

test.each(ids)('$id $name', async ({ id }) => {
  const play = cases[id];
  if (play === undefined) throw new Error(`nobody plays ${id}`);
  await play();
});

describe('offsets', () => {
  test.each([
    ['plain', three],
    ['packed', packed],
  ])('of a %s file: each record is read alone from its own', async (_, parts) => {
    const file = Buffer.concat(parts);
    const records = await recordsOf(file);
    expect(records.map(({ offset }) => offset)).toEqual([
      0,
      parts[0]?.length,
      (parts[0]?.length ?? 0) + (parts[1]?.length ?? 0),
    ]);
    for (const record of records) {
      const [alone] = await recordsOf(file.subarray(record.offset));
      expect(alone).toEqual({ ...record, offset: 0 });
    }
  });
});

describe('a file cut at any byte', () => {
  test.each([
    ['plain', three],
    ['packed', packed],
  ])('%s: the records before the cut, then one word about it', async (_, parts) => {
    const file = Buffer.concat(parts);
    const ends = parts.map((_part, i) => Buffer.concat(parts.slice(0, i + 1)).length);
    for (let cut = 1; cut < file.length; cut++) {
      const items = await read(file.subarray(0, cut));
      const whole = ends.filter((end) => end <= cut).length;
      const isClean = cut === 0 || ends.includes(cut);
      // A record is whole before the line ends behind it, and before the checksum of its member.
      const inEnd = ends.some((end) => end > cut && end - cut <= 12);
      if (inEnd) continue;
      const kinds = items.map((item) => (item.kind === 'record' ? 'record' : item.severity));
      expect([cut, ...kinds]).toEqual([cut, ...Array(whole).fill('record'), ...(isClean ? [] : ['torn'])]);
    }
  });
});

describe('what is no WARC', () => {
  const long = Buffer.alloc(300_000, 'A');
  test.each<[string, Uint8Array, string]>([
    ['text', Buffer.from('Hello, this is no archive of anything\r\n'), 'no record begins here'],
    ['an odd version', made({ version: 'WARC/x' }), 'no record begins here'],
    [
      'a version line without end',
      Buffer.concat([Buffer.from('WARC/1.0'), long]),
      'a version line without end',
    ],
    ['a field without end', Buffer.concat([Buffer.from('WARC/1.0\r\nA: '), long]), 'a header without end'],
    [
      'fields without end',
      Buffer.from(`WARC/1.0\r\n${'A: b\r\n'.repeat(100_000)}`),
      'a header larger than 262144 bytes',
    ],
    ['a line that is no field', Buffer.from('WARC/1.0\r\nnothing\r\n\r\n'), 'a header line that is no field'],
    ['no length', Buffer.from('WARC/1.0\r\nA: b\r\n\r\n'), 'a record without a Content-Length'],
    [
      'a length that is none',
      Buffer.from('WARC/1.0\r\nContent-Length: -1\r\n\r\n'),
      'a record without a Content-Length',
    ],
  ])('%s', async (_, bytes, message) => {
    expect(await read(bytes)).toMatchObject([{ kind: 'problem', offset: 0, message }]);
    expect(await read(gzipSync(bytes))).toMatchObject([{ kind: 'problem', offset: 0, message }]);
  });

  test('a member whose checksum is wrong is told', async () => {
    const file = Buffer.concat(packed);
    file[(packed[0]?.length ?? 0) - 8] = (file[(packed[0]?.length ?? 0) - 8] ?? 0) ^ 1;
    expect((await read(file)).at(-1)).toEqual(problem(0, 'broken', 'the gzip member is broken'));
  });
});

test('a block larger than the limit is passed over, and what follows is read', async () => {
  const large = made({ block: 'x'.repeat(1_000_000) });
  for (const file of [Buffer.concat([large, made()]), Buffer.concat([gzipSync(large), gzipSync(made())])]) {
    const items = await read(file, 65_536, 10_000);
    expect(items).toMatchObject([{ block: null }, { block: Buffer.from(HTTP) }]);
  }
});

describe('responses', () => {
  test.each<[string, string, number, string]>([
    ['without a reason', 'HTTP/1.1 200\r\nA: b\r\n\r\nbody', 200, 'body'],
    ['with LF line ends', 'HTTP/1.1 404 Not Found\nA: b\n\nbody', 404, 'body'],
    ['of HTTP/2', 'HTTP/2 200\r\nA: b\r\n\r\nbody', 200, 'body'],
    ['without a body', 'HTTP/1.1 204 No Content\r\nA: b\r\n\r\n', 204, ''],
    ['without an empty line', 'HTTP/1.1 204 No Content\r\nA: b', 204, ''],
    [
      'said to be chunked that are not',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<p>x',
      200,
      '<p>x',
    ],
    ['whose chunks end early', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab', 200, 'ab'],
  ])('%s', (_, block, status, body) => {
    const response = readResponse(Buffer.from(block));
    expect(response?.status).toBe(status);
    expect(Buffer.from(response?.body ?? []).toString()).toBe(body);
  });

  test.each(['', 'GET / HTTP/1.1\r\n\r\n', 'HTTP/1.1 xyz\r\n\r\n'])('none: %j', (block) => {
    expect(readResponse(Buffer.from(block))).toBeNull();
  });
});

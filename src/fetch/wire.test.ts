/** What a downloader keeps for a WARC. */
import { expect, test } from 'vitest';
import { alive, download, serve } from '../../test/support/downloads.ts';
import type { Step } from '../../test/support/raw-server.ts';
import type { FetchResult, WireAnswer } from '../types.ts';

const head = 'HTTP/1.1 200 d\xe9j\xe0 vu\r\nContent-Type: text/html\r\n';

async function wireOf(
  steps: readonly Step[],
  limits = {},
): Promise<{ kind: string; wire: WireAnswer | undefined }> {
  const server = await serve({ '*': steps });
  const downloader = download(limits, { keepsWire: true });
  const result: FetchResult = await downloader.fetch({ url: `${server.origin}/page` }, alive);
  return { kind: result.kind, wire: result.head?.wire };
}

const textOf = (wire: WireAnswer | undefined): string => Buffer.from(wire?.bytes ?? []).toString('latin1');

test('the whole of an answer, and the headers that were sent', async () => {
  const { kind, wire } = await wireOf([{ send: `${head}Content-Length: 4\r\n\r\nbody` }]);
  expect(kind).toBe('ok');
  expect(wire).toMatchObject({ truncated: null });
  expect(textOf(wire)).toBe('body');
  expect(wire?.request.headers.map(([name]) => name)).toEqual(['User-Agent', 'Accept', 'Accept-Encoding']);
});

test.each<[string, readonly Step[], object, string, string]>([
  [
    'too long (bug-104)',
    [{ send: `${head}Transfer-Encoding: chunked\r\n\r\n8\r\n01234567\r\n0\r\n\r\n` }],
    { maxBodyBytes: 5 },
    'length',
    '01234',
  ],
  ['cut off', [{ send: `${head}Content-Length: 9\r\n\r\nhalf` }, { close: 'end' }], {}, 'disconnect', 'half'],
  [
    'too slow',
    [{ send: `${head}Content-Length: 9\r\n\r\nslow` }, { waitMs: 60_000 }],
    { idleMs: 100 },
    'time',
    'slow',
  ],
])('of a body %s what came of it, and why no more did', async (_, steps, limits, truncated, text) => {
  const { kind, wire } = await wireOf(steps, limits);
  expect(kind).toBe('failed');
  expect(wire?.truncated).toBe(truncated);
  expect(textOf(wire)).toBe(text);
});

test('nothing when nobody keeps a WARC', async () => {
  const server = await serve({ '*': [{ send: `${head}Content-Length: 4\r\n\r\nbody` }] });
  const result = await download().fetch({ url: `${server.origin}/page` }, alive);
  expect(result.head).not.toHaveProperty('wire');
});

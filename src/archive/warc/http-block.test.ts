/** Request records hold what went over the wire. */
import { expect, test } from 'vitest';
import { alive, download, serve } from '../../../test/support/downloads.ts';
import { answer } from '../../../test/support/raw-server.ts';
import type { FetchRequest } from '../../fetch/downloader.ts';
import { formBody, jsonBody } from '../../fetch/request-body.ts';
import { requestBlock } from './http-block.ts';

/** As undici writes the names of the headers it makes itself. */
function written(block: Uint8Array): string {
  const text = Buffer.from(block).toString('latin1');
  return text.replace(/^(Host|Connection|Content-Length)(?=:)/gm, (name) => name.toLowerCase());
}

test.each<Partial<FetchRequest>>([
  {},
  { method: 'HEAD' },
  { method: 'POST' },
  { method: 'POST', ...formBody({ user: 'a', password: 'hunter2' }) },
  { method: 'PUT', body: Uint8Array.of(0, 13, 10, 13, 10, 255) },
  { method: 'PATCH', ...jsonBody({ a: '蜘蛛' }) },
  { method: 'DELETE' },
  { method: 'DELETE', ...jsonBody(1) },
  {
    headers: [
      ['Cookie', 'a=b'],
      ['Authorization', 'Basic YTpi'],
      ['X-Latin-1', 'caf\xe9'],
    ],
  },
])('the record of %j is the request as sent', async (request) => {
  const server = await serve({ '*': answer('200 OK', {}) });
  const downloader = download({}, { keepsWire: true });
  const result = await downloader.fetch({ url: `${server.origin}/a?b=c`, ...request }, alive);
  if (result.head?.wire === undefined) throw new Error('nothing was kept');
  const block = requestBlock(result.head.url, result.head.wire.request);
  expect(written(block)).toBe(`${server.requests[0]}\r\n\r\n${server.bodies[0]}`);
});

/** WARC files of anybody, packed or not: the bytes of a file. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { packRecord, recordBytes } from '../../../src/archive/warc/format.ts';
import { readResponse, responseBlock } from '../../../src/archive/warc/http-block.ts';
import { readWarc, type WarcProblem, type WarcRecord } from '../../../src/archive/warc/reader.ts';
import { bytesOf, type Target } from '../target.ts';

const MOST_BLOCK_BYTES = 1_000_000;

export function warcTarget(): Target {
  const block = responseBlock({
    status: 200,
    statusText: 'OK',
    headers: [['Transfer-Encoding', 'chunked']],
    body: Buffer.from('<p>rivers'),
  });
  const record = {
    type: 'response',
    id: '6e8f7f5e-9c1f-4f1e-8c5b-0f6d1a2b3c4d',
    at: 0,
    contentType: 'application/http; msgtype=response',
    fields: [['WARC-Target-URI', 'http://a.test/']],
    block,
  } as const;
  const files = [
    recordBytes(record),
    Buffer.concat([recordBytes(record), recordBytes(record)]),
    packRecord(record),
    Buffer.concat([packRecord(record), packRecord(record)]),
    gzipSync(Buffer.concat([recordBytes(record), recordBytes(record)])),
    Buffer.from('WARC/1.0\nWARC-Type: response\nContent-Length: 30\n\nHTTP/1.1 200\n\n5\nabcde\n0\n\n\n\n'),
  ];
  return {
    corpus: files.map((file) => Buffer.from(file).toString('latin1')),
    words: [
      ...[
        'WARC/1.0',
        'WARC/1.1',
        '\r\n',
        '\n',
        '\r\n\r\n',
        ':',
        ' ',
        '\t',
        'Content-Length: ',
        '0',
        '5',
        '99999999999',
      ],
      ...[
        'WARC-Type: ',
        'WARC-Block-Digest: sha1:',
        'WARC-Payload-Digest: md5:',
        'WARC-Date: ',
        'WARC-Truncated: length',
      ],
      ...[
        'HTTP/1.1 200 OK',
        'Transfer-Encoding: chunked',
        'ffffffff',
        '\x1f\x8b\x08',
        '\x1f\x8b\x08\x08',
        '\0',
      ],
    ],
    async run(input) {
      const file = bytesOf(input);
      const items = await read(file, 65_536);
      return async () => {
        for (const item of items) {
          assert.ok(item.offset >= 0 && item.offset <= file.length, 'an offset lies within the file');
          if (item.kind !== 'record' || item.block === null) continue;
          const response = readResponse(item.block);
          assert.ok((response?.body.length ?? 0) <= item.block.length, 'a body is no longer than its block');
        }
        const ends = items.filter((item) => item.kind === 'problem' && item.severity !== 'remark');
        assert.ok(
          ends.length <= 1 && (ends.length === 0 || ends[0] === items.at(-1)),
          'nothing follows the end',
        );
        // What zlib gives of broken data before it says so depends on the pieces.
        const isBroken = items.some((item) => item.kind === 'problem' && item.severity === 'broken');
        if (file.length <= 4_096 && !isBroken)
          assert.deepEqual(await read(file, 1), items, 'pieces of any size read the same');
      };
    },
  };
}

async function read(file: Uint8Array, size: number): Promise<(WarcRecord | WarcProblem)[]> {
  const source = (async function* () {
    for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
  })();
  const items: (WarcRecord | WarcProblem)[] = [];
  for await (const item of readWarc(source, MOST_BLOCK_BYTES)) items.push(item);
  return items;
}

/** Reads pages for a crawl without an index: as src/threads/reader-thread.ts does, but makes no tokens. */
import { hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { Unread } from '../src/crawl/reader.ts';
import { parsePage } from '../src/parse/page.ts';
import type { Answer } from '../src/threads/reader-thread.ts';

parentPort?.on('message', ({ bytes, head, productToken }: Unread) => {
  const page = parsePage(bytes, head, productToken);
  const answer: Answer = { reading: { page, bodyHash: hash('sha256', bytes, 'hex'), tokens: null } };
  parentPort?.postMessage(answer);
});

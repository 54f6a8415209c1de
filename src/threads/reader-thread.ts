/** The other end of reader-pool.ts: reads bodies one after the other. */
import { parentPort } from 'node:worker_threads';
import { type Reading, readPage, type Unread } from '../crawl/reader.ts';

/** `error` is the stack of what readPage threw: a bug of ours. */
export type Answer = { readonly reading: Reading } | { readonly error: string };

parentPort?.on('message', (unread: Unread) => {
  parentPort?.postMessage(answerTo(unread));
});

function answerTo(unread: Unread): Answer {
  try {
    return { reading: readPage(unread) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

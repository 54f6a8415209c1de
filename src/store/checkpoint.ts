/**
 * Moves the write-ahead log into the database from a thread of its own, so that no commit pays for it: with this the
 * slowest loans of a busy frontier take a millisecond instead of 50 (docs/decisions). Checkpoints are PASSIVE: they wait
 * for nobody and nobody waits for them. Without this thread everything works, only less evenly.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { logBytes } from './database.ts';

export interface Checkpoints {
  /** Ends the thread and closes its connection. */
  stop(): Promise<void>;
}

/** How often the log is looked at. */
const EVERY_MS = 1_000;
/** A smaller log is not worth a checkpoint, which syncs the disk: 16 MiB are 4,000 pages. */
const WORTHWHILE_BYTES = 16 * 1024 * 1024;

/**
 * Given as text, because it has to run from compiled and from TypeScript sources alike. It opens a connection of its own
 * and makes one checkpoint for every message.
 */
const WORKER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const Sqlite = require(workerData.driver);
  // Errors of the driver lose their message on the way to the other thread.
  const plainly = (run) => {
    try {
      return run();
    } catch (error) {
      throw new Error(error.message);
    }
  };
  const db = plainly(() => new Sqlite(workerData.file));
  parentPort.on('message', (message) => {
    if (message === 'checkpoint') {
      plainly(() => db.pragma('wal_checkpoint(PASSIVE)'));
      parentPort.postMessage('done');
    } else {
      db.close();
      parentPort.close();
    }
  });
`;

/**
 * Watches the log of the database in `file`; the thread is started when the log is large for the first time, which most
 * crawls never see. An error in it ends it and is told to `onError`; the writer then does its own checkpoints.
 */
export function startCheckpoints(file: string, clock: Clock, onError: (error: Error) => void): Checkpoints {
  let thread: Worker | null = null;
  let ended: Promise<void> = Promise.resolve();
  let isBusy = false;
  let cancel = (): void => undefined;

  const start = (): Worker => {
    const driver = createRequire(import.meta.url).resolve('better-sqlite3');
    const worker = new Worker(WORKER, { eval: true, workerData: { driver, file } });
    worker.unref();
    worker.on('message', () => {
      isBusy = false;
    });
    worker.once('error', onError);
    ended = new Promise((resolve) => worker.once('exit', () => resolve()));
    worker.once('exit', () => cancel());
    return worker;
  };
  const look = (): void => {
    cancel = clock.after(EVERY_MS, look);
    if (isBusy || logBytes(file) < WORTHWHILE_BYTES) return;
    isBusy = true;
    thread ??= start();
    thread.postMessage('checkpoint');
  };
  look();

  return {
    async stop() {
      cancel();
      thread?.ref(); // the process has to live until the connection is closed
      thread?.postMessage('stop');
      await ended;
    },
  };
}

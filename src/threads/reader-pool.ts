/**
 * Reads pages in threads, so that the thread of the crawl is free for the network and the disk. A page that is too much
 * for its thread (memory, time) fails alone: the thread is replaced and what waited behind it is read by the next one.
 */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import type { Reader, Reading, Unread } from '../crawl/reader.ts';
import type { Answer } from './reader-thread.ts';

/** Time for one page. Reading is linear, 30 to 60 ms a megabyte, and pages have at most a few of those: this is a bug. */
const LONGEST_READ_MS = 60_000;
/** Young objects die within a page or two; with the default of 16 MB those of many pages in flight are taken for old ones. */
const YOUNG_GENERATION_MB = 32;

export class ReaderPool implements Reader {
  readonly #threads: readonly ReaderThread[];

  /** `script` is reader-thread as it can be loaded; threads start when they are needed first. */
  constructor(script: URL, clock: Clock, size: number) {
    this.#threads = Array.from({ length: size }, () => new ReaderThread(script, clock));
  }

  read(unread: Unread): Promise<Reading> {
    const [first, ...others] = this.#threads;
    if (first === undefined) throw new Error('a pool has a thread');
    return others
      .reduce((least, thread) => (thread.waiting < least.waiting ? thread : least), first)
      .read(unread);
  }

  /** Ends the threads; what is still being read is never answered. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

interface Job {
  readonly unread: Unread;
  readonly resolve: (reading: Reading) => void;
  readonly reject: (error: Error) => void;
}

/** A thread and the pages it was given, answered in order. */
class ReaderThread {
  readonly #script: URL;
  readonly #clock: Clock;
  readonly #jobs: Job[] = [];
  #worker: Worker | null = null;
  #cancelDeadline = (): void => undefined;

  constructor(script: URL, clock: Clock) {
    this.#script = script;
    this.#clock = clock;
  }

  get waiting(): number {
    return this.#jobs.length;
  }

  read(unread: Unread): Promise<Reading> {
    return new Promise((resolve, reject) => {
      const job = { unread, resolve, reject };
      this.#jobs.push(job);
      this.#send(job);
      if (this.#jobs.length === 1) this.#setDeadline();
    });
  }

  async close(): Promise<void> {
    this.#cancelDeadline();
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #send({ unread }: Job): void {
    this.#worker ??= this.#start();
    // A copy of its own, because a Buffer may be a view of much more.
    const bytes = Uint8Array.prototype.slice.call(unread.bytes);
    this.#worker.postMessage({ ...unread, bytes }, [bytes.buffer]);
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    worker.unref();
    worker.on('message', (answer: Answer) => this.#answered(worker, answer));
    worker.once('error', (error) => this.#failed(worker, error));
    worker.once('exit', () => this.#failed(worker, new Error('the thread that read the page ended')));
    return worker;
  }

  #answered(worker: Worker, answer: Answer): void {
    if (worker !== this.#worker) return; // it was ended, and what it says belongs to no page that waits now
    const job = this.#jobs.shift();
    this.#setDeadline();
    if ('reading' in answer) job?.resolve(answer.reading);
    else job?.reject(new Error(answer.error));
  }

  #setDeadline(): void {
    this.#cancelDeadline();
    if (this.#jobs.length === 0) return;
    this.#cancelDeadline = this.#clock.after(LONGEST_READ_MS, () => {
      if (this.#worker !== null) this.#failed(this.#worker, new Error('the page took too long to read'));
    });
  }

  /** The first page of the queue ended the thread; the others are read by a new one. */
  #failed(worker: Worker, error: Error): void {
    if (worker !== this.#worker) return; // it was ended, or this is told twice
    this.#worker = null;
    void worker.terminate();
    this.#jobs.shift()?.reject(error);
    for (const job of this.#jobs) this.#send(job);
    this.#setDeadline();
  }
}

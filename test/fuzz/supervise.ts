/**
 * Fuzzes a target in a thread of its own, with bounded memory, and notices when it hangs or dies: the input it was given
 * last lies in memory that both sides see.
 */
import { Worker } from 'node:worker_threads';
import type { Fuzzed } from './fuzzer.ts';
import { MOST_LENGTH } from './target.ts';

/** Nothing that ends takes as long. */
const HANG_MS = 30_000;
/** Heap of the thread. The largest inputs need a tenth of it. */
const MOST_HEAP_MB = 1_024;
/** The shared memory: how many inputs came, the length of the last, its code units. */
const HEAD_UNITS = 4;

export interface ThreadData {
  readonly name: string;
  readonly seed: number;
  readonly spanMs: number;
  readonly memory: SharedArrayBuffer;
}

/** Runs the target for so long, guided by coverage. */
export async function fuzzInThread(name: string, seed: number, spanMs: number): Promise<Fuzzed> {
  const memory = new SharedArrayBuffer(4 * HEAD_UNITS + 2 * MOST_LENGTH);
  const input = new InputMemory(memory);
  const workerData: ThreadData = { name, seed, spanMs, memory };
  const worker = new Worker(new URL('./thread.js', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
  });
  const died = (kind: string, detail: string): Fuzzed => {
    const failures = [{ kind, detail, input: input.last() }];
    return { inputs: input.count(), kept: 0, slowestMs: HANG_MS, failures };
  };
  return new Promise((resolve) => {
    let seen = -1;
    const watch = setInterval(() => {
      if (input.count() === seen) finish(died('hang', `ran for more than ${HANG_MS} ms`));
      seen = input.count();
    }, HANG_MS);
    const finish = (fuzzed: Fuzzed): void => {
      clearInterval(watch);
      void worker.terminate().then(() => resolve(fuzzed));
    };
    worker.once('message', finish);
    worker.once('error', (error) => finish(died('died', String(error))));
  });
}

/** The input that is being run, in shared memory. */
export class InputMemory {
  readonly #head: Uint32Array;
  readonly #units: Uint16Array;

  constructor(memory: SharedArrayBuffer) {
    this.#head = new Uint32Array(memory, 0, HEAD_UNITS);
    this.#units = new Uint16Array(memory, 4 * HEAD_UNITS);
  }

  put(input: string): void {
    for (let at = 0; at < input.length; at++) this.#units[at] = input.charCodeAt(at);
    Atomics.store(this.#head, 1, input.length);
    Atomics.add(this.#head, 0, 1);
  }

  /** Inputs put so far. */
  count(): number {
    return Atomics.load(this.#head, 0);
  }

  last(): string {
    const units = this.#units.subarray(0, Atomics.load(this.#head, 1));
    return Array.from(units, (unit) => String.fromCharCode(unit)).join('');
  }
}

/** Feeds a target with ever new inputs, and keeps those that make it fail, as small as they can be made. */
import type { Random } from '../../src/clock.ts';
import { seededRandom } from '../support/random.ts';
import { minimise } from './minimise.ts';
import { mutated } from './mutate.ts';
import type { Target } from './target.ts';

/** The work on an input may take so long at most; honest work on the longest one takes a tenth of it. */
const MOST_MS = 1_000;
/** Measurements of an input that is slow: a busy machine may be slow as well. */
const MOST_MEASURED = 3;
const MOST_MINIMISING_MS = 20_000;
/** Kinds of failures after which a target is left alone. */
const MOST_FAILURES = 5;
/** Inputs run between two questions for coverage, which cost 2 ms each. When it has grown, all of them are kept. */
const BATCH = 8;

export interface Failure {
  /** What went wrong, the same for inputs that go wrong in the same way. */
  readonly kind: string;
  readonly input: string;
  readonly detail: string;
}

export interface Fuzzed {
  readonly inputs: number;
  /** Inputs kept because they reached new code. */
  readonly kept: number;
  readonly slowestMs: number;
  readonly failures: readonly Failure[];
}

export interface FuzzOptions {
  readonly seed: number;
  /** Is it time to stop after so many inputs? */
  readonly isDone: (inputs: number) => boolean;
  /** Has new code run since it was last asked? Absent: inputs are made from the target's corpus alone. */
  readonly hasGrown?: () => Promise<boolean>;
  /** Told of each input before it is run. */
  readonly onInput?: (input: string) => void;
}

/** Runs a target until it is time; the same seed gives the same inputs, as far as the same code was reached. */
export async function fuzz(target: Target, options: FuzzOptions): Promise<Fuzzed> {
  const run = new FuzzRun(target, options);
  await run.play();
  return run;
}

/** Runs one input; what is wrong with it, or null. */
export async function failureOf(target: Target, input: string): Promise<Failure | null> {
  return (await attempt(target, input)).failure;
}

class FuzzRun implements Fuzzed {
  inputs = 0;
  slowestMs = 0;
  readonly failures: Failure[] = [];
  readonly #target: Target;
  readonly #options: FuzzOptions;
  readonly #random: Random;
  readonly #corpus: string[];

  constructor(target: Target, options: FuzzOptions) {
    this.#target = target;
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.#corpus = [...target.corpus];
  }

  get kept(): number {
    return this.#corpus.length - this.#target.corpus.length;
  }

  async play(): Promise<void> {
    const waiting = [...this.#target.corpus];
    while (!this.#options.isDone(this.inputs) && this.failures.length < MOST_FAILURES) {
      const batch = Array.from({ length: BATCH }, () => waiting.pop() ?? this.#next());
      for (const input of batch) await this.#try(input);
      if (await this.#options.hasGrown?.()) this.#corpus.push(...batch);
    }
  }

  #next(): string {
    return mutated(this.#target, this.#corpus, this.#random);
  }

  async #try(input: string): Promise<void> {
    this.#options.onInput?.(input);
    this.inputs++;
    const { failure, ms } = await attempt(this.#target, input);
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (failure === null || this.failures.some(({ kind }) => kind === failure.kind)) return;
    const failsAlike = async (smaller: string): Promise<boolean> => {
      this.#options.onInput?.(smaller);
      return (await failureOf(this.#target, smaller))?.kind === failure.kind;
    };
    const smallest = await minimise(input, failsAlike, MOST_MINIMISING_MS);
    this.failures.push((await failureOf(this.#target, smallest)) ?? failure);
  }
}

interface Attempt {
  readonly failure: Failure | null;
  readonly ms: number;
}

async function attempt(target: Target, input: string): Promise<Attempt> {
  let ms = Number.POSITIVE_INFINITY;
  try {
    for (let measured = 0; measured < MOST_MEASURED && ms > MOST_MS; measured++) {
      const startedAt = performance.now();
      const check = await target.run(input);
      ms = Math.min(ms, performance.now() - startedAt);
      if (measured === 0) await check();
    }
  } catch (error) {
    return { failure: { kind: kindOf(error), input, detail: detailOf(error) }, ms: 0 };
  }
  const isSlow = ms > MOST_MS;
  return { failure: isSlow ? { kind: 'slow', input, detail: `took ${ms.toFixed(0)} ms` } : null, ms };
}

/** Assertions have a constant message of their own; messages of other errors may quote the input. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error.name === 'AssertionError') return error.message.split('\n', 1)[0] ?? '';
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const compared =
    'actual' in error && 'expected' in error ? `\n${shown(error.actual)}\n${shown(error.expected)}` : '';
  return `${error.stack ?? error.message}${compared}`;
}

function shown(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 500);
}

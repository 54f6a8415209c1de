/**
 * Tells whether code ran that never ran before, by V8's block coverage. V8 tells what ran since it was last asked, as
 * functions with the ranges in them that did not run.
 */
import { type Profiler, Session } from 'node:inspector/promises';

type Range = readonly [start: number, end: number];

export class Coverage {
  readonly #session: Session = new Session();
  /** What of each function met has never run. */
  readonly #missing: Map<string, readonly Range[]> = new Map();

  /** Begins to watch this thread. */
  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  }

  /** Has code of ours run, since the last call, that had never run before? Takes 2 ms. */
  async hasGrown(): Promise<boolean> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const ours = result.filter(({ url }) => url.includes('/src/'));
    const grown = ours.flatMap(({ url, functions }) => functions.filter((ran) => this.#learn(url, ran)));
    return grown.length > 0;
  }

  #learn(url: string, { ranges }: Profiler.FunctionCoverage): boolean {
    const [whole, ...blocks] = ranges;
    if (whole === undefined || whole.count === 0) return false;
    const key = `${url}:${whole.startOffset}`;
    const known = this.#missing.get(key);
    const idle = blocks
      .filter((block) => block.count === 0)
      .map((block): Range => [block.startOffset, block.endOffset]);
    const missing = known === undefined ? idle : overlaps(known, idle);
    this.#missing.set(key, missing);
    return known === undefined || lengthOf(missing) < lengthOf(known);
  }
}

function overlaps(some: readonly Range[], others: readonly Range[]): Range[] {
  return some
    .flatMap(([start, end]) => others.map(([from, to]): Range => [Math.max(start, from), Math.min(end, to)]))
    .filter(([start, end]) => start < end);
}

function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [start, end]) => sum + end - start, 0);
}

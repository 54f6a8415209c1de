/**
 * The life of one crawling process: what it sees of time and the web, and the moment it dies. From then on it is a ghost:
 * whatever it still does reaches nobody, nothing it waits for comes, and its successor goes on with what was on the disk at
 * that moment.
 */
import type { Clock } from '../../src/clock.ts';
import type { Downloader } from '../../src/fetch/downloader.ts';
import type { FreshetNode } from '../../src/node.ts';
import type { VisitOutcome } from '../../src/types.ts';

/** Where a process can be told to die. All but `clock` and `lent` lie on the way of a commit, in this order. */
export const points = [
  'clock', // it looks at the time, which it does everywhere
  'lent', // loans are on the disk, their visits have not begun
  'archive', // in the transaction, before anything is written
  'index', // the archive is written
  'robots', // the index is written too
  'frontier', // robots.txt records are written too
  'commit', // all is written, and nothing committed
  'committed', // and nobody has been told yet
] as const;

export type Point = (typeof points)[number];

/** The process dies when it passes `point` for the `nth` time from now on, counted from 1. */
export interface Fate {
  readonly point: Point;
  readonly nth: number;
}

export interface World {
  readonly clock: Clock;
  readonly web: Downloader;
  /** How far the clock on the wall is ahead of true time; timers know nothing of it. */
  skewMs(): number;
  /** How long a sleep of `ms` may last, when nothing would be seen before. */
  drawnOutMs(ms: number): number;
  /** The process has just died. */
  onDeath(point: Point | null): void;
}

export class Life {
  readonly clock: Clock;
  readonly web: Downloader;
  readonly #world: World;
  readonly #cancels = new Set<() => void>();
  #isAlive = true;
  #fate: Fate | null = null;
  #passed = 0;

  constructor(world: World) {
    this.#world = world;
    this.clock = {
      now: () => {
        this.pass('clock');
        return world.clock.now() + world.skewMs();
      },
      after: (ms, run) => this.#after(ms, run),
      sleep: (ms, signal) => this.#sleep(world.drawnOutMs(ms), signal),
    };
    this.web = {
      fetch: (request, signal) => this.#unlessDead(() => world.web.fetch(request, signal)),
      close: () => world.web.close(),
    };
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  doom(fate: Fate): void {
    this.#fate = fate;
    this.#passed = 0;
  }

  pass(point: Point): void {
    if (!this.#isAlive || this.#fate?.point !== point) return;
    if (++this.#passed === this.#fate.nth) this.end(point);
  }

  end(point: Point | null = null): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    for (const cancel of this.#cancels) cancel();
    this.#world.onDeath(point);
  }

  /** Watches a node pass the points of a commit, and tells of the outcomes that one made durable. */
  accompany(node: FreshetNode, onCommitted: (outcomes: readonly VisitOutcome[]) => void): void {
    const { archive, index, frontier } = node;
    archive.write = around(archive.write.bind(archive), () => this.pass('archive'));
    index.write = around(
      index.write.bind(index),
      () => this.pass('index'),
      () => this.pass('robots'),
    );
    frontier.finish = around(
      frontier.finish.bind(frontier),
      () => this.pass('frontier'),
      (finished) => {
        this.pass('commit');
        if (this.#isAlive) onCommitted(finished as readonly VisitOutcome[]);
      },
    );
    frontier.lease = around(frontier.lease.bind(frontier), nothing, () => this.pass('lent'));
  }

  #after(ms: number, run: () => void): () => void {
    const cancel = this.#world.clock.after(ms, () => {
      this.#cancels.delete(cancel);
      run();
    });
    this.#cancels.add(cancel);
    return cancel;
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        cancel();
        signal?.removeEventListener('abort', done);
        if (this.#isAlive) resolve();
      };
      const cancel = this.#after(ms, done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  async #unlessDead<T>(work: () => Promise<T>): Promise<T> {
    const never = new Promise<T>(() => undefined);
    if (!this.#isAlive) return never;
    const result = await work();
    return this.#isAlive ? result : never;
  }
}

const nothing = (): void => undefined;

/** A function with something that happens before and after each call. */
function around<Args extends unknown[], Result>(
  call: (...args: Args) => Result,
  before: () => void,
  after: (result: Result) => void = nothing,
): (...args: Args) => Result {
  return (...args) => {
    before();
    const result = call(...args);
    after(result);
    return result;
  };
}

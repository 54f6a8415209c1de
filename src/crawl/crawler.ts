/**
 * The loop around `visit`: lease, visit, commit in groups, sleep until the frontier has something or someone calls. It
 * decides nothing about pages or politeness.
 */
import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { ReasonCode } from '../reasons.ts';
import type { CrawlRequest, VisitOutcome } from '../types.ts';
import { type Budget, type Spent, spend, spentLimit, unspent } from './budget.ts';
import type { Committer } from './committer.ts';
import { deferred } from './visit-robots.ts';

export interface CrawlParts {
  readonly frontier: Frontier;
  readonly committer: Committer;
  /** `visit` with its parts bound; never rejects (visit-safely.ts). */
  readonly visit: (request: CrawlRequest, signal: AbortSignal) => Promise<VisitOutcome>;
  readonly clock: Clock;
}

export interface CrawlOptions {
  /** Visits under way at once. */
  readonly concurrency: number;
  readonly budget: Budget;
  /** Stay when nothing is due (`--watch`). */
  readonly isWatching: boolean;
  /** First Ctrl-C: finish what is in flight, then leave. */
  readonly stop: AbortSignal;
  /** Second Ctrl-C: break off what is in flight; implies `stop`. */
  readonly abort: AbortSignal;
  /** Told of every committed outcome; must not throw. */
  readonly onOutcome?: (outcome: VisitOutcome) => void;
}

export interface CrawlEnd {
  /** idle: nothing is due · limit: a budget is spent · stopped: asked to. */
  readonly why: 'idle' | 'limit' | 'stopped';
  readonly limit: ReasonCode | null;
  readonly spent: Spent;
  readonly elapsedMs: number;
}

/** Outcomes committed together at most; larger groups gain little and hold the event loop longer (bench/RESULTS.md). */
const GROUP_SIZE = 64;
/** An outcome waits at most this long for company; its host's slot stays taken meanwhile. */
const GROUP_WAIT_MS = 250;
/** A crawl that does not watch still waits for work that comes this soon: retries, and Retry-After up to its limit (R12). */
const PATIENCE_MS = 300_000;
/** How often to look for URLs that another process has added. */
const LOOK_MS = 1_000;
/** Never spin, whatever the frontier says. */
const SHORTEST_SLEEP_MS = 1;

/**
 * Crawls until nothing is due, a budget is spent, or it is told to stop. Rejects when a commit fails (our own disk); what was
 * committed before stands.
 */
export async function crawl(parts: CrawlParts, options: CrawlOptions): Promise<CrawlEnd> {
  const { clock, frontier } = parts;
  const startedAt = clock.now();
  // Every visit under way listens to `abort`; that many listeners are no leak.
  setMaxListeners(options.concurrency + 10, options.abort);
  const visits = new Visits(parts, options);
  let spent = unspent;
  const commit = async (): Promise<void> => {
    const committed = await parts.committer.commit(visits.takeFinished());
    spent = spend(spent, committed);
    for (const outcome of committed) options.onOutcome?.(outcome);
  };
  for (;;) {
    if (visits.groupIsReady(clock.now())) await commit();
    const limit = spentLimit(spent, options.budget, clock.now() - startedAt);
    const isLeaving = options.stop.aborted || options.abort.aborted || limit !== null;
    const room = isLeaving ? 0 : roomFor(visits, options, spent);
    const leased = room > 0 ? await frontier.lease(room) : [];
    visits.start(leased);
    if (leased.length > 0) continue;

    const readyAt = await frontier.nextReadyAt(options.isWatching ? undefined : PATIENCE_MS);
    if (visits.underWay === 0) {
      if (visits.finished > 0) {
        await commit();
        continue;
      }
      const elapsedMs = clock.now() - startedAt;
      if (isLeaving) return { why: limit === null ? 'stopped' : 'limit', limit, spent, elapsedMs };
      if (readyAt === null && !options.isWatching) return { why: 'idle', limit, spent, elapsedMs };
    }
    await visits.change(sleepMs(visits, room > 0 ? readyAt : null, clock.now()));
  }
}

/** Visits that may be started now without passing concurrency or page budget. */
function roomFor(visits: Visits, options: CrawlOptions, spent: Spent): number {
  const free = options.concurrency - visits.underWay;
  const { maxPages } = options.budget;
  return maxPages === null
    ? free
    : Math.min(free, maxPages - spent.pages - visits.underWay - visits.finished);
}

function sleepMs(visits: Visits, readyAt: number | null, nowMs: number): number {
  const untilGroup = visits.finished > 0 ? visits.oldestFinishedAt + GROUP_WAIT_MS - nowMs : LOOK_MS;
  const untilReady = readyAt === null ? LOOK_MS : readyAt - nowMs;
  return Math.max(SHORTEST_SLEEP_MS, Math.min(untilGroup, untilReady, LOOK_MS));
}

/** Visits under way and outcomes waiting to be committed. */
class Visits {
  readonly #parts: CrawlParts;
  readonly #abort: AbortSignal;
  /** A signal for each visit, because many listeners on one would be taken for a leak. */
  readonly #underWay = new Set<AbortController>();
  #finished: VisitOutcome[] = [];
  #oldestFinishedAt = 0;
  /** Something happened since the last sleep; kept so that no wake-up is lost between looking and sleeping. */
  #hasNews = false;
  #wake = new AbortController();

  constructor(parts: CrawlParts, { stop, abort }: Pick<CrawlOptions, 'stop' | 'abort'>) {
    this.#parts = parts;
    this.#abort = abort;
    stop.addEventListener('abort', () => this.#tell(), { once: true });
    abort.addEventListener('abort', () => this.#breakOff(), { once: true });
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  get finished(): number {
    return this.#finished.length;
  }

  get oldestFinishedAt(): number {
    return this.#oldestFinishedAt;
  }

  groupIsReady(nowMs: number): boolean {
    if (this.#finished.length === 0) return false;
    return this.#finished.length >= GROUP_SIZE || nowMs >= this.#oldestFinishedAt + GROUP_WAIT_MS;
  }

  start(requests: readonly CrawlRequest[]): void {
    for (const request of requests) {
      const controller = new AbortController();
      this.#underWay.add(controller);
      if (this.#abort.aborted) controller.abort();
      void this.#parts.visit(request, controller.signal).then((outcome) => {
        this.#underWay.delete(controller);
        this.#finish(request, outcome);
      });
    }
  }

  takeFinished(): readonly VisitOutcome[] {
    const taken = this.#finished;
    this.#finished = [];
    return taken;
  }

  /** Resolves after `ms`, or as soon as a visit finishes or the crawl is told to stop. */
  async change(ms: number): Promise<void> {
    if (!this.#hasNews) {
      this.#wake = new AbortController();
      await this.#parts.clock.sleep(ms, this.#wake.signal);
    }
    this.#hasNews = false;
  }

  #breakOff(): void {
    for (const controller of this.#underWay) controller.abort();
    this.#tell();
  }

  #tell(): void {
    this.#hasNews = true;
    this.#wake.abort();
  }

  #finish(request: CrawlRequest, outcome: VisitOutcome): void {
    if (this.#finished.length === 0) this.#oldestFinishedAt = this.#parts.clock.now();
    this.#finished.push(this.#abort.aborted ? brokenOff(request, this.#parts.clock.now()) : outcome);
    this.#tell();
  }
}

/** What a broken-off visit found is worth nothing, but its host was asked and is owed its rest. */
function brokenOff(request: CrawlRequest, nowMs: number): VisitOutcome {
  const outcome = deferred(request);
  return { ...outcome, hostEffect: { ...outcome.hostEffect, requestedAt: nowMs } };
}

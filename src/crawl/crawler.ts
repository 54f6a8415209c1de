/**
 * The loop around `visit`: lease, visit, commit in groups, sleep until the frontier has something or someone calls. It
 * decides nothing about pages or politeness.
 */
import type { Clock } from '../clock.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { ReasonCode } from '../reasons.ts';
import type { CrawlRequest, MaybePromise, VisitOutcome } from '../types.ts';
import { type Budget, type Spent, spend, spentLimit, unspent } from './budget.ts';
import type { Committer } from './committer.ts';
import { deferred } from './visit-robots.ts';

export interface CrawlParts {
  readonly frontier: Frontier;
  readonly committer: Committer;
  /** `visit` with its parts bound; never rejects (visit-safely.ts). */
  readonly visit: (request: CrawlRequest, signal: AbortSignal) => Promise<VisitOutcome>;
  /** Takes up what other processes have left for the crawl; called every second. */
  readonly collect: () => MaybePromise<void>;
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
/** … and so many are committed when no more visits than that are under way: the slots of the others are wanted. */
const LEAST_GROUP = 16;
/**
 * An outcome waits at most this long for company; its host's slot stays taken meanwhile. One that bears on the manners of its
 * host does not wait, or the host would be asked again before they are in force.
 */
const GROUP_WAIT_MS = 250;
/**
 * Received bytes that wait for a commit at most, before the outcome that passes it; outcomes hold on to their bodies, and a
 * group of sitemaps at their limit would be gigabytes.
 */
const GROUP_BYTES = 32 * 1024 * 1024;
/** A busy crawl takes loans in groups of at least so many: a loan alone costs three times one of a group. */
const LEASE_GROUP = 4;
/** But room for fewer is not left empty longer than this, or a few slow hosts would hold up all others (R10). */
const LEASE_WAIT_MS = 20;
/** A crawl that does not watch still waits for work that comes this soon: retries, and Retry-After up to its limit (R12). */
const PATIENCE_MS = 300_000;
/** How often to look for what another process has added. */
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
  const visits = new Visits(parts, options);
  let spent = unspent;
  let leasedAt = Number.NEGATIVE_INFINITY;
  let lookAt = startedAt;
  const commit = async (): Promise<void> => {
    const committed = await parts.committer.commit(visits.takeFinished());
    spent = spend(spent, committed, options.isWatching);
    for (const outcome of committed) options.onOutcome?.(outcome);
  };
  for (;;) {
    if (visits.groupIsReady(clock.now())) await commit();
    if (clock.now() >= lookAt) {
      lookAt = clock.now() + LOOK_MS;
      await parts.collect();
    }
    const limit = spentLimit(spent, options.budget, clock.now() - startedAt);
    const isLeaving = options.stop.aborted || options.abort.aborted || limit !== null;
    const room = isLeaving ? 0 : roomFor(visits, options, spent);
    const leaseAt = room >= Math.min(LEASE_GROUP, options.concurrency) ? 0 : leasedAt + LEASE_WAIT_MS;
    const leased = room > 0 && clock.now() >= leaseAt ? await frontier.lease(room) : [];
    visits.start(leased);
    if (leased.length > 0) {
      leasedAt = clock.now();
      continue;
    }

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
    const nextLeaseAt = room > 0 && readyAt !== null ? Math.max(readyAt, leaseAt) : null;
    await visits.change(sleepMs(visits, nextLeaseAt, clock.now()));
  }
}

/** Visits that may be started now without passing concurrency or page budget. */
function roomFor(visits: Visits, { concurrency, budget, isWatching }: CrawlOptions, spent: Spent): number {
  const free = concurrency - visits.underWay;
  const uncommitted = isWatching ? visits.firstOnes : visits.underWay + visits.finished;
  return budget.maxPages === null ? free : Math.min(free, budget.maxPages - spent.pages - uncommitted);
}

function sleepMs(visits: Visits, leaseAt: number | null, nowMs: number): number {
  const untilGroup = visits.finished > 0 ? visits.commitAt - nowMs : LOOK_MS;
  const untilLease = leaseAt === null ? LOOK_MS : leaseAt - nowMs;
  return Math.max(SHORTEST_SLEEP_MS, Math.min(untilGroup, untilLease, LOOK_MS));
}

/** Visits under way and outcomes waiting to be committed. */
class Visits {
  readonly #parts: CrawlParts;
  readonly #abort: AbortSignal;
  /** A signal for each visit, because many listeners on one would be taken for a leak. */
  readonly #underWay = new Map<AbortController, CrawlRequest>();
  #finished: VisitOutcome[] = [];
  /** Received for them. */
  #finishedBytes = 0;
  #commitAt = 0;
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

  /** First visits among both. */
  get firstOnes(): number {
    const requests = [...this.#underWay.values(), ...this.#finished.map(({ request }) => request)];
    return requests.filter(({ isNew }) => isNew).length;
  }

  /** When what is finished must be committed. */
  get commitAt(): number {
    return this.#commitAt;
  }

  groupIsReady(nowMs: number): boolean {
    if (this.#finished.length === 0) return false;
    const enough = Math.min(GROUP_SIZE, Math.max(LEAST_GROUP, this.#underWay.size));
    return this.#finished.length >= enough || nowMs >= this.#commitAt;
  }

  start(requests: readonly CrawlRequest[]): void {
    for (const request of requests) {
      const controller = new AbortController();
      this.#underWay.set(controller, request);
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
    this.#finishedBytes = 0;
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
    for (const controller of this.#underWay.keys()) controller.abort();
    this.#tell();
  }

  #tell(): void {
    this.#hasNews = true;
    this.#wake.abort('news'); // a reason of our own spares making an exception each time
  }

  #finish(request: CrawlRequest, outcome: VisitOutcome): void {
    const nowMs = this.#parts.clock.now();
    this.#finishedBytes += outcome.bytes;
    if (isUrgent(outcome) || this.#finishedBytes > GROUP_BYTES) this.#commitAt = nowMs;
    else if (this.#finished.length === 0) this.#commitAt = nowMs + GROUP_WAIT_MS;
    this.#finished.push(this.#abort.aborted ? brokenOff(request, nowMs) : outcome);
    this.#tell();
  }
}

/** Does it bring a Crawl-delay, a wish to be left alone, or trouble? */
function isUrgent({ robots, hostEffect }: VisitOutcome): boolean {
  return robots !== null || hostEffect.restUntil !== null || hostEffect.healthy === false;
}

/** What a broken-off visit found is worth nothing, but its host was asked and is owed its rest. */
function brokenOff(request: CrawlRequest, nowMs: number): VisitOutcome {
  const outcome = deferred(request);
  return { ...outcome, hostEffect: { ...outcome.hostEffect, requestedAt: nowMs } };
}

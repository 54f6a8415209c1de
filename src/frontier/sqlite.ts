/**
 * The frontier in SQLite: two tables say everything (url: what is due when; host: when it may be asked), a bounded queue
 * in memory holds what is lent next (work-queue.ts).
 *
 * Each method is one transaction, or part of the caller's when there is one. What is remembered in memory was read in
 * earlier transactions; it is believed only while the database says that nothing else has happened since: no commit of
 * another connection, and no rollback of ours.
 */
import type { Clock, Random } from '../clock.ts';
import { systemRandom } from '../clock.ts';
import { countLook, countsWith } from '../crawl/freshness/signals.ts';
import type { Database } from '../store/database.ts';
import { Settings } from '../store/settings.ts';
import type { CrawlRequest, Link, PageRecord, VisitOutcome } from '../types.ts';
import { urlHash } from '../url/key.ts';
import { queueKey } from '../url/site.ts';
import { type Discovered, Discovery } from './discovery.ts';
import type { AddOptions, AddResult, Amendment, Frontier, FrontierStats, HostStatus } from './frontier.ts';
import { type HostState, HostTable } from './host-state.ts';
import { MemoryCheck } from './memory-check.ts';
import { newDueAt } from './order.ts';
import { type RecordRow, toRecord } from './page-record.ts';
import { PlanTable } from './plan-table.ts';
import { defaultFrontierPolicy, type FrontierPolicy } from './policy.ts';
import { Replanning } from './replanning.ts';
import { ScheduleRow } from './schedule-row.ts';
import { Tally } from './tally.ts';
import { type UrlState, UrlTable } from './url-table.ts';
import { type OfferedUrl, WorkQueue } from './work-queue.ts';

export interface SqliteFrontierOptions {
  readonly clock: Clock;
  readonly random?: Random;
  readonly policy?: Partial<FrontierPolicy>;
}

/** Links added in one transaction at most; more would keep others from writing for long. */
const MOST_WRITTEN = 10_000;
/** Due pages planned anew before one is lent anyway. */
const MOST_SKIPPED = 50;
/** `stats().due` is counted up to this. */
const MOST_COUNTED = 100_000;
/** The setting that says in what order what waits was ranked. */
const ORDER = 'frontier.order';

export class SqliteFrontier implements Frontier {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #policy: FrontierPolicy;
  readonly #urls: UrlTable;
  readonly #hosts: HostTable;
  readonly #queue: WorkQueue;
  readonly #discovery: Discovery;
  readonly #schedule: ScheduleRow;
  readonly #replanning: Replanning;
  readonly #tally: Tally;
  readonly #settings: Settings;
  readonly #memory: MemoryCheck;
  readonly #transaction: (work: () => void) => void;

  constructor(db: Database, options: SqliteFrontierOptions) {
    this.#db = db;
    this.#clock = options.clock;
    this.#policy = { ...defaultFrontierPolicy, ...options.policy };
    this.#tally = new Tally(db);
    this.#settings = new Settings(db);
    this.#urls = new UrlTable(db, () => this.#clock.now());
    this.#hosts = new HostTable(db, this.#policy, options.random ?? systemRandom);
    this.#queue = new WorkQueue(this.#urls, this.#clock, {
      capacity: this.#policy.queueCapacity,
      waitMs: this.#policy.waitMs,
      choose: (fresh, again) => this.#replanning.choose(fresh, again, this.#clock.now()),
    });
    this.#discovery = new Discovery({
      urls: this.#urls,
      hosts: this.#hosts,
      queue: this.#queue,
      policy: this.#policy,
      setDue: (url, dueAt) => {
        this.#urls.setDue(url.id, dueAt);
        this.#countDue(url.dueAt, dueAt);
      },
      setWay: (url, depth, redirects) => this.#replanning.setWay(url, depth, redirects),
      replan: (id) => this.#replanning.heed(id, this.#clock.now()),
    });
    this.#schedule = new ScheduleRow(db);
    this.#replanning = new Replanning({
      plans: new PlanTable(db),
      settings: this.#settings,
      schedule: this.#schedule,
      urls: this.#urls,
      hosts: this.#hosts,
      policy: this.#policy,
      moveDue: (url, dueAt) => this.#moveDue(url, dueAt),
    });
    this.#memory = new MemoryCheck(db);
    this.#transaction = db.transaction((work: () => void) => work()).immediate;
  }

  async add(links: readonly Link[], options: AddOptions = {}): Promise<AddResult> {
    const added: OfferedUrl[] = [];
    let known = 0;
    let refused = 0;
    for (let first = 0; first < links.length; first += MOST_WRITTEN) {
      const found = this.#write((now) => {
        const found = this.#discover(links.slice(first, first + MOST_WRITTEN), now);
        if (options.force) for (const id of found.known) this.#makeDue(id, now);
        return found;
      });
      for (const url of found.added) added.push(url);
      known += found.known.length;
      refused += found.refused.length;
    }
    if (options.waits === false) this.#queue.offer(added);
    else await this.#queue.offerAndWait(added);
    return { added: added.length, known, refused };
  }

  lease(max: number): CrawlRequest[] {
    const readyAt = this.#hosts.nextReadyAt();
    const isReady = readyAt !== null && readyAt <= this.#clock.now();
    if (!isReady && !this.#replanning.isTickDue(this.#clock.now())) return [];
    return this.#write((now) => {
      const loans: CrawlRequest[] = [];
      let hosts = this.#hosts.ready(now, max);
      // One loan a turn; a host has a second turn only when it needs no rest.
      while (hosts.length > 0) {
        const lenders: HostState[] = [];
        for (const host of hosts) {
          const loan = loans.length < max ? this.#lend(host, now) : null;
          if (loan === null) continue;
          loans.push(loan);
          lenders.push(host);
        }
        hosts = lenders;
      }
      this.#queue.refill();
      if (this.#replanning.isTickDue(now)) this.#replanning.tick(now);
      return loans;
    });
  }

  finish(outcomes: readonly VisitOutcome[]): readonly VisitOutcome[] {
    return this.#write((now) => outcomes.filter((outcome) => this.#finishOne(outcome, now)));
  }

  /**
   * Sets what is remembered of known URLs and when they are due, because a person or the brake decided so. Their loans end: a
   * visit under way can change nothing.
   */
  amend(changes: readonly Amendment[]): void {
    this.#write(() => {
      for (const { record, nextVisitAt } of changes) {
        const url = this.#urls.byId(record.id);
        if (url === undefined) continue;
        this.#replanning.keep(url, record);
        // The slot of a loan stays taken until it expires: its request may still be under way.
        this.#urls.takeBack(url.id, nextVisitAt);
        this.#countDue(url.dueAt, nextVisitAt);
        this.#queue.putBack(url.hostId, { id: url.id, dueAt: nextVisitAt });
        this.#hosts.touch(url.hostId);
      }
    });
  }

  release(requests: readonly CrawlRequest[]): void {
    this.#write((now) => {
      for (const { record, lease } of requests) {
        const url = this.#urls.byId(record.id);
        if (url !== undefined && isHeld(url, lease, now)) this.#takeBack(url, lease, url.dueAt);
      }
    });
  }

  takeTurn(host: string): number {
    return this.#write((now) => this.#hosts.takeTurn(host, now));
  }

  nextReadyAt(patienceMs?: number): number | null {
    const readyAt = this.#hosts.nextReadyAt();
    if (patienceMs === undefined || readyAt === null) return readyAt;
    const now = this.#clock.now();
    return readyAt <= now + patienceMs ? readyAt : this.#hosts.nextSlowReadyAt(now, patienceMs);
  }

  holds(request: CrawlRequest): boolean {
    const url = this.#urls.byId(request.record.id);
    return url !== undefined && isHeld(url, request.lease, this.#clock.now());
  }

  find(url: string): PageRecord | null {
    const row = this.#urls.recordByHash(queueKey(url), urlHash(url));
    const record = row === undefined ? null : toRecord(row);
    return record?.url === url ? record : null;
  }

  host(host: string): HostStatus | null {
    return this.#hosts.status(host, this.#clock.now());
  }

  stats(): FrontierStats {
    const now = this.#clock.now();
    const lent = this.#urls.lent(now);
    return {
      ...this.#hosts.count(),
      waiting: this.#tally.read('urls.waiting') - lent.fresh,
      due: this.#urls.countDue(now, MOST_COUNTED),
      scheduled: this.#tally.read('urls.scheduled'),
      inFlight: lent.all,
      queue: this.#queue.stats(),
    };
  }

  /**
   * Call once at start-up, when no other process crawls in this folder: loans of a process that died come back at once,
   * while their hosts keep their rest. Also ranks what waits anew when the crawl's order was changed. Returns the number
   * of loans that came back.
   */
  recover(): number {
    return this.#write(() => {
      const loans = this.#urls.takeAllBack();
      this.#hosts.freeAll();
      this.#rankAnew();
      this.#replanning.addUpOnce();
      this.#queue.clear();
      return loans;
    });
  }

  /** Runs one transaction, or part of the caller's. */
  #write<Result>(work: (now: number) => Result): Result {
    let result: Result | undefined;
    this.#transaction(() => {
      const now = this.#clock.now();
      if (!this.#memory.begin()) {
        this.#queue.clear();
        this.#discovery.clear();
        this.#hosts.clear();
      }
      this.#hosts.begin();
      this.#schedule.begin();
      this.#tally.begin();
      this.#discovery.begin();
      result = work(now);
      this.#hosts.save(now);
      this.#schedule.save();
      this.#tally.save();
      this.#memory.end();
    });
    return result as Result;
  }

  #discover(links: readonly Link[], now: number): Discovered {
    const found = this.#discovery.take(links, now);
    this.#tally.add('urls.waiting', found.added.length);
    for (const { url, reason } of found.refused) this.#tally.refuse(reason, 1, [url]);
    return found;
  }

  #makeDue(id: number, now: number): void {
    const url = this.#urls.byId(id);
    if (url === undefined || (url.lease !== null && url.lease > now)) return;
    if (url.dueAt !== null && url.dueAt <= now) return;
    this.#moveDue(url, now);
  }

  #moveDue(url: UrlState, dueAt: number): void {
    this.#urls.setDue(url.id, dueAt);
    this.#countDue(url.dueAt, dueAt);
    this.#queue.putBack(url.hostId, { id: url.id, dueAt });
    this.#hosts.touch(url.hostId);
  }

  #lend(host: HostState, now: number): CrawlRequest | null {
    // The URL of an expired loan is first again.
    if (this.#hosts.dropExpired(host, now)) this.#queue.forget(host.id);
    const row = this.#hosts.isReady(host, now) ? this.#nextDue(host, now) : undefined;
    if (row === undefined) return null;
    const lease = now + this.#policy.leaseMs;
    this.#urls.lend(row.id, lease);
    this.#hosts.lend(host, now, lease);
    const record = toRecord(row);
    return { record, around: this.#replanning.around(host), lease, isNew: record.fetchedAt === null };
  }

  /** The next URL of a host; what the queue says is checked against the row. */
  #nextDue(host: HostState, now: number): RecordRow | undefined {
    const fromMemory = this.#nextQueued(host, now);
    if (fromMemory !== undefined) return fromMemory;
    // The row of the host says it has one. Should memory ever be wrong, a crawl must not spin: the disk decides.
    this.#queue.forget(host.id);
    return this.#nextQueued(host, now);
  }

  #nextQueued(host: HostState, now: number): RecordRow | undefined {
    for (let skipped = 0; ; ) {
      const entry = this.#queue.next(host.id);
      if (entry === undefined) return undefined;
      if (entry.dueAt >= 0 && skipped < MOST_SKIPPED && this.#replanning.putsOff(entry.id, now)) {
        skipped++;
        continue;
      }
      const row = this.#urls.dueRecord(entry.id, now);
      if (row !== undefined) return row;
    }
  }

  /** False when the loan has ended: then nothing is changed. */
  #finishOne(outcome: VisitOutcome, now: number): boolean {
    const { request, record, hostEffect } = outcome;
    const url = this.#urls.byId(request.record.id);
    if (url === undefined || !isHeld(url, request.lease, now)) return false;
    const isDeferred = outcome.outcome === 'DEFERRED';
    // A shorter way was found meanwhile: what is found now lies nearer too, and links refused for depth are wanted.
    const nearer = request.record.depth - url.depth;
    const isWantedAgain = nearer > 0 && (outcome.refused['scope.depth'] ?? 0) > 0;
    if (!isDeferred) {
      this.#replanning.keep(url, isWantedAgain ? { ...record, etag: null, lastModified: null } : record);
    }
    if (record.kind !== request.record.kind) this.#urls.setKind(url.id, record.kind);
    const planned = isDeferred ? (outcome.notBefore ?? url.dueAt) : outcome.nextVisitAt;
    this.#takeBack(url, request.lease, isWantedAgain ? now : planned);

    const isOwnHost = hostEffect.host === request.record.host;
    const effectHostId = isOwnHost ? url.hostId : this.#hosts.idOf(hostEffect.host, now);
    this.#hosts.apply(this.#hosts.touch(effectHostId), hostEffect, now);
    this.#judgeSignal(outcome, url);

    const links = outcome.links.map((link) => (nearer > 0 ? { ...link, depth: link.depth - nearer } : link));
    const found = this.#discover(links, now);
    if (outcome.replacesLinks) this.#urls.replaceLinks(url.id, found.ids);
    this.#queue.offer(found.added);
    this.#count(outcome);
    return true;
  }

  /** Had a signal come for the page, and was it true? */
  #judgeSignal({ outcome, request, record }: VisitOutcome, url: UrlState): void {
    if (outcome === 'DEFERRED' || outcome === 'ERROR') return;
    const wasSignalled = this.#urls.takeAnnouncement(url.id);
    const isChanged = record.changes > request.record.changes;
    if (record.kind !== 'page' || !(isChanged || outcome === 'NOT_MODIFIED')) return;
    const host = this.#hosts.touch(url.hostId);
    host.signals = countsWith(host.signals, countLook(isChanged, wasSignalled));
  }

  /** Ends a loan and gives the URL its next due time. */
  #takeBack(url: UrlState, lease: number, dueAt: number | null): void {
    this.#urls.takeBack(url.id, dueAt);
    this.#countDue(url.dueAt, dueAt);
    this.#hosts.free(this.#hosts.touch(url.hostId), lease);
    if (dueAt !== null) this.#queue.putBack(url.hostId, { id: url.id, dueAt });
  }

  #count(outcome: VisitOutcome): void {
    this.#tally.add(`outcome.${outcome.outcome}`, 1);
    this.#tally.add('bytes', outcome.bytes);
    this.#tally.add('savedBytes', outcome.savedBytes);
    // A whole body that brought nothing new.
    if (outcome.outcome === 'NOT_MODIFIED' && outcome.bytes > 0) this.#tally.add('wasted', 1);
    for (const reason of Object.keys(outcome.refused) as (keyof typeof outcome.refused)[]) {
      const samples = outcome.refusedSamples.filter((sample) => sample.reason === reason);
      this.#tally.refuse(
        reason,
        outcome.refused[reason] ?? 0,
        samples.map((sample) => sample.url),
      );
    }
  }

  /** Keeps the totals of waiting and scheduled URLs. */
  #countDue(before: number | null, after: number | null): void {
    if (before !== null) this.#tally.add(totalOf(before), -1);
    if (after !== null) this.#tally.add(totalOf(after), 1);
  }

  #rankAnew(): void {
    const { order } = this.#policy;
    const stored = this.#settings.get(ORDER);
    if (stored === order) return;
    if (stored !== null) {
      this.#db.function('rank_anew', { deterministic: true }, (priority, depth, id) =>
        newDueAt(order, Number(priority), Number(depth), Number(id)),
      );
      this.#db.prepare('UPDATE url SET due_at = rank_anew(priority, depth, id) WHERE due_at < 0').run();
    }
    this.#settings.set(ORDER, order);
  }
}

function isHeld(url: UrlState, lease: number, now: number): boolean {
  return url.lease === lease && lease > now;
}

function totalOf(dueAt: number): string {
  return dueAt < 0 ? 'urls.waiting' : 'urls.scheduled';
}

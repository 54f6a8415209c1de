/**
 * The hosts: when each may be asked again, and how many of its URLs are lent. All politeness is decided here, on rows
 * read and written in one transaction, so it is atomic and outlives the process (R10).
 *
 * A busy slot is the expiry of its loan: when a borrower dies, the slot is free again by the clock alone.
 */
import type { Random } from '../clock.ts';
import type { Totals } from '../crawl/freshness/totals.ts';
import { backOffSteps, boundedRest, hostDelayMs, restMs } from '../crawl/politeness.ts';
import type { Database } from '../store/database.ts';
import type { HostEffect, HostMemory, SignalCounts } from '../types.ts';
import type { HostStatus } from './frontier.ts';
import type { FrontierPolicy } from './policy.ts';
import { Recent } from './recent.ts';

/** A row of host, to be worked on within one transaction. */
export interface HostState {
  readonly id: number;
  readonly name: string;
  known: number;
  /** No request may start earlier. */
  nextAt: number;
  /** Expiries of the loans out. */
  slots: number[];
  crawlDelayMs: number | null;
  failures: number;
  lastRequestAt: number | null;
  /** How true the signals of the host have been. */
  signals: SignalCounts;
  /** μ (crawl/freshness/price.ts). */
  logFactor: number;
  totals: Totals;
}

interface HostRow
  extends Omit<HostState, 'slots' | 'signals' | 'totals'>,
    SignalCounts,
    Omit<Totals, 'pool'> {
  readonly slots: string;
  readonly readyAt: number | null;
  readonly rateLogSum: number;
  readonly rateCount: number;
}

const HOST_ROW = `
  SELECT id, name, known, next_at AS nextAt, slots, ready_at AS readyAt, crawl_delay_ms AS crawlDelayMs, failures,
         last_request_at AS lastRequestAt, changed, changed_signalled AS changedSignalled, unchanged,
         unchanged_signalled AS unchangedSignalled, log_factor AS logFactor, pages, weight, demand,
         rate_log_sum AS rateLogSum, rate_count AS rateCount
  FROM host`;

/** Host names whose ids are kept in memory. */
const NAMES = 10_000;
/** A turn taken for a request outside the queue (robots.txt) holds a slot this long. */
const TURN_MS = 30_000;

export class HostTable {
  readonly #policy: FrontierPolicy;
  readonly #random: Random;
  readonly #ids = new Recent<string, number>(NAMES);
  /** Working copies of this transaction, and the ids of those to be written back. */
  readonly #loaded = new Map<number, HostState>();
  readonly #touched = new Set<number>();
  readonly #sql: Statements;

  constructor(db: Database, policy: FrontierPolicy, random: Random) {
    this.#policy = policy;
    this.#random = random;
    this.#sql = prepare(db);
  }

  /** Begins a transaction: nothing remembered of an earlier one may be used. */
  begin(): void {
    this.#loaded.clear();
    this.#touched.clear();
  }

  /** Forgets ids that may belong to rows rolled back. */
  clear(): void {
    this.#ids.clear();
  }

  /** Id of a host, which becomes known with this. */
  idOf(name: string, now: number): number {
    const cached = this.#ids.get(name);
    if (cached !== undefined) return cached;
    // A new host queues up behind those that are ready already.
    const id = this.#sql.idOf.get(name) ?? Number(this.#sql.insert.run(name, now).lastInsertRowid);
    this.#ids.set(name, id);
    return id;
  }

  /** The host as it is in this transaction. */
  get(id: number): HostState {
    const loaded = this.#loaded.get(id);
    if (loaded !== undefined) return loaded;
    const row = this.#sql.byId.get(id);
    if (row === undefined) throw new Error(`no host ${id}`);
    const host = toState(row);
    this.#loaded.set(id, host);
    return host;
  }

  /** By name; null when it is not known. */
  byName(name: string): HostState | null {
    const row = this.#sql.byName.get(name);
    return row === undefined ? null : toState(row);
  }

  /** The same, to be changed; it is written back by `save`. */
  touch(id: number): HostState {
    this.#touched.add(id);
    return this.get(id);
  }

  /** Writes back what was touched, each with the instant it is ready at. */
  save(now: number): void {
    for (const id of this.#touched) {
      const host = this.get(id);
      const { nextAt, slots, known, crawlDelayMs, failures, lastRequestAt, signals, totals } = host;
      const readyAt = this.#readyAt(host, now);
      this.#sql.update.run(
        known,
        nextAt,
        JSON.stringify(slots),
        readyAt,
        crawlDelayMs,
        failures,
        lastRequestAt,
        signals.changed,
        signals.changedSignalled,
        signals.unchanged,
        signals.unchangedSignalled,
        host.logFactor,
        totals.pages,
        totals.weight,
        totals.demand,
        totals.pool.sum,
        totals.pool.count,
        id,
      );
    }
    this.#touched.clear();
  }

  /** Hosts that are ready, the one ready longest first. */
  ready(now: number, limit: number): HostState[] {
    return this.#sql.ready.all(now, limit).map((id) => this.touch(id));
  }

  /** Has the host rested, and has it a free slot? */
  isReady(host: HostState, now: number): boolean {
    return host.nextAt <= now && liveSlots(host, now).length < this.#policy.perHost;
  }

  /** Lends one slot until `expiry`; from now on the host rests. */
  lend(host: HostState, now: number, expiry: number): void {
    host.slots.push(expiry);
    host.nextAt = now + restMs(this.#policy, host, this.#random);
  }

  /** Clears the slots of loans that have expired; false when there were none. */
  dropExpired(host: HostState, now: number): boolean {
    const live = liveSlots(host, now);
    if (live.length === host.slots.length) return false;
    host.slots = live;
    return true;
  }

  /** Takes a slot back. */
  free(host: HostState, expiry: number): void {
    const index = host.slots.indexOf(expiry);
    if (index !== -1) host.slots.splice(index, 1);
  }

  /** Takes one turn for a request outside the queue; returns 0, or the milliseconds until it may be asked for again. */
  takeTurn(name: string, now: number): number {
    const host = this.touch(this.idOf(name, now));
    if (this.isReady(host, now)) {
      this.lend(host, now, now + TURN_MS);
      return 0;
    }
    // A slot may be given back any time; asking once in a rest is often enough.
    return Math.max(host.nextAt - now, hostDelayMs(this.#policy, host), 1);
  }

  /** What a visit taught about its host. */
  apply(host: HostState, effect: HostEffect, now: number): void {
    host.failures = backOffSteps(host.failures, effect.healthy);
    if (effect.crawlDelayMs !== undefined) host.crawlDelayMs = effect.crawlDelayMs;
    if (effect.requestedAt !== null)
      host.lastRequestAt = Math.max(host.lastRequestAt ?? 0, effect.requestedAt);
    // A host that cannot be reached rests as well, though no request got as far as being sent.
    const restsFrom = effect.requestedAt ?? (effect.healthy === false ? now : null);
    if (restsFrom !== null) host.nextAt = Math.max(host.nextAt, restsFrom + hostDelayMs(this.#policy, host));
    if (effect.restUntil !== null) host.nextAt = Math.max(host.nextAt, boundedRest(effect.restUntil, now));
  }

  /** All slots are free again (of all hosts): the process that had the loans is dead. */
  freeAll(): void {
    for (const id of this.#sql.busy.all()) this.touch(id).slots = [];
  }

  /** The next instant at which a host is ready; null when none ever is. */
  nextReadyAt(): number | null {
    return this.#sql.nextReady.get() ?? null;
  }

  /**
   * The next instant at which a host is ready that only its Crawl-delay holds back: it has a URL due by `dueBy`, and its
   * Crawl-delay is longer than `patienceMs`. Null when there is none.
   */
  nextSlowReadyAt(now: number, patienceMs: number): number | null {
    const dueBy = now + patienceMs;
    for (const slow of this.#sql.slow.iterate(patienceMs, now)) {
      const due = this.#sql.firstDue.get(slow.id, now);
      if (due !== undefined && due <= dueBy) return slow.readyAt;
    }
    return null;
  }

  status(name: string, now: number): HostStatus | null {
    const row = this.#sql.byName.get(name);
    if (row === undefined) return null;
    const host = toState(row);
    return {
      host: name,
      known: host.known,
      inFlight: liveSlots(host, now).length,
      delayMs: hostDelayMs(this.#policy, host),
      crawlDelayMs: host.crawlDelayMs,
      failures: host.failures,
      lastRequestAt: host.lastRequestAt,
      readyAt: row.readyAt,
    };
  }

  /** Hosts, and URLs known of all of them. */
  count(): { readonly hosts: number; readonly known: number } {
    return this.#sql.count.get() ?? { hosts: 0, known: 0 };
  }

  /** When the next loan of a host may be had: it has rested, has a free slot, and has a URL that is due and not lent. */
  #readyAt(host: HostState, now: number): number | null {
    const live = liveSlots(host, now);
    const firstFree = Math.min(...live);
    // A URL on loan comes back by itself at the expiry of its slot.
    const firstDue = Math.min(this.#sql.firstDue.get(host.id, now) ?? Number.POSITIVE_INFINITY, firstFree);
    if (firstDue === Number.POSITIVE_INFINITY) return null;
    const isFull = live.length >= this.#policy.perHost;
    return Math.max(host.nextAt, firstDue, isFull ? firstFree : 0);
  }
}

function liveSlots(host: HostState, now: number): number[] {
  return host.slots.filter((expiry) => expiry > now);
}

/** What a visit is told of the host. */
export function hostMemory({ totals, signals, logFactor }: HostState): HostMemory {
  return { pool: totals.pool, signals, logFactor, weight: totals.weight };
}

function toState(row: HostRow): HostState {
  const { id, name, known, nextAt, crawlDelayMs, failures, lastRequestAt, logFactor } = row;
  const { changed, changedSignalled, unchanged, unchangedSignalled, pages, weight, demand } = row;
  return {
    ...{ id, name, known, nextAt, crawlDelayMs, failures, lastRequestAt, logFactor },
    slots: JSON.parse(row.slots) as number[],
    signals: { changed, changedSignalled, unchanged, unchangedSignalled },
    totals: { pool: { sum: row.rateLogSum, count: row.rateCount }, pages, weight, demand },
  };
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: Database) {
  return {
    byId: db.prepare<[number], HostRow>(`${HOST_ROW} WHERE id = ?`),
    byName: db.prepare<[string], HostRow>(`${HOST_ROW} WHERE name = ?`),
    idOf: db.prepare<[string], number>('SELECT id FROM host WHERE name = ?').pluck(),
    insert: db.prepare<[string, number]>('INSERT INTO host (name, next_at) VALUES (?, ?)'),
    update: db.prepare(
      `UPDATE host SET known = ?, next_at = ?, slots = ?, ready_at = ?, crawl_delay_ms = ?, failures = ?,
         last_request_at = ?, changed = ?, changed_signalled = ?, unchanged = ?, unchanged_signalled = ?,
         log_factor = ?, pages = ?, weight = ?, demand = ?, rate_log_sum = ?, rate_count = ? WHERE id = ?`,
    ),
    ready: db
      .prepare<[number, number], number>(
        'SELECT id FROM host WHERE ready_at <= ? ORDER BY ready_at, id LIMIT ?',
      )
      .pluck(),
    nextReady: db
      .prepare<[], number | null>('SELECT min(ready_at) FROM host WHERE ready_at IS NOT NULL')
      .pluck(),
    slow: db.prepare<[number, number], { id: number; readyAt: number }>(
      `SELECT id, ready_at AS readyAt FROM host
       WHERE crawl_delay_ms > ? AND ready_at <= ? + crawl_delay_ms ORDER BY ready_at`,
    ),
    busy: db.prepare<[], number>("SELECT id FROM host WHERE slots <> '[]'").pluck(),
    count: db.prepare<[], { hosts: number; known: number }>(
      'SELECT count(*) AS hosts, coalesce(sum(known), 0) AS known FROM host',
    ),
    firstDue: db
      .prepare<[number, number], number>(
        `SELECT due_at FROM url WHERE host_id = ? AND due_at IS NOT NULL AND (lease IS NULL OR lease <= ?)
         ORDER BY due_at LIMIT 1`,
      )
      .pluck(),
  };
}

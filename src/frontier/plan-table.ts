/** Plans of pages: what the record says of when to come back, apart from the rest of it. Statements only. */
import { memoryOf, type PageMemory } from '../crawl/freshness/memory.ts';
import type { Database } from '../store/database.ts';
import { type PlanColumns, planOf } from './page-record.ts';
import type { UrlState } from './url-table.ts';

/** A page of which a copy is held, its place in the queue, and its plan. */
export interface PlannedPage {
  readonly url: UrlState;
  readonly page: PageMemory;
  /** Is it due as planned? Else by a schedule that is not to be touched: tries, second looks, or because somebody asked for it. */
  readonly isAsPlanned: boolean;
  /** The last look did not find it. */
  readonly isDoubted: boolean;
}

interface Row extends UrlState, PlanColumns {
  readonly missing: number;
}

export class PlanTable {
  readonly #sql: Statements;

  constructor(db: Database) {
    this.#sql = prepare(db);
  }

  /** Undefined when no copy of the page is held, or it is a list. */
  get(id: number): PlannedPage | undefined {
    const row = this.#sql.byId.get(id);
    return row && plannedPage(row);
  }

  /** Of the `count` pages after `id`, those of which a copy is held; and the last id looked at, null when none is left. */
  after(id: number, count: number): { readonly pages: PlannedPage[]; readonly lastId: number | null } {
    return {
      pages: this.#sql.after.all(id, count).map(plannedPage),
      lastId: this.#sql.lastAfter.get(id, count) ?? null,
    };
  }

  /** All pages of which a copy is held. */
  *all(): IterableIterator<PlannedPage> {
    for (const row of this.#sql.all.iterate()) yield plannedPage(row);
  }

  /** About `count` of them, evenly spread over ids. */
  sample(count: number): PlannedPage[] {
    const { first, last } = this.#sql.range.get() ?? { first: 0, last: 0 };
    const found = new Map<number, PlannedPage>();
    for (let nth = 0; nth < count; nth++) {
      const row = this.#sql.from.get(Math.floor(first + ((last - first) * nth) / count));
      if (row !== undefined) found.set(row.id, plannedPage(row));
    }
    return [...found.values()];
  }

  setInterval(id: number, intervalMs: number): void {
    this.#sql.setInterval.run(intervalMs, id);
  }

  /** Hosts whose pages want more visits a day than one every `delayMs`, or the host's Crawl-delay, admits; or did until now. */
  crowdedHosts(delayMs: number): number[] {
    return this.#sql.crowded.all(delayMs);
  }

  /** Hosts with any totals. */
  countedHosts(): number[] {
    return this.#sql.counted.all();
  }

  /**
   * Fetched URLs that are due and not lent, counted up to `limit`: of hosts that answer, since no price gets others
   * visited, and not of those with a surcharge, which is steered by what they leave overdue.
   */
  countOverdue(now: number, limit: number): number {
    return this.#sql.countOverdue.get(now, now, limit) ?? 0;
  }

  /** The same of one host. */
  countOverdueOf(hostId: number, now: number, limit: number): number {
    return this.#sql.countOverdueOf.get(hostId, now, now, limit) ?? 0;
  }
}

function plannedPage(row: Row): PlannedPage {
  const { id, hostId, depth, priority, redirects, dueAt, lease } = row;
  const page = memoryOf({ depth, priority, ...planOf(row) });
  return {
    url: { id, hostId, depth, priority, redirects, dueAt, lease },
    page,
    isAsPlanned: dueAt !== null && dueAt === page.lookedAt + page.intervalMs,
    isDoubted: row.missing > 0,
  };
}

type Statements = ReturnType<typeof prepare>;

const COLUMNS = `u.id, u.host_id AS hostId, u.depth, u.priority, u.redirects, u.due_at AS dueAt, u.lease,
  p.interval_ms, p.looked_at, p.shown_changes, p.shown_days, p.volatility, p.changes_in_row, p.missing, a.lastmod_at AS signalled_at`;
const JOINED = 'JOIN url u ON u.id = p.id LEFT JOIN announcement a ON a.id = p.id';
const IS_OVERDUE = 'due_at BETWEEN 0 AND ? AND (lease IS NULL OR lease <= ?)';
const IS_HELD = 'u.kind = 0 AND p.content_hash IS NOT NULL';

function prepare(db: Database) {
  return {
    byId: db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM page p ${JOINED} WHERE p.id = ? AND ${IS_HELD}`),
    after: db.prepare<[number, number], Row>(
      `SELECT ${COLUMNS} FROM (SELECT * FROM page WHERE id > ? ORDER BY id LIMIT ?) p ${JOINED} WHERE ${IS_HELD}`,
    ),
    lastAfter: db
      .prepare<[number, number], number | null>(
        'SELECT max(id) FROM (SELECT id FROM page WHERE id > ? ORDER BY id LIMIT ?)',
      )
      .pluck(),
    range: db.prepare<[], { first: number; last: number }>(
      'SELECT coalesce(min(id), 0) AS first, coalesce(max(id), 0) AS last FROM page',
    ),
    from: db.prepare<[number], Row>(
      `SELECT ${COLUMNS} FROM page p ${JOINED} WHERE p.id >= ? AND ${IS_HELD} ORDER BY p.id LIMIT 1`,
    ),
    all: db.prepare<[], Row>(`SELECT ${COLUMNS} FROM page p ${JOINED} WHERE ${IS_HELD}`),
    setInterval: db.prepare<[number, number]>('UPDATE page SET interval_ms = ? WHERE id = ?'),
    crowded: db
      .prepare<[number], number>(
        `SELECT id FROM host
         WHERE log_factor > 0 OR demand * max(?, coalesce(crawl_delay_ms, 0)) > 86400000.0`,
      )
      .pluck(),
    counted: db.prepare<[], number>('SELECT id FROM host WHERE pages > 0').pluck(),
    countOverdue: db
      .prepare<[number, number, number], number>(
        `SELECT count(*) FROM (SELECT 1 FROM host JOIN url ON url.host_id = host.id AND ${IS_OVERDUE}
         WHERE host.pages > 0 AND host.failures = 0 AND host.log_factor = 0
         LIMIT ?)`,
      )
      .pluck(),
    countOverdueOf: db
      .prepare<[number, number, number, number], number>(
        `SELECT count(*) FROM (SELECT 1 FROM url WHERE host_id = ? AND ${IS_OVERDUE} LIMIT ?)`,
      )
      .pluck(),
  };
}

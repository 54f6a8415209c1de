/** The one row of schedule: the price of a visit, the totals of all pages, and how far the sweep has come. */
import { noPages, type Totals } from '../crawl/freshness/totals.ts';
import type { Database } from '../store/database.ts';

export interface Schedule {
  /** ln Λ (crawl/freshness/price.ts). */
  readonly logPrice: number;
  /** When the price was steered last; 0: never. */
  readonly tickedAt: number;
  /** Pages there were then. */
  readonly tickedPages: number;
  /** The page planned anew last. */
  readonly sweptId: number;
  readonly totals: Totals;
}

interface Row extends Omit<Schedule, 'totals'>, Omit<Totals, 'pool'> {
  readonly rateLogSum: number;
  readonly rateCount: number;
}

const nothing: Schedule = { logPrice: 0, tickedAt: 0, tickedPages: 0, sweptId: 0, totals: noPages };

export class ScheduleRow {
  readonly #sql: Statements;
  #state: Schedule | null = null;
  #isChanged = false;

  constructor(db: Database) {
    this.#sql = prepare(db);
  }

  /** Begins a transaction: nothing remembered of an earlier one may be used. */
  begin(): void {
    this.#state = null;
    this.#isChanged = false;
  }

  get(): Schedule {
    this.#state ??= this.#read();
    return this.#state;
  }

  change(changes: Partial<Schedule>): void {
    this.#state = { ...this.get(), ...changes };
    this.#isChanged = true;
  }

  save(): void {
    if (!this.#isChanged) return;
    const { logPrice, tickedAt, tickedPages, sweptId, totals } = this.get();
    const { pool, pages, weight, demand } = totals;
    this.#sql.update.run(
      ...[logPrice, tickedAt, tickedPages, sweptId],
      ...[pages, weight, demand, pool.sum, pool.count],
    );
    this.#isChanged = false;
  }

  #read(): Schedule {
    const row = this.#sql.read.get();
    if (row === undefined) return nothing;
    const { logPrice, tickedAt, tickedPages, sweptId, pages, weight, demand, rateLogSum, rateCount } = row;
    const pool = { sum: rateLogSum, count: rateCount };
    return { logPrice, tickedAt, tickedPages, sweptId, totals: { pool, pages, weight, demand } };
  }
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: Database) {
  return {
    read: db.prepare<[], Row>(
      `SELECT log_price AS logPrice, ticked_at AS tickedAt, ticked_pages AS tickedPages, swept_id AS sweptId, pages, weight, demand,
         rate_log_sum AS rateLogSum, rate_count AS rateCount FROM schedule`,
    ),
    update: db.prepare(
      `UPDATE schedule SET log_price = ?, ticked_at = ?, ticked_pages = ?, swept_id = ?, pages = ?, weight = ?, demand = ?,
         rate_log_sum = ?, rate_count = ?`,
    ),
  };
}

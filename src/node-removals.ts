/** Puts together what removals need (crawl/removals.ts): a part of node.ts. */
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { createRemovals, type Removals } from './crawl/removals.ts';
import type { SqliteFrontier } from './frontier/sqlite.ts';
import type { SqliteSearchIndex } from './search/sqlite.ts';
import type { Database } from './store/database.ts';
import { HeldRemovals } from './store/held.ts';
import type { Reports } from './store/reports.ts';
import { transactionOf } from './store/unit-of-work.ts';

interface From {
  readonly index: SqliteSearchIndex;
  readonly frontier: SqliteFrontier;
  readonly reports: Reports;
  readonly clock: Clock;
}

export function removalsOf(db: Database, { refresh }: Config, from: From): Removals {
  const { index, frontier, reports, clock } = from;
  return createRemovals(
    {
      held: new HeldRemovals(db),
      index,
      frontier,
      recordOf(id) {
        const row = reports.url(id);
        return row === null ? null : frontier.find(row.url);
      },
      policy: { ...refresh.safety, recheckMs: refresh.missingRecheckMs, tombstonesMs: refresh.tombstonesMs },
    },
    transactionOf(db),
    clock,
  );
}

/** Does the store of a data folder agree with itself? Nothing lost, nothing twice, nothing half there, counts right (R29). */
import { type Database, openDatabase } from '../../src/store/database.ts';
import { consistencyRules, problemsIn } from '../../src/store/soundness.ts';

/** What is wrong while no crawl runs, one line each. */
export function contradictionsIn(folder: string): string[] {
  const db = openDatabase(folder, { isReadOnly: true });
  try {
    const unrested = Object.entries({ ...atRest, ...archived }).flatMap(([what, sql]) => {
      const count = countOf(db, sql);
      return count === 0 ? [] : [`${what}: ${count}`];
    });
    return [...unrested, ...problemsIn(db)];
  } finally {
    db.close();
  }
}

/** The totals kept of visits. Links refused for a quota are left out, because URLs that are added are counted there as well. */
export function countersIn(folder: string): ReadonlyMap<string, number> {
  const db = openDatabase(folder, { isReadOnly: true });
  const sql = `SELECT name, value FROM counter WHERE name LIKE 'outcome.%' OR name IN ('bytes', 'savedBytes')
    UNION ALL SELECT 'refused ' || reason, count FROM refusal WHERE reason NOT LIKE 'limit.%'`;
  const rows = db.prepare<[], { name: string; value: number }>(sql).all();
  db.close();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** The same while a crawl runs, to be asked after every commit. */
export class StepCheck {
  readonly #db: Database;
  readonly #checks: readonly (readonly [what: string, count: (now: number) => number])[];

  constructor(folder: string) {
    this.#db = openDatabase(folder, { isReadOnly: true });
    this.#checks = Object.entries({ ...inMotion, ...consistencyRules, ...archived }).map(([what, sql]) => {
      const statement = this.#db.prepare<{ now: number }, number>(sql).pluck();
      return [what, (now) => statement.get({ now }) ?? 0];
    });
  }

  contradictions(now: number): string[] {
    return this.#checks.flatMap(([what, countAt]) => {
      const count = countAt(now);
      return count === 0 ? [] : [`while crawling: ${what}: ${count}`];
    });
  }

  close(): void {
    this.#db.close();
  }
}

/** Each counts what must not be while nothing runs. */
const atRest: Readonly<Record<string, string>> = {
  'URLs still lent': 'SELECT count(*) FROM url WHERE lease IS NOT NULL',
  'hosts with busy slots': "SELECT count(*) FROM host WHERE slots <> '[]'",
  'hosts nobody will ask again': 'SELECT count(*) FROM host WHERE known > 0 AND ready_at IS NULL',
};

/** … at any time, where snapshots are kept. */
const archived: Readonly<Record<string, string>> = {
  'documents without a snapshot':
    'SELECT count(*) FROM document WHERE id NOT IN (SELECT url_id FROM capture)',
};

/** … and while a crawl runs: every loan holds a slot of its host, and only loans do (a turn for robots.txt holds one for 30 s). */
const inMotion: Readonly<Record<string, string>> = {
  'loans without a slot': `SELECT count(*) FROM url JOIN host ON host.id = host_id WHERE lease > @now
     AND lease NOT IN (SELECT value FROM json_each(host.slots))`,
  'slots without a loan': `SELECT count(*) FROM host, json_each(host.slots) AS slot WHERE slot.value > @now + 30000
     AND slot.value NOT IN (SELECT lease FROM url WHERE host_id = host.id AND lease IS NOT NULL)`,
};

function countOf(db: Database, sql: string): number {
  return db.prepare<[], number>(sql).pluck().get() ?? 0;
}

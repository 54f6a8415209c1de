/** Counts made during a transaction, written once at its end: totals (`counter`) and refused links (`refusal`). */
import type { ReasonCode } from '../reasons.ts';
import type { Database } from '../store/database.ts';

/** Refused URLs kept for people to look at, per reason. */
const SAMPLES = 20;

interface Refused {
  count: number;
  readonly samples: string[];
}

export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #refused = new Map<ReasonCode, Refused>();
  readonly #sql: Statements;

  constructor(db: Database) {
    this.#sql = prepare(db);
  }

  begin(): void {
    this.#counts.clear();
    this.#refused.clear();
  }

  add(name: string, amount: number): void {
    if (amount !== 0) this.#counts.set(name, (this.#counts.get(name) ?? 0) + amount);
  }

  refuse(reason: ReasonCode, count: number, samples: readonly string[] = []): void {
    const refused = this.#refused.get(reason) ?? { count: 0, samples: [] };
    refused.count += count;
    refused.samples.push(...samples.slice(0, SAMPLES - refused.samples.length));
    this.#refused.set(reason, refused);
  }

  save(): void {
    for (const [name, amount] of this.#counts) this.#sql.add.run(name, amount);
    for (const [reason, { count, samples }] of this.#refused) {
      const stored = JSON.parse(this.#sql.samples.get(reason) ?? '[]') as string[];
      const all = [...new Set([...stored, ...samples])].slice(0, SAMPLES);
      this.#sql.refuse.run(reason, count, JSON.stringify(all));
    }
  }

  /** A total as stored. */
  read(name: string): number {
    return this.#sql.read.get(name) ?? 0;
  }
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: Database) {
  return {
    add: db.prepare<[string, number]>(
      'INSERT INTO counter VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value',
    ),
    read: db.prepare<[string], number>('SELECT value FROM counter WHERE name = ?').pluck(),
    samples: db.prepare<[string], string>('SELECT samples FROM refusal WHERE reason = ?').pluck(),
    refuse: db.prepare<[string, number, string]>(
      `INSERT INTO refusal VALUES (?, ?, ?)
       ON CONFLICT (reason) DO UPDATE SET count = count + excluded.count, samples = excluded.samples`,
    ),
  };
}

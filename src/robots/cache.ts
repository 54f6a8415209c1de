/** robots.txt records in the store, the recent ones in memory, and the claims that keep requests for one file to one. */
import type { Database } from '../store/database.ts';
import type { FetchResult, RobotsRecord } from '../types.ts';
import {
  type RobotsPolicy,
  type RobotsVerdict,
  robotsAfter,
  robotsValidators,
  robotsVerdict,
} from './policy.ts';
import type { RobotsClaim, RobotsSource } from './robots-source.ts';
import { RobotsRulesCache } from './rules-cache.ts';

/** Records held in memory; a body is at most 512 KiB and mostly under 1 KiB. */
const RECORDS_IN_MEMORY = 1_000;

interface Row extends Omit<RobotsRecord, 'headers'> {
  readonly headers: string;
}

export class RobotsCache implements RobotsSource {
  readonly #policy: RobotsPolicy;
  readonly #rules: RobotsRulesCache;
  readonly #select;
  readonly #upsert;
  /** Least recently used first. Records just settled are here before they are committed. */
  readonly #records = new Map<string, RobotsRecord>();
  readonly #claims = new Map<string, { readonly done: Promise<void>; readonly end: () => void }>();

  constructor(db: Database, productToken: string, policy: RobotsPolicy) {
    this.#policy = policy;
    this.#rules = new RobotsRulesCache(productToken);
    this.#select = db.prepare<[string], Row>(
      `SELECT origin, state, status, reason, body, headers, next, hops, fetched_at AS fetchedAt,
              expires_at AS expiresAt, confirmed_at AS confirmedAt, failures
       FROM robots WHERE origin = ?`,
    );
    this.#upsert = db.prepare<[Row]>(
      `INSERT OR REPLACE INTO robots
       VALUES (@origin, @state, @status, @reason, @body, @headers, @next, @hops, @fetchedAt, @expiresAt, @confirmedAt, @failures)`,
    );
  }

  /** The record of an origin; null when its robots.txt was never asked for. */
  get(origin: string): RobotsRecord | null {
    const known = this.#records.get(origin);
    if (known !== undefined) {
      this.#records.delete(origin);
      this.#records.set(origin, known);
      return known;
    }
    const row = this.#select.get(origin);
    if (row === undefined) return null;
    return this.#remember({ ...row, headers: JSON.parse(row.headers) as RobotsRecord['headers'] });
  }

  verdict(url: string, nowMs: number): RobotsVerdict {
    return robotsVerdict(this.get(originOf(url)), url, this.#rules, nowMs);
  }

  claim(origin: string): RobotsClaim {
    const other = this.#claims.get(origin);
    if (other !== undefined) return { isMine: false, done: other.done };
    let end = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#claims.set(origin, { done, end });
    return { isMine: true };
  }

  settle(origin: string, fetchUrl: string, result: FetchResult | null, nowMs: number): RobotsRecord | null {
    const claim = this.#claims.get(origin);
    this.#claims.delete(origin);
    const record =
      result === null
        ? null
        : this.#remember(robotsAfter(this.get(origin), origin, fetchUrl, result, nowMs, this.#policy));
    claim?.end();
    return record;
  }

  crawlDelayMs(record: RobotsRecord): number | null {
    return record.state === 'rules' ? this.#rules.rulesFor(record).crawlDelayMs : null;
  }

  sitemaps(origin: string): readonly string[] {
    const record = this.get(origin);
    return record?.state === 'rules' ? this.#rules.rulesFor(record).sitemaps : [];
  }

  validators(origin: string, fetchUrl: string): { etag: string | null; lastModified: string | null } {
    return robotsValidators(this.get(origin), fetchUrl);
  }

  /** Writes records inside the caller's transaction. */
  write(records: readonly RobotsRecord[]): void {
    for (const record of records) {
      const body = record.body === null ? null : Buffer.from(record.body);
      this.#upsert.run({ ...record, body, headers: JSON.stringify(record.headers) });
    }
  }

  #remember(record: RobotsRecord): RobotsRecord {
    this.#records.delete(record.origin);
    this.#records.set(record.origin, record);
    if (this.#records.size > RECORDS_IN_MEMORY) this.#records.delete(this.#records.keys().next().value ?? '');
    return record;
  }
}

/** scheme://host[:port] of an absolute URL. */
export function originOf(url: string): string {
  return new URL(url).origin;
}

/**
 * What people ask of the store: lists and counts across its tables. Reads only, so it works on a read-only connection
 * beside a crawl that writes.
 */
import type { ReasonCode } from '../reasons.ts';
import type { PageState } from '../types.ts';
import type { Database } from './database.ts';

/** One known URL, as `freshet urls` lists it. */
export interface UrlRow {
  readonly url: string;
  readonly state: PageState;
  readonly reason: ReasonCode | null;
  readonly status: number | null;
  readonly title: string | null;
  readonly depth: number;
  readonly redirectTo: string | null;
  readonly foundAt: number;
  readonly fetchedAt: number | null;
  readonly changedAt: number | null;
  readonly visits: number;
  readonly changes: number;
  readonly intervalMs: number | null;
  /** Null: waiting for its first visit, or never again by itself. */
  readonly nextVisitAt: number | null;
}

/** What the web pages show of an indexed page. */
export interface IndexedPage {
  readonly url: string;
  readonly title: string;
  readonly fetchedAt: number;
  readonly hasSnapshot: boolean;
}

export interface UrlFilter {
  readonly state?: PageState;
  readonly reason?: string;
  readonly host?: string;
  readonly limit?: number;
}

export interface StateCount {
  readonly state: PageState;
  readonly reason: ReasonCode | null;
  readonly count: number;
}

export interface HostRow {
  readonly host: string;
  readonly known: number;
  readonly crawlDelayMs: number | null;
  readonly failures: number;
  readonly readyAt: number | null;
}

export interface Refusal {
  readonly reason: ReasonCode;
  readonly count: number;
  readonly samples: readonly string[];
}

export interface RobotsSummary {
  readonly origin: string;
  readonly state: string;
  readonly status: number | null;
  readonly reason: ReasonCode | null;
  readonly fetchedAt: number;
  readonly expiresAt: number;
}

/** A URL that no visit has settled yet is waiting; why, if its robots.txt cannot be had, is known of its origin. */
const URL_ROWS = `
  SELECT CASE url.is_secure WHEN 1 THEN 'https://' ELSE 'http://' END || host.name || url.path AS url,
         coalesce(page.state, 'waiting') AS state, page.reason, page.status, document.title, url.depth,
         page.redirect_to AS redirectTo, url.found_at AS foundAt, page.fetched_at AS fetchedAt,
         page.changed_at AS changedAt, coalesce(page.visits, 0) AS visits, coalesce(page.changes, 0) AS changes,
         page.interval_ms AS intervalMs, CASE WHEN url.due_at >= 0 THEN url.due_at END AS nextVisitAt
  FROM url JOIN host ON host.id = url.host_id
  LEFT JOIN page ON page.id = url.id
  LEFT JOIN document ON document.id = url.id`;

export class Reports {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Known URLs in the order found; lazily, so that a million of them need no memory. */
  *urls(filter: UrlFilter = {}): IterableIterator<UrlRow> {
    const tests: string[] = [];
    const values: Record<string, string | number> = { limit: filter.limit ?? -1 };
    if (filter.state !== undefined) {
      tests.push("coalesce(page.state, 'waiting') = @state");
      values['state'] = filter.state;
    }
    if (filter.reason !== undefined) {
      // `robots` means every reason of that family.
      tests.push("(page.reason = @reason OR page.reason LIKE @reason || '.%')");
      values['reason'] = filter.reason;
    }
    if (filter.host !== undefined) {
      tests.push('host.name = @host');
      values['host'] = filter.host;
    }
    const where = tests.length > 0 ? `WHERE ${tests.join(' AND ')}` : '';
    yield* this.#db
      .prepare<[Record<string, string | number>], UrlRow>(`${URL_ROWS} ${where} ORDER BY url.id LIMIT @limit`)
      .iterate(values);
  }

  /** One URL by id. */
  url(id: number): UrlRow | null {
    return this.#db.prepare<[number], UrlRow>(`${URL_ROWS} WHERE url.id = ?`).get(id) ?? null;
  }

  /** The next known pages and lists by id, for work in batches. */
  urlsAfter(
    id: number,
    limit: number,
  ): { readonly id: number; readonly url: string; readonly depth: number }[] {
    return this.#db
      .prepare<[number, number], { id: number; url: string; depth: number }>(
        `SELECT url.id, CASE is_secure WHEN 1 THEN 'https://' ELSE 'http://' END || host.name || path AS url, depth
         FROM url JOIN host ON host.id = url.host_id WHERE url.id > ? AND kind < 3 ORDER BY url.id LIMIT ?`,
      )
      .all(id, limit);
  }

  /** Known URLs by state and reason. */
  states(): StateCount[] {
    const settled = this.#db
      .prepare<[], StateCount>(
        'SELECT state, reason, count(*) AS count FROM page GROUP BY state, reason ORDER BY count DESC',
      )
      .all();
    const unsettled = this.#count('SELECT (SELECT count(*) FROM url) - (SELECT count(*) FROM page)');
    return unsettled > 0 ? [...settled, { state: 'waiting', reason: null, count: unsettled }] : settled;
  }

  /** Hosts, those with most URLs first. */
  hosts(limit = 20): HostRow[] {
    return this.#db
      .prepare<[number], HostRow>(
        `SELECT name AS host, known, crawl_delay_ms AS crawlDelayMs, failures, ready_at AS readyAt
         FROM host ORDER BY known DESC, name LIMIT ?`,
      )
      .all(limit);
  }

  /** Links that were found and not taken, by reason. */
  refusals(): Refusal[] {
    return this.#db
      .prepare<[], { reason: ReasonCode; count: number; samples: string }>(
        'SELECT reason, count, samples FROM refusal ORDER BY count DESC',
      )
      .all()
      .map((row) => ({ ...row, samples: JSON.parse(row.samples) as string[] }));
  }

  /** robots.txt as last fetched, by origin. */
  robots(): RobotsSummary[] {
    return this.#db
      .prepare<[], RobotsSummary>(
        `SELECT origin, state, status, reason, fetched_at AS fetchedAt, expires_at AS expiresAt
         FROM robots ORDER BY origin`,
      )
      .all();
  }

  /** Fetched URLs due at or before an instant. */
  dueBefore(instant: number): number {
    return this.#count('SELECT count(*) FROM url WHERE due_at BETWEEN 0 AND ?', instant);
  }

  /** The next instant at which a fetched URL is due. */
  nextDueAt(): number | null {
    return (
      this.#db.prepare<[], number | null>('SELECT min(due_at) FROM url WHERE due_at >= 0').pluck().get() ??
      null
    );
  }

  /** When a URL is due; null: never by itself. A URL never fetched is due in its turn, which is 0 here. */
  dueAt(urlId: number): number | null {
    const dueAt = this.#db
      .prepare<[number], number | null>('SELECT due_at FROM url WHERE id = ?')
      .pluck()
      .get(urlId);
    return dueAt == null ? null : Math.max(dueAt, 0);
  }

  /** URLs with a query, the latest found first, at most `limit`. */
  recentUrlsWithQuery(limit: number): IterableIterator<string> {
    return this.#db
      .prepare<[number], string>(
        `SELECT CASE is_secure WHEN 1 THEN 'https://' ELSE 'http://' END || host.name || path
         FROM url JOIN host ON host.id = url.host_id WHERE instr(path, '?') > 0 ORDER BY url.id DESC LIMIT ?`,
      )
      .pluck()
      .iterate(limit);
  }

  /** An indexed page; null when it is not in the index. */
  page(id: number): IndexedPage | null {
    const row = this.#db
      .prepare<[number], Omit<IndexedPage, 'hasSnapshot'> & { hasSnapshot: number }>(
        `SELECT CASE is_secure WHEN 1 THEN 'https://' ELSE 'http://' END || host.name || path AS url,
                title, fetched_at AS fetchedAt, has_snapshot AS hasSnapshot
         FROM document JOIN url USING (id) JOIN host ON host.id = url.host_id WHERE document.id = ?`,
      )
      .get(id);
    return row === undefined ? null : { ...row, hasSnapshot: row.hasSnapshot === 1 };
  }

  /** The three numbers every page shows; cheap. */
  overview(): { readonly documents: number; readonly known: number; readonly lastFetchedAt: number | null } {
    const lastFetchedAt =
      this.#db.prepare<[], number | null>('SELECT max(last_request_at) FROM host').pluck().get() ?? null;
    return { documents: this.documents(), known: this.#count('SELECT sum(known) FROM host'), lastFetchedAt };
  }

  documents(): number {
    return this.#count('SELECT count(*) FROM document');
  }

  /** The page of its host that has the same content and stands for this one in the index; null when it stands for itself. */
  standsFor(urlId: number): string | null {
    return (
      this.#db
        .prepare<[number], string>(
          `SELECT other.url FROM document d JOIN document other
             ON other.content_hash = d.content_hash AND other.host = d.host AND other.is_indexed = 1
           WHERE d.id = ? AND d.is_indexed = 0`,
        )
        .pluck()
        .get(urlId) ?? null
    );
  }

  /** The URL on whose page this one was first found; null for a start URL. */
  foundOn(urlId: number): string | null {
    return (
      this.#db
        .prepare<[number], string>(
          `SELECT CASE r.is_secure WHEN 1 THEN 'https://' ELSE 'http://' END || host.name || r.path
           FROM url u JOIN url r ON r.id = u.referrer_id JOIN host ON host.id = r.host_id WHERE u.id = ?`,
        )
        .pluck()
        .get(urlId) ?? null
    );
  }

  #count(sql: string, ...values: number[]): number {
    return (
      this.#db
        .prepare<number[], number>(sql)
        .pluck()
        .get(...values) ?? 0
    );
  }
}

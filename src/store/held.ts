/** Removals held by the mass-loss brake, and what the brake counts (crawl/brake.ts). Rows, so a restart changes nothing. */
import type { HeldHost, HeldPage, HostLoss } from '../crawl/brake.ts';
import type { Database } from './database.ts';

/** URLs shown of each host. */
const SAMPLES = 5;

export class HeldRemovals {
  readonly #sql: Statements;

  /** On a read-only connection, reads work. */
  constructor(db: Database) {
    this.#sql = prepare(db);
  }

  /** What `host` has lost since `since`, with `asked` about to be removed. */
  loss(host: string, since: number, asked: readonly number[]): HostLoss {
    const ids = JSON.stringify(asked);
    return {
      documents: this.#sql.documents.get(host) ?? 0,
      removed: this.#sql.removed.get(host, since) ?? 0,
      doubtful: asked.length + (this.#sql.doubtful.get(host, ids) ?? 0),
    };
  }

  /** Of these pages, those that are in the index. */
  indexed(ids: readonly number[]): ReadonlySet<number> {
    return new Set(this.#sql.indexed.all(JSON.stringify(ids)));
  }

  /** Holds a removal; one held already stays held since then. */
  hold(page: HeldPage): void {
    this.#sql.hold.run({ ...page });
  }

  release(id: number): void {
    this.#sql.release.run(id);
  }

  /** Pages held, of one host or (null) of all. */
  pages(host: string | null): HeldPage[] {
    return this.#sql.pages.all(host, host);
  }

  /** Hosts with removals held, those with most first. */
  hosts(): HeldHost[] {
    return this.#sql.hosts.all().map((row) => ({
      ...row,
      reasons: this.#sql.reasons.all(row.host),
      samples: this.#sql.samples.all(row.host, SAMPLES),
    }));
  }
}

type Statements = ReturnType<typeof prepare>;

const ADDRESS = "CASE url.is_secure WHEN 1 THEN 'https://' ELSE 'http://' END || host.name || url.path";

function prepare(db: Database) {
  return {
    documents: db.prepare<[string], number>('SELECT count(*) FROM document WHERE host = ?').pluck(),
    removed: db
      .prepare<[string, number], number>(
        'SELECT count(*) FROM tombstone WHERE host = ? AND removed_at > ? AND is_final = 0',
      )
      .pluck(),
    doubtful: db
      .prepare<[string, string], number>(
        `SELECT count(*) FROM page JOIN document USING (id) WHERE page.missing > 0 AND page.content_hash IS NOT NULL
         AND document.host = ? AND page.id NOT IN (SELECT value FROM json_each(?))`,
      )
      .pluck(),
    indexed: db
      .prepare<[string], number>('SELECT id FROM document WHERE id IN (SELECT value FROM json_each(?))')
      .pluck(),
    hold: db.prepare<[Record<string, string | number | null>]>(`
      INSERT INTO held VALUES (@id, @host, @heldAt, @state, @reason, @redirectTo, @intervalMs)
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, reason = excluded.reason, redirect_to = excluded.redirect_to,
        interval_ms = excluded.interval_ms`),
    release: db.prepare<[number]>('DELETE FROM held WHERE id = ?'),
    pages: db.prepare<[string | null, string | null], HeldPage>(`
      SELECT id, host, held_at AS heldAt, state, reason, redirect_to AS redirectTo, interval_ms AS intervalMs
      FROM held WHERE ? IS NULL OR host = ? ORDER BY id`),
    hosts: db.prepare<[], Omit<HeldHost, 'reasons' | 'samples'>>(
      `SELECT host, count(*) AS held, min(held_at) AS heldAt,
              (SELECT count(*) FROM document WHERE document.host = held.host) AS documents
       FROM held GROUP BY host ORDER BY held DESC, host`,
    ),
    reasons: db.prepare<[string], HeldHost['reasons'][number]>(
      `SELECT coalesce(reason, state) AS reason, count(*) AS count FROM held WHERE host = ?
       GROUP BY 1 ORDER BY count DESC, reason`,
    ),
    samples: db
      .prepare<[string, number], string>(
        `SELECT ${ADDRESS} FROM held JOIN url USING (id) JOIN host ON host.id = url.host_id
         WHERE held.host = ? ORDER BY held.id LIMIT ?`,
      )
      .pluck(),
  };
}

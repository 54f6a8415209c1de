/** The url table, with the two tables beside it that are written in the same breath: page and page_links. Statements only. */
import type { Database } from '../store/database.ts';
import type { PageRecord, UrlKind } from '../types.ts';
import { decodeLinks, encodeLinks } from './link-list.ts';
import { kindNumber, pageValues, REPLACE_PAGE, type RecordRow, SELECT_RECORD } from './page-record.ts';
import type { QueueEntry } from './rank-list.ts';
import type { DiskQueue } from './work-queue.ts';

/** A URL as it is inserted. */
export interface NewUrl {
  readonly id: number;
  readonly hostId: number;
  readonly hash: number;
  readonly kind: UrlKind;
  readonly isSecure: boolean;
  readonly path: string;
  readonly depth: number;
  readonly priority: number;
  readonly dueAt: number;
  readonly redirects: number;
  readonly referrerId: number | null;
  readonly foundAt: number;
}

/** What decides about a URL that is known. */
export interface UrlState {
  readonly id: number;
  readonly hostId: number;
  readonly depth: number;
  readonly priority: number;
  readonly redirects: number;
  readonly dueAt: number | null;
  readonly lease: number | null;
}

/** What a page passes on: its targets, and whether it is a redirect (which adds no depth). */
export interface PageLinks {
  readonly targets: readonly number[];
  readonly isRedirect: boolean;
}

const URL_STATE = 'SELECT id, host_id AS hostId, depth, priority, redirects, due_at AS dueAt, lease FROM url';

export class UrlTable implements DiskQueue {
  readonly #sql: Statements;
  readonly #now: () => number;

  constructor(db: Database, now: () => number) {
    this.#sql = prepare(db);
    this.#now = now;
  }

  lastId(): number {
    return this.#sql.lastId.get() ?? 0;
  }

  /** False when the URL is known. */
  insert(url: NewUrl): boolean {
    return (
      this.#sql.insert.run(
        url.id,
        url.hostId,
        url.hash,
        kindNumber(url.kind),
        url.isSecure ? 1 : 0,
        url.path,
        url.depth,
        url.priority,
        url.dueAt,
        url.redirects,
        url.referrerId,
        url.foundAt,
      ).changes > 0
    );
  }

  byHash(hostId: number, hash: number): UrlState | undefined {
    return this.#sql.byHash.get(hostId, hash);
  }

  byId(id: number): UrlState | undefined {
    return this.#sql.byId.get(id);
  }

  recordByHash(host: string, hash: number): RecordRow | undefined {
    return this.#sql.recordByHash.get(host, hash);
  }

  /** The record of a URL that is due and not lent. */
  dueRecord(id: number, now: number): RecordRow | undefined {
    return this.#sql.dueRecord.get(id, now, now);
  }

  lend(id: number, lease: number): void {
    this.#sql.lend.run(lease, id);
  }

  /** Ends a loan. */
  takeBack(id: number, dueAt: number | null): void {
    this.#sql.takeBack.run(dueAt, id);
  }

  setDue(id: number, dueAt: number): void {
    this.#sql.setDue.run(dueAt, id);
  }

  /** A nearer way to a URL was found. */
  setWay(id: number, depth: number, redirects: number): void {
    this.#sql.setWay.run(depth, redirects, id);
  }

  /** Ends all loans; returns how many there were. */
  takeAllBack(): number {
    return this.#sql.takeAllBack.run().changes;
  }

  /** Loans out, and those of them that are first visits. */
  lent(now: number): { readonly all: number; readonly fresh: number } {
    return this.#sql.lent.get(now) ?? { all: 0, fresh: 0 };
  }

  /** Fetched URLs due at `now`, counted up to `limit`. */
  countDue(now: number, limit: number): number {
    return this.#sql.countDue.get(now, limit) ?? 0;
  }

  newUrls(hostId: number, rank: number, limit: number): QueueEntry[] {
    return this.#sql.newUrls.all(hostId, rank, this.#now(), limit);
  }

  fetchedUrls(hostId: number, limit: number): QueueEntry[] {
    return this.#sql.fetchedUrls.all(hostId, this.#now(), limit);
  }

  replacePage(record: PageRecord): void {
    this.#sql.replacePage.run(...pageValues(record));
  }

  /** Forgets what would make the next request of a page conditional. Returns false when it was never fetched. */
  dropValidators(id: number): boolean {
    return this.#sql.dropValidators.run(id).changes > 0;
  }

  /** Lists of one kind known of a host. */
  countLists(hostId: number, kind: UrlKind): number {
    return this.#sql.countLists.get(hostId, kindNumber(kind)) ?? 0;
  }

  /** Lists of all kinds known of a host. */
  countAllLists(hostId: number): number {
    return this.#sql.countAllLists.get(hostId) ?? 0;
  }

  /** A page that was never indexed turns out to be a sitemap. Returns false when it is anything else. */
  makeSitemap(id: number): boolean {
    return this.#sql.makeSitemap.run(id).changes > 0;
  }

  setPriority(id: number, priority: number): void {
    this.#sql.setPriority.run(priority, id);
  }

  setKind(id: number, kind: UrlKind): void {
    this.#sql.setKind.run(kindNumber(kind), id);
  }

  /** When an indexed page was looked at last; undefined when it is not indexed. */
  indexedSince(id: number): number | undefined {
    return this.#sql.indexedSince.get(id);
  }

  /** When a URL was visited last; null when no visit has settled it. */
  fetchedAt(id: number): number | null {
    return this.#sql.fetchedAt.get(id) ?? null;
  }

  /** Keeps the first word since the last look that a page has changed. */
  announce(id: number, lastmodAt: number): void {
    this.#sql.announce.run(id, lastmodAt);
  }

  /** Takes back what was announced of a page, which has been visited; false when nothing was. */
  takeAnnouncement(id: number): boolean {
    return this.#sql.takeAnnouncement.run(id).changes > 0;
  }

  replaceLinks(id: number, targets: readonly number[]): void {
    if (targets.length === 0) this.#sql.deleteLinks.run(id);
    else this.#sql.replaceLinks.run(id, encodeLinks(targets));
  }

  links(id: number): PageLinks | undefined {
    const row = this.#sql.links.get(id);
    return row && { targets: decodeLinks(row.targets), isRedirect: row.state === 'redirected' };
  }
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: Database) {
  return { ...prepareUrls(db), ...preparePages(db) };
}

function prepareUrls(db: Database) {
  return {
    lastId: db.prepare<[], number | null>('SELECT max(id) FROM url').pluck(),
    insert: db.prepare(
      `INSERT OR IGNORE INTO url
         (id, host_id, hash, kind, is_secure, path, depth, priority, due_at, redirects, referrer_id, found_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    byHash: db.prepare<[number, number], UrlState>(`${URL_STATE} WHERE host_id = ? AND hash = ?`),
    byId: db.prepare<[number], UrlState>(`${URL_STATE} WHERE id = ?`),
    recordByHash: db.prepare<[string, number], RecordRow>(
      `${SELECT_RECORD} WHERE u.host_id = (SELECT id FROM host WHERE name = ?) AND u.hash = ?`,
    ),
    dueRecord: db.prepare<[number, number, number], RecordRow>(
      `${SELECT_RECORD} WHERE u.id = ? AND u.due_at <= ? AND (u.lease IS NULL OR u.lease <= ?)`,
    ),
    lend: db.prepare<[number, number]>('UPDATE url SET lease = ? WHERE id = ?'),
    takeBack: db.prepare<[number | null, number]>('UPDATE url SET lease = NULL, due_at = ? WHERE id = ?'),
    setDue: db.prepare<[number, number]>('UPDATE url SET due_at = ? WHERE id = ?'),
    setWay: db.prepare<[number, number, number]>('UPDATE url SET depth = ?, redirects = ? WHERE id = ?'),
    takeAllBack: db.prepare('UPDATE url SET lease = NULL WHERE lease IS NOT NULL'),
    lent: db.prepare<[number], { all: number; fresh: number }>(
      'SELECT count(*) AS "all", coalesce(sum(due_at < 0), 0) AS fresh FROM url WHERE lease > ?',
    ),
    countDue: db
      .prepare<[number, number], number>(
        `SELECT count(*) FROM (SELECT 1 FROM host JOIN url ON url.host_id = host.id AND url.due_at BETWEEN 0 AND ?
         WHERE host.ready_at IS NOT NULL LIMIT ?)`,
      )
      .pluck(),
    newUrls: db.prepare<[number, number, number, number], QueueEntry>(
      `SELECT id, due_at AS dueAt FROM url
       WHERE host_id = ? AND due_at > ? AND due_at < 0 AND (lease IS NULL OR lease <= ?) ORDER BY due_at LIMIT ?`,
    ),
    fetchedUrls: db.prepare<[number, number, number], QueueEntry>(
      `SELECT id, due_at AS dueAt FROM url
       WHERE host_id = ? AND due_at >= 0 AND (lease IS NULL OR lease <= ?) ORDER BY due_at LIMIT ?`,
    ),
  };
}

function preparePages(db: Database) {
  return {
    replacePage: db.prepare(REPLACE_PAGE),
    dropValidators: db.prepare<[number]>(
      'UPDATE page SET etag = NULL, last_modified = NULL WHERE id = ? AND fetched_at IS NOT NULL',
    ),
    countLists: db
      .prepare<[number, number], number>(
        'SELECT count(*) FROM url WHERE host_id = ? AND kind = ? AND kind > 0',
      )
      .pluck(),
    countAllLists: db
      .prepare<[number], number>('SELECT count(*) FROM url WHERE host_id = ? AND kind > 0')
      .pluck(),
    makeSitemap: db.prepare<[number]>(
      `UPDATE url SET kind = 1 WHERE id = ? AND kind = 0
       AND id NOT IN (SELECT page.id FROM page WHERE page.id = url.id AND content_hash IS NOT NULL)`,
    ),
    setPriority: db.prepare<[number, number]>('UPDATE url SET priority = ? WHERE id = ?'),
    setKind: db.prepare<[number, number]>('UPDATE url SET kind = ? WHERE id = ?'),
    indexedSince: db
      .prepare<[number], number>(
        "SELECT looked_at FROM page WHERE id = ? AND state = 'indexed' AND looked_at IS NOT NULL",
      )
      .pluck(),
    fetchedAt: db.prepare<[number], number | null>('SELECT fetched_at FROM page WHERE id = ?').pluck(),
    announce: db.prepare<[number, number]>(
      'INSERT INTO announcement VALUES (?, ?) ON CONFLICT (id) DO NOTHING',
    ),
    takeAnnouncement: db.prepare<[number]>('DELETE FROM announcement WHERE id = ?'),
    deleteLinks: db.prepare<[number]>('DELETE FROM page_links WHERE id = ?'),
    replaceLinks: db.prepare<[number, Uint8Array]>('INSERT OR REPLACE INTO page_links VALUES (?, ?)'),
    links: db.prepare<[number], { targets: Uint8Array; state: string | null }>(
      'SELECT l.targets, p.state FROM page_links l LEFT JOIN page p ON p.id = l.id WHERE l.id = ?',
    ),
  };
}

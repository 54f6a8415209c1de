/** Rows of url, host and page as the PageRecord they are, and back. */
import type { ReasonCode } from '../reasons.ts';
import type { PageRecord, PageState, UrlKind, Volatility } from '../types.ts';
import { joinUrl } from '../url/site.ts';

/** Kinds by their number in url.kind. */
const kinds: readonly UrlKind[] = ['page', 'sitemap', 'feed', 'key'];

/** What may be believed of changes, by its number in page.volatility. */
const volatilities: readonly Volatility[] = ['unknown', 'suspect', 'volatile', 'steady'];

/** The number of a kind in url.kind. */
export function kindNumber(kind: UrlKind): number {
  return kinds.indexOf(kind);
}

/** Selects what `toRecord` takes; append WHERE. */
export const SELECT_RECORD = `
  SELECT u.id, host.name AS host, u.kind, u.is_secure, u.path, u.depth, u.priority, u.redirects, u.found_at,
         u.host_id, u.due_at, u.lease,
         p.state, p.reason, p.status, p.etag, p.last_modified, p.request_url, p.redirect_to, p.fetched_at, p.changed_at,
         p.visits, p.changes, p.unchanged, p.failures, p.missing, p.interval_ms, p.content_hash, p.extractor_version,
         p.body_bytes, p.looked_at, p.shown_changes, p.shown_days, p.volatility, p.changes_in_row,
         a.lastmod_at AS signalled_at
  FROM url u JOIN host ON host.id = u.host_id LEFT JOIN page p ON p.id = u.id LEFT JOIN announcement a ON a.id = p.id`;

/** The columns a plan is made from; null while no visit has settled the URL. */
export interface PlanColumns {
  readonly interval_ms: number | null;
  readonly looked_at: number | null;
  readonly shown_changes: number | null;
  readonly shown_days: number | null;
  readonly volatility: number | null;
  readonly changes_in_row: number | null;
  readonly signalled_at: number | null;
}

export interface RecordRow extends PlanColumns {
  readonly id: number;
  readonly host: string;
  readonly kind: number;
  readonly is_secure: number;
  readonly path: string;
  readonly depth: number;
  readonly priority: number;
  readonly redirects: number;
  readonly found_at: number;
  readonly host_id: number;
  readonly due_at: number | null;
  readonly lease: number | null;
  /** This and all that follows is null while no visit has settled the URL. */
  readonly state: PageState | null;
  readonly reason: ReasonCode | null;
  readonly status: number | null;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly request_url: string | null;
  readonly redirect_to: string | null;
  readonly fetched_at: number | null;
  readonly changed_at: number | null;
  readonly visits: number | null;
  readonly changes: number | null;
  readonly unchanged: number | null;
  readonly failures: number | null;
  readonly missing: number | null;
  readonly content_hash: string | null;
  readonly extractor_version: number | null;
  readonly body_bytes: number | null;
}

export function toRecord(row: RecordRow): PageRecord {
  return {
    id: row.id,
    url: joinUrl({ isSecure: row.is_secure === 1, host: row.host, path: row.path }),
    host: row.host,
    kind: kinds[row.kind] ?? 'page',
    depth: row.depth,
    priority: row.priority,
    redirects: row.redirects,
    state: row.state ?? 'waiting',
    reason: row.reason,
    status: row.status,
    etag: row.etag,
    lastModified: row.last_modified,
    requestUrl: row.request_url,
    redirectTo: row.redirect_to,
    firstSeenAt: row.found_at,
    fetchedAt: row.fetched_at,
    changedAt: row.changed_at,
    visits: row.visits ?? 0,
    changes: row.changes ?? 0,
    unchanged: row.unchanged ?? 0,
    failures: row.failures ?? 0,
    missing: row.missing ?? 0,
    contentHash: row.content_hash,
    extractorVersion: row.extractor_version ?? 0,
    bodyBytes: row.body_bytes ?? 0,
    ...planOf(row),
  };
}

/** What a record says of when to come back. */
export function planOf(row: PlanColumns): Plan {
  return {
    intervalMs: row.interval_ms ?? 0,
    lookedAt: row.looked_at,
    evidence: { changes: row.shown_changes ?? 0, days: row.shown_days ?? 0 },
    volatility: volatilities[row.volatility ?? 0] ?? 'unknown',
    changesInRow: row.changes_in_row ?? 0,
    signalledAt: row.signalled_at,
  };
}

type Plan = Pick<
  PageRecord,
  'intervalMs' | 'lookedAt' | 'evidence' | 'volatility' | 'changesInRow' | 'signalledAt'
>;

/** Writes one row of page; takes the values of `pageValues`. Signals have a table of their own: most pages have none. */
export const REPLACE_PAGE = `
  INSERT OR REPLACE INTO page (
    id, state, reason, status, etag, last_modified, request_url, redirect_to, fetched_at, changed_at,
    visits, changes, unchanged, failures, missing, interval_ms, content_hash, extractor_version,
    body_bytes, looked_at, shown_changes, shown_days, volatility, changes_in_row)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function pageValues(record: PageRecord): (string | number | null)[] {
  return [
    record.id,
    record.state,
    record.reason,
    record.status,
    record.etag,
    record.lastModified,
    record.requestUrl,
    record.redirectTo,
    record.fetchedAt,
    record.changedAt,
    record.visits,
    record.changes,
    record.unchanged,
    record.failures,
    record.missing,
    record.intervalMs,
    record.contentHash,
    record.extractorVersion,
    record.bodyBytes,
    record.lookedAt,
    record.evidence.changes,
    record.evidence.days,
    volatilities.indexOf(record.volatility),
    record.changesInRow,
  ];
}

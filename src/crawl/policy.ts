/** The rules one crawl goes by, as plain data. Defaults are those of requirements R1–R23; config.ts fills them in. */

/** When a page is visited again (R21, the `adaptive` rule) and how a lost one is confirmed (R23). */
export interface RefreshPolicy {
  /** Interval after the first fetch. */
  readonly initialMs: number;
  readonly minMs: number;
  readonly maxMs: number;
  /** Factor on the interval after an unchanged answer. */
  readonly unchangedFactor: number;
  /** Factor on the interval after a changed answer. */
  readonly changedFactor: number;
  /** A page that seems lost is looked at again after this, whatever its interval. */
  readonly missingRecheckMs: number;
  /** Looks in a row that must find a page lost before its document goes. */
  readonly strikes: number;
  /** Planned visits are moved by up to this share, so that pages found together do not march together (R22). */
  readonly jitter: number;
}

/** How a failed request is tried again (R12). */
export interface RetryPolicy {
  /** Tries after the first for 429, 5xx and broken connections. */
  readonly retries: number;
  /** Tries after the first for a server that does not connect or answer in time. */
  readonly timeoutRetries: number;
  /** First wait; doubles with every failure. */
  readonly baseMs: number;
  readonly maxWaitMs: number;
  /** A Retry-After up to this replaces the computed wait; beyond it the host sleeps and the URL keeps its place. */
  readonly retryAfterMaxMs: number;
  /** When the tries are used up: next try after this, doubling with every further failure up to `RefreshPolicy.maxMs`. */
  readonly failedRecheckMs: number;
}

export interface VisitPolicy {
  /** How known pages are scheduled (R21). */
  readonly schedule: 'optimal' | 'adaptive';
  readonly refresh: RefreshPolicy;
  readonly retry: RetryPolicy;
  /** Redirects followed one after the other (R16). */
  readonly maxRedirects: number;
  /** Product token matched against robots.txt and robots directives. */
  readonly productToken: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const defaultRefreshPolicy: RefreshPolicy = {
  initialMs: HOUR_MS,
  minMs: 30 * MINUTE_MS,
  maxMs: 30 * DAY_MS,
  unchangedFactor: 1.5,
  changedFactor: 0.5,
  missingRecheckMs: HOUR_MS,
  strikes: 3,
  jitter: 0.1,
};

export const defaultRetryPolicy: RetryPolicy = {
  retries: 3,
  timeoutRetries: 1,
  baseMs: 2_000,
  maxWaitMs: MINUTE_MS,
  retryAfterMaxMs: 300_000,
  failedRecheckMs: 2 * HOUR_MS,
};

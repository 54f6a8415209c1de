/** The configuration as the program sees it: complete, checked, in milliseconds and bytes. Only types. */
import type { LogLevel } from '../log.ts';

/** How the frontier orders URLs never fetched (R8). */
export type CrawlOrder = 'breadth' | 'depth' | 'best';

/** A glob on the path, and where it was written: `freshet.yaml:23`, `--exclude`. */
export interface Rule {
  readonly pattern: string;
  readonly origin: string;
}

/** One site, or a part of one. */
export interface Site {
  readonly start: readonly string[];
  /** Empty: everything on the hosts of `start`. */
  readonly include: readonly Rule[];
  readonly exclude: readonly Rule[];
  /** auto: those that robots.txt and pages name, and `/sitemap.xml` · none · these URLs and no others. */
  readonly sitemaps: 'auto' | 'none' | readonly string[];
  /** Shown on the search page; null: the host name. */
  readonly label: string | null;
}

export interface Config {
  /** Shown on the search page. */
  readonly name: string;
  /** Mail address or page for site owners; goes into the User-Agent. */
  readonly contact: string | null;
  /** Comment of the User-Agent in place of the contact; the product stays `freshet`. */
  readonly userAgent: string | null;
  /** Value of the From header. */
  readonly from: string | null;
  readonly sites: readonly Site[];
  readonly scope: {
    readonly maxDepth: number;
    /** Are subdomains of the start hosts crawled too? */
    readonly hasSubdomains: boolean;
    /** Page requests per run, of a crawl that stays those of new pages; the other budgets are per run too, null: none. */
    readonly maxPages: number;
    readonly maxPagesPerHost: number;
    readonly maxBytes: number | null;
    readonly maxTimeMs: number | null;
    readonly maxUrlLength: number;
    readonly maxParams: number;
    readonly maxSegments: number;
    /** Query parameters left out of URLs, besides the known tracking parameters. */
    readonly stripParams: readonly string[];
  };
  readonly politeness: {
    /** Rest between two request starts of one host. */
    readonly delayMs: number;
    /** Requests of one host at once. */
    readonly perHost: number;
    /** Requests at once, all hosts together. */
    readonly concurrency: number;
    /** Share by which a delay may grow at random, 0 … 1. */
    readonly jitter: number;
    readonly robotsCacheMs: number;
    /** A longer Retry-After lets the whole host sleep instead of one URL. */
    readonly retryAfterMaxMs: number;
  };
  readonly limits: {
    readonly connectMs: number;
    /** Longest silence of a server. */
    readonly readMs: number;
    readonly totalMs: number;
    readonly maxBodyBytes: number;
    readonly maxHeaderBytes: number;
    readonly maxRedirects: number;
    readonly maxRetries: number;
    readonly maxTimeoutRetries: number;
    /** URLs in the work queue; the rest wait on disk. */
    readonly queueCapacity: number;
    /** Longest wait of a producer for room in the queue. */
    readonly queueWaitMs: number;
  };
  readonly refresh: {
    /** optimal: when a visit is worth its price · adaptive: by the factors below. */
    readonly policy: 'optimal' | 'adaptive';
    /** Visits a day to known pages; null: a fifth of them, a hundred at least. Of `optimal`. */
    readonly budget: number | null;
    readonly initialMs: number;
    readonly minMs: number;
    /** Null: 30 days under `adaptive`, as long as it pays under `optimal`. */
    readonly maxMs: number | null;
    /** Factor on the interval after an unchanged answer, ≥ 1. */
    readonly unchangedFactor: number;
    /** Factor on the interval after a changed answer, 0 … 1. */
    readonly changedFactor: number;
    /** Wait between two looks at a page that answers 404. */
    readonly missingRecheckMs: number;
    /** 404 answers in a row that remove a page. */
    readonly deleteAfterMissing: number;
    readonly safety: {
      /** Share of a host's pages that may be removed within the window, 0 … 1. */
      readonly maxRemoved: number;
      readonly windowMs: number;
    };
    /** How long a removed page can be brought back. */
    readonly tombstonesMs: number;
    /** Share by which an interval may move at random, 0 … 1. */
    readonly jitter: number;
  };
  readonly order: CrawlOrder;
  /** WARC files beside the database (docs/data.md). */
  readonly archive: { readonly hasWarc: boolean; readonly maxFileBytes: number };
  /** Versions of a page kept in the archive. */
  readonly content: { readonly snapshots: { readonly keep: number } };
  readonly search: { readonly pageSize: number };
  readonly serve: {
    readonly host: string;
    readonly port: number;
    /** Address people use when a proxy stands in front; null: host and port. */
    readonly baseUrl: string | null;
    /** Host header values answered besides the address served on. */
    readonly allowedHosts: readonly string[];
  };
  /** CIDR blocks, host names or host:port that may be crawled although they are not public. */
  readonly security: { readonly allowPrivate: readonly string[] };
  readonly storage: {
    /** Absolute path of the data folder. */
    readonly dir: string;
    readonly synchronous: 'normal' | 'full';
    /** Page cache of the database. */
    readonly cacheBytes: number;
  };
  readonly log: { readonly level: LogLevel; readonly format: 'auto' | 'pretty' | 'json' };
}

/**
 * The words of Freshet: plain data that travels between the parts. No behaviour, no imports but reasons.
 * Durations are milliseconds (`…Ms`), instants are milliseconds since the Unix epoch (`…At`).
 */
import type { ReasonCode, ReasonCounts } from './reasons.ts';

/** A value now or later: embedded engines answer at once, distributed ones do not. */
export type MaybePromise<T> = T | Promise<T>;

/** What is at a URL: a page to index, a list of URLs to visit (docs/sitemaps.md), or a key file (docs/indexnow.md). */
export type UrlKind = 'page' | 'sitemap' | 'feed' | 'key';

/** A URL found, normalised, checked and in scope: what the frontier takes. */
export interface Link {
  /** Normalised URL: the frontier key. */
  readonly url: string;
  /** A page when absent. */
  readonly kind?: UrlKind;
  /** Links between it and a start URL; a start URL is 0. Of a sitemap: indexes between it and the one that was named. */
  readonly depth: number;
  /** −100 … 100; larger is fetched earlier. 0 is an ordinary link. */
  readonly priority: number;
  /** Redirects followed to reach it; 0 for a link found on a page. */
  readonly redirects: number;
  /** Id of the page it was found on, null for a seed. */
  readonly referrerId: number | null;
  /** When a sitemap or feed says that it changed; never in the future. */
  readonly lastmodAt?: number | null;
  /** True: the owner of its host says so (IndexNow), so it is due soon, whatever else the host has announced. */
  readonly isPushed?: boolean;
}

/** What became of a visit (R20); drives schedule, document and host. */
export type Outcome =
  | 'UPDATED' // content is new or changed
  | 'NOT_MODIFIED' // 304, or 200 with the same content
  | 'NOT_FOUND' // 404
  | 'GONE' // 410
  | 'REDIRECTED' // points elsewhere; the target is a URL of its own
  | 'BLOCKED' // robots, 401/403, a directive or its content type keep it out of the index
  | 'ERROR' // network, 5xx, 429, truncated …: try again later
  | 'DEFERRED'; // no request for the page was made; it keeps its place

/** Where a known URL stands, as `freshet urls` shows it. */
export type PageState =
  | 'waiting'
  | 'indexed'
  /** A sitemap or feed that is read as a list and not indexed. */
  | 'listed'
  | 'redirected'
  | 'blocked'
  | 'missing'
  | 'gone'
  | 'failed';

/** Changes in so many days, seen by looks or told by Last-Modified; fractions come from changes whose time is not known. */
export interface Evidence {
  readonly changes: number;
  readonly days: number;
}

/** May the changes of a page be believed? What each means is told in crawl/freshness/volatility.ts. */
export type Volatility = 'unknown' | 'suspect' | 'volatile' | 'steady';

/** Logarithms of the rates of change of many pages (crawl/freshness/pool.ts). */
export interface Pool {
  readonly sum: number;
  readonly count: number;
}

/** Looks at pages of one host, by what they found and whether a signal had come since the look before. */
export interface SignalCounts {
  readonly changed: number;
  readonly changedSignalled: number;
  readonly unchanged: number;
  readonly unchangedSignalled: number;
}

/** What is known of how often pages of a host change. */
export interface HostMemory {
  readonly pool: Pool;
  readonly signals: SignalCounts;
  /** μ, the logarithm of the host's surcharge on the price (crawl/freshness/price.ts). */
  readonly logFactor: number;
  /** Of all its pages together. */
  readonly weight: number;
}

/** The same of all hosts. */
export interface CrawlMemory {
  readonly pool: Pool;
  /** The logarithm of the price Λ of a visit (crawl/freshness/price.ts). */
  readonly logPrice: number;
}

/** Bounds of the time between two visits. */
export interface IntervalBounds {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** What a visit needs to know beyond its page to plan the next one. May be a few visits old. */
export interface Surroundings {
  readonly host: HostMemory;
  readonly crawl: CrawlMemory;
  readonly bounds: IntervalBounds;
}

/** What is remembered of a URL between visits. Typed columns; there is no metadata bag. */
export interface PageRecord {
  readonly id: number;
  readonly url: string;
  /** Queue key: host name, with the port when it is not the scheme's default. */
  readonly host: string;
  readonly kind: UrlKind;
  readonly depth: number;
  readonly priority: number;
  readonly redirects: number;
  readonly state: PageState;
  /** Why it stands there; null when there is nothing to say (waiting, indexed). */
  readonly reason: ReasonCode | null;
  /** Last HTTP status, null before the first answer. */
  readonly status: number | null;
  /** Validators, byte for byte as received (latin1); kept only with the indexed content they stand for (R19). */
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Exact spelling to request when the server insists on one that differs from the key; else null. */
  readonly requestUrl: string | null;
  readonly redirectTo: string | null;
  readonly firstSeenAt: number;
  readonly fetchedAt: number | null;
  readonly changedAt: number | null;
  /** Answers with content or 304, ever. */
  readonly visits: number;
  /** Of those, how many brought changed content; the first fetch is not a change. */
  readonly changes: number;
  /** Unchanged answers in a row. */
  readonly unchanged: number;
  /** Errors in a row (ERROR outcomes). */
  readonly failures: number;
  /** 404 answers in a row. */
  readonly missing: number;
  /** From the last look to the next visit, as planned. */
  readonly intervalMs: number;
  /** The last look: an answer with content, or 304. */
  readonly lookedAt: number | null;
  readonly evidence: Evidence;
  readonly volatility: Volatility;
  /** Looks in a row that found it changed. */
  readonly changesInRow: number;
  /** When it has changed, as the first signal since the last look says; null: none has come. */
  readonly signalledAt: number | null;
  /** SHA-256 (hex) of the extracted content in the index, or of a list's body as received; null when there is none. */
  readonly contentHash: string | null;
  /** Version of parser and extractor that made the indexed content. */
  readonly extractorVersion: number;
  /** Body bytes on the wire of the last complete answer: what a 304 saves. 0 when there was none. */
  readonly bodyBytes: number;
}

/** A record on loan from the frontier. */
export interface CrawlRequest {
  readonly record: PageRecord;
  readonly around: Surroundings;
  /** Fencing token: the instant at which the loan expires by itself. */
  readonly lease: number;
  /** True when the URL was never fetched before (discovery, not refresh). */
  readonly isNew: boolean;
}

/** Header fields in the order received; names as received, values as latin1 text. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** What is known of an answer besides its body. */
export interface ResponseHead {
  readonly url: string;
  readonly status: number;
  readonly headers: HeaderList;
  /** Address the connection went to; null when replayed. */
  readonly remoteAddress: string | null;
  /** When the request was sent, after connecting. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Body bytes on the wire, before content decoding. */
  readonly wireBytes: number;
  /** What a WARC keeps besides; absent when nobody keeps one. */
  readonly wire?: WireAnswer;
}

/** A request and its answer as they went over the wire, but for the transfer coding of the body. */
export interface WireAnswer {
  readonly request: WireRequest;
  readonly statusText: string;
  /** The body with its content coding, as far as it came; without the transfer coding. */
  readonly bytes: Uint8Array;
  /** Why the body is not whole, in the words of WARC-Truncated (WARC 1.1, 5.13); null: it is. */
  readonly truncated: 'length' | 'time' | 'disconnect' | null;
}

/** A request as it was sent. Its headers and body may hold what logs somebody in. */
export interface WireRequest {
  readonly method: string;
  /** But Host, Connection and Content-Length, in the order sent. */
  readonly headers: HeaderList;
  /** Empty when there was none. */
  readonly body: Uint8Array;
}

/** Everything a request can end in; a downloader never throws for what the web does. */
export type FetchResult =
  | { readonly kind: 'ok'; readonly head: ResponseHead; readonly body: Body }
  | { readonly kind: 'not-modified'; readonly head: ResponseHead }
  | { readonly kind: 'redirect'; readonly head: ResponseHead; readonly location: string | null }
  | { readonly kind: 'http-error'; readonly head: ResponseHead; readonly body: Body }
  | {
      readonly kind: 'failed';
      readonly reason: ReasonCode;
      /** One line for people; never an address that was refused. */
      readonly detail: string;
      readonly head: ResponseHead | null;
      readonly startedAt: number;
      /** False when no connection was tried, so the host owes no rest. */
      readonly wasSent: boolean;
    };

/** A complete body. */
export interface Body {
  /** After content decoding. */
  readonly bytes: Uint8Array;
  /** The bytes as received, kept when they are in one coding the archive can store as it is. */
  readonly received: { readonly coding: 'gzip' | 'br'; readonly bytes: Uint8Array } | null;
}

/** A link as found in a page, before scope. */
export interface FoundLink {
  /** Absolute http(s) URL without fragment. */
  readonly url: string;
  readonly nofollow: boolean;
  /** Anchor text, white space folded. */
  readonly text: string;
}

/** What a page asks of crawlers, from headers and meta together; true means permitted. */
export interface Directives {
  readonly index: boolean;
  readonly follow: boolean;
  readonly archive: boolean;
  readonly snippet: boolean;
}

/** What one pass over a page yields. */
export interface ParsedPage {
  readonly url: string;
  readonly title: string;
  readonly headings: readonly string[];
  /** Main content as text: paragraphs separated by line breaks. */
  readonly text: string;
  readonly description: string;
  /** BCP 47 language, declared or guessed; null when unknown. */
  readonly language: string | null;
  readonly encoding: string;
  readonly base: string;
  readonly canonical: string | null;
  readonly refresh: { readonly delay: number; readonly url: string } | null;
  readonly links: readonly FoundLink[];
  /** Links that were not read because there are too many of them. */
  readonly linksLeftOut: number;
  /** Feeds the page names (`link rel=alternate`), absolute. */
  readonly feeds: readonly string[];
  readonly robots: Directives;
  /** It has a field to type a password into. */
  readonly hasPasswordField: boolean;
  /** It carries what only a check for robots does; not looked for in a page with much text. */
  readonly hasChallengeMark: boolean;
  /** SHA-256 (hex) of what is extracted: title, headings, text. */
  readonly contentHash: string;
}

/** A text in 64 bits, nearly the same for texts that are (search/fingerprint.ts). */
export interface Fingerprint {
  /** The 64 bits, as signed 32-bit numbers. */
  readonly high: number;
  readonly low: number;
  /** Tokens of the text; 0 when it is too short to be compared. */
  readonly tokens: number;
}

/** What a document can be found by, field by field: tokens joined by spaces (docs/decisions/0004-tokens.md). */
export interface DocumentTokens {
  readonly title: string;
  readonly headings: string;
  readonly url: string;
  readonly body: string;
  /** Other forms of the words of URL and body, each once: they have no place in the order of words. */
  readonly forms: string;
  /** Of the body. */
  readonly fingerprint: Fingerprint;
}

/** What the index holds of one page; replaced as a unit (R30). */
export interface Document {
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
  readonly description: string;
  readonly language: string | null;
  readonly contentHash: string;
  /** The URL the page names as canonical, when it is in scope and not its own; results fold into that page when it is indexed. */
  readonly canonical: string | null;
  readonly fetchedAt: number;
  /** False: searchable, but no snapshot may be shown (noarchive). */
  readonly hasSnapshot: boolean;
  /** False: no text of the page may be shown in results (nosnippet). */
  readonly hasSnippet: boolean;
  /** Made beforehand by whoever had the time; the index makes them when it needs them and there are none. */
  readonly tokens?: DocumentTokens | undefined;
}

/** What is to happen to the page's document; `verify` leaves it but for what a visit that found it unchanged knows better. */
export type DocumentAction =
  | { readonly action: 'put'; readonly document: Document }
  | { readonly action: 'verify'; readonly fetchedAt: number }
  | { readonly action: 'remove' }
  | { readonly action: 'keep' };

/** What the archive keeps of one answer. */
export interface Capture {
  readonly at: number;
  readonly head: ResponseHead;
  readonly body: Body;
  /** SHA-256 of the decoded body, hex. */
  readonly bodyHash: string;
  readonly encoding: string;
}

/** What robots.txt of one origin says, as remembered (R9). */
export interface RobotsRecord {
  /** scheme://host[:port] */
  readonly origin: string;
  /**
   * rules: `body` decides · none: no limits (4xx) · unreachable: everything is disallowed ·
   * redirecting: the next hop is `next`, nothing is decided yet.
   */
  readonly state: 'rules' | 'none' | 'unreachable' | 'redirecting';
  readonly status: number | null;
  readonly reason: ReasonCode | null;
  readonly body: Uint8Array | null;
  readonly headers: HeaderList;
  /** URL of the next hop while redirecting. */
  readonly next: string | null;
  /** Redirects followed so far. */
  readonly hops: number;
  readonly fetchedAt: number;
  readonly expiresAt: number;
  /** When the rules now in `body` were last confirmed by the server; a stale copy is usable only so long. */
  readonly confirmedAt: number | null;
  /** Failures in a row. */
  readonly failures: number;
}

/** What a visit teaches about its host. */
export interface HostEffect {
  /** Queue key of the host. */
  readonly host: string;
  /** When the request was started, null when none was sent. */
  readonly requestedAt: number | null;
  /** Did the host answer sensibly? null: no statement. Drives the back-off (R13). */
  readonly healthy: boolean | null;
  /** Nothing may be requested before this instant (Retry-After); null: no wish. */
  readonly restUntil: number | null;
  /** Crawl-delay of robots.txt in force; undefined: unknown, keep. */
  readonly crawlDelayMs: number | null | undefined;
}

/** Everything one visit wants changed; committed together or not at all (R29). */
export interface VisitOutcome {
  readonly request: CrawlRequest;
  readonly outcome: Outcome;
  readonly reason: ReasonCode | null;
  /** The record as it will be; equal to the request's when deferred. */
  readonly record: PageRecord;
  /** Next visit; null: never by itself. Kept as it was for DEFERRED unless `notBefore` says otherwise. */
  readonly nextVisitAt: number | null;
  /** For DEFERRED: keep the place in the queue but not before this instant. */
  readonly notBefore: number | null;
  readonly links: readonly Link[];
  /** Links found and not taken, by reason. */
  readonly refused: ReasonCounts;
  /** A few of the refused URLs for people to look at. */
  readonly refusedSamples: readonly { readonly url: string; readonly reason: ReasonCode }[];
  /** True when `links` is the page's whole set of outgoing links, to replace the one stored. */
  readonly replacesLinks: boolean;
  readonly document: DocumentAction;
  readonly capture: Capture | null;
  /** Head of the answer to the visit's request, whatever it was for; null when none came. */
  readonly head: ResponseHead | null;
  readonly robots: RobotsRecord | null;
  readonly hostEffect: HostEffect;
  /** Of a key file: ids of the submissions that are dealt with. */
  readonly submissions?: readonly number[];
  /** Bytes received, and bytes a 304 saved. */
  readonly bytes: number;
  readonly savedBytes: number;
}

/** The words of the demo web: a site, its pages, how a page answers, and what a polite crawler should make of it. */
import type { ReasonCode } from '../reasons.ts';

/** Sites that are crawled, and `outside`, which is only linked to. */
export const siteNames = ['docs', 'news', 'notices', 'library', 'odd', 'traps', 'closed', 'outside'] as const;
export type SiteName = (typeof siteNames)[number];

/** `http://127.0.0.1:port` of every site. */
export type Origins = Readonly<Record<SiteName, string>>;

export interface DemoSite {
  /** Answers `/robots.txt`. */
  readonly robots: (visit: Visit) => Answer;
  readonly pages: readonly DemoPage[];
  /** Answers addresses made up on the fly, null where there are none. */
  readonly endless?: (visit: Visit) => Answer | null;
  /** How many addresses below a prefix a crawler may ask for before it has walked into the trap. */
  readonly bounds?: readonly Bound[];
}

export interface DemoPage {
  /** Path and query as links spell it. */
  readonly path: string;
  readonly fate: Fate;
  readonly answer: (visit: Visit) => Answer;
}

/** What becomes of an address in the hands of a polite crawler with default settings. */
export type Fate =
  /** Reached by links and in the index; lost for `reason` after the first `advance()` when that is given. */
  | { readonly kind: 'indexed'; readonly lostFor?: ReasonCode }
  /** In the index, though only a sitemap names it. */
  | { readonly kind: 'listed' }
  /** Exists after the first `advance()`. */
  | { readonly kind: 'later' }
  /** Same content as `into`, or names it as its canonical page: never a result of its own beside it. */
  | { readonly kind: 'folded'; readonly into: string }
  /** Asked for and never a result; a redirect that leads on to a page has no reason. */
  | { readonly kind: 'kept-out'; readonly reason: ReasonCode | null }
  /** Must never be asked for. */
  | { readonly kind: 'never'; readonly reason: ReasonCode };

export interface Bound {
  readonly prefix: string;
  readonly atMost: number;
}

/** One request as a page sees it. */
export interface Visit {
  /** Path and query as requested. */
  readonly target: string;
  /** Earlier requests for the same target. */
  readonly count: number;
  /** How often the web was moved on by `advance()`. */
  readonly edition: number;
  readonly now: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Conditional requests are answered by an ETag of the body, or by the instant of the last change; none: never 304. */
  readonly validator?: 'etag' | { readonly modifiedAt: number };
  /** Held back this long before the first byte. */
  readonly delayMs?: number;
  /** The connection is cut after this many bytes of the body. */
  readonly cutAfter?: number;
}

export const indexed: Fate = { kind: 'indexed' };

export function keptOut(reason: ReasonCode | null): Fate {
  return { kind: 'kept-out', reason };
}

export function never(reason: ReasonCode): Fate {
  return { kind: 'never', reason };
}

/** A text answer in UTF-8 unless the bytes are given; the content type is sent as it stands. */
export function answer(body: string | Uint8Array, type = 'text/html; charset=utf-8', status = 200): Answer {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return { status, headers: { 'content-type': type }, body: bytes };
}

export function redirect(status: 301 | 302 | 303 | 307 | 308, location: string): Answer {
  const moved = answer('Moved.\n', 'text/plain', status);
  return { ...moved, headers: { ...moved.headers, location } };
}

export function plain(text: string): Answer {
  return answer(text, 'text/plain; charset=utf-8');
}

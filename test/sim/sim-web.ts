/**
 * A simulated web: a Downloader that answers from a function, under a virtual clock, and keeps a journal of every request.
 * Each request takes its latency in virtual time, so overlapping requests really overlap. What an answer means is judged
 * by the code that judges real ones (fetch/answer.ts).
 */
import type { Clock } from '../../src/clock.ts';
import { conclude } from '../../src/fetch/answer.ts';
import type { Downloader, FetchRequest } from '../../src/fetch/downloader.ts';
import { defaultFetchLimits } from '../../src/fetch/limits.ts';
import type { ReasonCode } from '../../src/reasons.ts';
import type { FetchResult } from '../../src/types.ts';
import { queueKey } from '../../src/url/site.ts';

/**
 * What a simulated server says to one request; `afterMs` is added to the latency of the web. `restMs`: how long it means
 * to be left alone, in whatever words its headers say so.
 */
export type SimAnswer = { readonly afterMs?: number; readonly restMs?: number } & (
  | {
      readonly status: number;
      readonly body?: string | Uint8Array;
      /** Values as latin1 text, as they come over the wire. The default content type is HTML in UTF-8. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** `wasSent` false: no connection was tried. */
  | { readonly fails: ReasonCode; readonly wasSent?: boolean }
);

export interface SimRequest {
  readonly at: number;
  readonly url: string;
  /** Queue key. */
  readonly host: string;
  /** Path and query. */
  readonly path: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Asked for as robots.txt, or as where one was redirected to. */
  readonly isForRobots: boolean;
  /** Earlier requests for the same URL. */
  readonly nth: number;
  /** How far the crawler's clock was ahead of the true time. */
  readonly skewMs: number;
}

/** A request and what became of it. */
export interface SimExchange extends SimRequest {
  readonly answer: SimAnswer;
  /** When the answer was complete; null: not yet. */
  endedAt: number | null;
  /** The crawler died, was stopped at once, or lost the loan to a clock set forward, before it could keep what was answered. */
  isLost: boolean;
}

export type SimServer = (request: SimRequest) => SimAnswer;

export interface SimWebOptions {
  readonly clock: Clock;
  readonly serve: SimServer;
  readonly latencyMs?: (request: SimRequest) => number;
  /** How long it takes to connect before a request for a URL can be sent. */
  readonly connectMs?: (url: string) => number;
  /** How far the crawler's clock is ahead; the journal keeps true time. */
  readonly skewMs?: () => number;
}

const DEFAULT_LATENCY_MS = 50;
/** A loan lasts longer than this (node.ts). */
const LEAST_LEASE_MS = 60_000;

export class SimWeb implements Downloader {
  readonly journal: SimExchange[] = [];
  /** Most requests ever open at once, by host. */
  readonly mostOpen: Map<string, number> = new Map();
  readonly #clock: Clock;
  readonly #serve: SimServer;
  readonly #latencyMs: (request: SimRequest) => number;
  readonly #connectMs: (url: string) => number;
  readonly #skewMs: () => number;
  readonly #open = new Set<SimExchange>();
  readonly #counts = new Map<string, number>();

  constructor(options: SimWebOptions) {
    const { clock, serve, latencyMs = () => DEFAULT_LATENCY_MS, connectMs = () => 0 } = options;
    this.#skewMs = options.skewMs ?? (() => 0);
    this.#clock = clock;
    this.#serve = serve;
    this.#latencyMs = latencyMs;
    this.#connectMs = connectMs;
  }

  async fetch(asked: FetchRequest, signal: AbortSignal): Promise<FetchResult> {
    const connectMs = this.#connectMs(asked.url);
    if (connectMs > 0) await this.#clock.sleep(connectMs, signal);
    const request = this.#request(asked);
    const exchange: SimExchange = { ...request, answer: this.#serve(request), endedAt: null, isLost: false };
    this.#begin(exchange);
    await this.#clock.sleep(this.#latencyMs(request) + (exchange.answer.afterMs ?? 0), signal);
    this.#open.delete(exchange);
    exchange.endedAt = this.#clock.now();
    const hasLoanExpired = this.#skewMs() - exchange.skewMs >= LEAST_LEASE_MS;
    exchange.isLost ||= signal.aborted || hasLoanExpired;
    return resultOf(
      exchange,
      signal.aborted ? { fails: 'net.timeout' } : exchange.answer,
      asked.maxBodyBytes,
    );
  }

  async close(): Promise<void> {
    // Nothing is open between runs.
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /** The client died: what it had open is closed, and what it was told since `since` may be forgotten. */
  hangUp(since: number): void {
    this.#open.clear();
    for (const exchange of this.journal) {
      if (exchange.endedAt === null || exchange.endedAt >= since) exchange.isLost = true;
    }
  }

  #request({ url, etag = null, lastModified = null, accept }: FetchRequest): SimRequest {
    const nth = this.#counts.get(url) ?? 0;
    this.#counts.set(url, nth + 1);
    const { pathname, search } = new URL(url);
    return {
      at: this.#clock.now(),
      url,
      host: queueKey(url),
      path: pathname + search,
      etag,
      lastModified,
      isForRobots: accept?.startsWith('text/plain') ?? false,
      nth,
      skewMs: this.#skewMs(),
    };
  }

  #begin(exchange: SimExchange): void {
    this.journal.push(exchange);
    this.#open.add(exchange);
    const { host } = exchange;
    // To a crawler whose clock was set forward, loans from before have expired, though their requests are still open.
    const open = [...this.#open].filter(
      (other) => other.host === host && exchange.skewMs - other.skewMs < LEAST_LEASE_MS,
    ).length;
    this.mostOpen.set(host, Math.max(open, this.mostOpen.get(host) ?? 0));
  }
}

function resultOf(
  { url, at, endedAt, etag, lastModified, skewMs }: SimExchange,
  answer: SimAnswer,
  maxBodyBytes: number = defaultFetchLimits.maxBodyBytes,
): FetchResult {
  if ('fails' in answer) {
    const { fails: reason, wasSent = true } = answer;
    return { kind: 'failed', reason, detail: 'simulated', head: null, startedAt: at + skewMs, wasSent };
  }
  const bytes = Buffer.from(answer.body ?? '');
  const headers = Object.entries({ 'content-type': 'text/html; charset=utf-8', ...answer.headers });
  return conclude(
    {
      url,
      method: 'GET',
      isConditional: etag !== null || lastModified !== null,
      startedAt: at + skewMs,
      durationMs: (endedAt ?? at) - at,
    },
    { status: answer.status, headers, bytes, wireBytes: bytes.length, remoteAddress: '192.0.2.1' },
    { ...defaultFetchLimits, maxBodyBytes },
  );
}

/**
 * The HTTP downloader: one request over a guarded, kept-alive HTTP/1.1 connection, within limits, without redirects and
 * without cookies. Time limits are watched by one timer for all requests under way, so a request costs none.
 */
import type { SecureContext } from 'node:tls';
import type { Clock } from '../clock.ts';
import { UserError } from '../errors.ts';
import type { FetchResult, WireRequest } from '../types.ts';
import { type AllowList, refusalOf } from '../url/address.ts';
import { type Dial, guardedConnector } from './address-guard.ts';
import { type Asked, conclude, headOf } from './answer.ts';
import { Connections } from './connections.ts';
import { acceptEncoding } from './decode.ts';
import type { Downloader, FetchRequest } from './downloader.ts';
import { type Ending, Exchange } from './exchange.ts';
import { headerValue } from './headers.ts';
import { type FetchLimits, overdue } from './limits.ts';
import { isFieldValue, isIdempotent, type Method, requestProblem } from './request.ts';
import type { Resolver } from './resolver.ts';

export interface HttpOptions {
  /** Product, version and contact page (R14). */
  readonly userAgent: string;
  /** Value of From, an address of the operator; not sent when absent. */
  readonly from?: string;
  readonly limits: FetchLimits;
  readonly allow: AllowList;
  readonly resolver: Resolver;
  readonly clock: Clock;
  readonly connectionsPerOrigin: number;
  /** Origins whose connections are kept open; the longest unused is closed first. */
  readonly maxOrigins?: number;
  /** Trust for TLS beyond the machine's own, for intranets with their own authority. */
  readonly secureContext?: SecureContext;
  /** Keep with each answer what a WARC wants of it (`ResponseHead.wire`). */
  readonly keepsWire?: boolean;
  /** Opens the sockets; the system's own when absent. */
  readonly dial?: Dial;
}

interface Sending {
  readonly method: Method;
  /** Names and values in turn, as undici takes them. */
  readonly headers: string[];
  readonly body: Uint8Array | null;
  readonly limits: FetchLimits;
  readonly startedAt: number;
  readonly takesStart: boolean;
}

/** With two connections each, still under the usual limit of 1,024 descriptors. */
const DEFAULT_MAX_ORIGINS = 400;

/** HTML first, but a server that has only something else may say so. */
const DEFAULT_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const nothing = new Uint8Array(0);

export class HttpDownloader implements Downloader {
  readonly #options: HttpOptions;
  readonly #connections: Connections;
  readonly #underWay = new Set<Exchange>();
  readonly #tickMs: number;
  #stopWatch: (() => void) | null = null;
  #isClosed = false;

  /** Throws `UserError('config')` when the agent string or From cannot be sent. */
  constructor(options: HttpOptions) {
    requireFieldValue('user agent', options.userAgent);
    requireFieldValue('From', options.from);
    const { limits, connectionsPerOrigin, maxOrigins = DEFAULT_MAX_ORIGINS } = options;
    this.#options = options;
    this.#tickMs = tickOf(limits);
    this.#connections = new Connections({
      connect: guardedConnector({ ...options, connectMs: limits.connectMs }),
      connectionsPerOrigin,
      maxOrigins,
      maxHeaderBytes: limits.maxHeaderBytes,
    });
  }

  async fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchResult> {
    const { clock, allow } = this.#options;
    const startedAt = clock.now();
    if (!URL.canParse(request.url)) return notSent('safety.host', 'it is not a URL', startedAt);
    const url = new URL(request.url);
    const refusal = refusalOf(url, allow);
    if (refusal !== null) return notSent(refusal, 'the URL may not be connected to', startedAt);
    const problem = requestProblem(request);
    if (problem !== null) return notSent('request.invalid', problem, startedAt);
    if (signal.aborted || this.#isClosed) return notSent('net.timeout', 'aborted', startedAt);
    const limits = withBodyLimit(this.#options.limits, request.maxBodyBytes);
    const { method = 'GET', body = null, takesStart = false } = request;
    const how = { method, headers: this.#headers(request), body, limits, startedAt, takesStart };
    let sent = await this.#send(url, how, signal);
    // A server may close a kept-alive connection just as a request sets out on it: RFC 9112 §9.3.1 allows one more try,
    // but for what must not be done twice, as nobody knows whether it was done.
    if (isStale(sent.ending) && isIdempotent(method)) sent = await this.#send(url, how, signal);
    // A host's rest counts from when it was asked, which is after connecting (R10).
    const askedAt = sent.at ?? startedAt;
    const asked: Asked = {
      url: request.url,
      method,
      isConditional: isFieldValue(request.etag) || isFieldValue(request.lastModified),
      startedAt: askedAt,
      durationMs: clock.now() - askedAt,
      ...(this.#options.keepsWire === true ? { wire: wireRequest(how) } : {}),
    };
    return resultOf(asked, sent.ending, limits);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatch?.();
    for (const exchange of this.#underWay) exchange.fail('net.timeout', 'the downloader was closed');
    await this.#connections.close();
  }

  /** One request on one connection; `at` is when it was written, null when it never was. */
  async #send(
    url: URL,
    { method, headers, body, limits, startedAt, takesStart }: Sending,
    signal: AbortSignal,
  ): Promise<{ readonly ending: Ending; readonly at: number | null }> {
    const lane = this.#connections.acquire(url.origin);
    const exchange = new Exchange(lane, limits, this.#options.clock, {
      startedAt,
      isHead: method === 'HEAD',
      takesStart,
      keepsWire: this.#options.keepsWire ?? false,
    });
    const abort = (): void => exchange.fail('net.timeout', 'aborted');
    signal.addEventListener('abort', abort, { once: true });
    this.#underWay.add(exchange);
    this.#watch();
    lane.client.dispatch({ path: url.pathname + url.search, method, headers, body }, exchange);
    const ending = await exchange.ending;
    this.#underWay.delete(exchange);
    signal.removeEventListener('abort', abort);
    this.#connections.release(lane);
    return { ending, at: exchange.sentAt };
  }

  /** Accept-Language is left out: pages come in their own language. */
  #headers(request: FetchRequest): string[] {
    const { userAgent, from } = this.#options;
    const { headers: more = [], accept = DEFAULT_ACCEPT } = request;
    const headers = ['User-Agent', userAgent];
    if (headerValue(more, 'accept') === null) headers.push('Accept', accept);
    // Of a coded body the start alone cannot be decoded.
    headers.push('Accept-Encoding', request.takesStart ? 'identity' : acceptEncoding);
    if (from !== undefined) headers.push('From', from);
    // A stored validator is sent byte for byte or not at all.
    if (isFieldValue(request.etag)) headers.push('If-None-Match', request.etag);
    if (isFieldValue(request.lastModified)) headers.push('If-Modified-Since', request.lastModified);
    headers.push(...more.flat());
    return headers;
  }

  /** Looks at all requests under way now and then, while there are any. */
  #watch(): void {
    this.#stopWatch ??= this.#options.clock.after(this.#tickMs, () => {
      this.#stopWatch = null;
      const now = this.#options.clock.now();
      for (const exchange of this.#underWay) {
        const detail = overdue(exchange, this.#options.limits, now);
        if (detail !== null) exchange.fail('net.timeout', detail);
      }
      if (this.#underWay.size > 0) this.#watch();
    });
  }
}

/** How often time limits are looked at: an eighth of the shortest, at most a second. */
function tickOf(limits: FetchLimits): number {
  return Math.min(1000, Math.max(10, Math.ceil(Math.min(limits.idleMs, limits.totalMs) / 8)));
}

function withBodyLimit(limits: FetchLimits, maxBodyBytes: number | undefined): FetchLimits {
  return maxBodyBytes === undefined ? limits : { ...limits, maxBodyBytes };
}

function requireFieldValue(name: string, value: string | undefined): void {
  if (value === undefined || isFieldValue(value)) return;
  const problem = `the ${name} "${value}" cannot be sent in an HTTP header`;
  throw new UserError('config', problem, 'use printable characters of Latin-1 on one line');
}

function wireRequest({ method, headers, body }: Sending): WireRequest {
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? ''] as const] : []));
  return { method, headers: pairs, body: body ?? nothing };
}

function isStale(ending: Ending): boolean {
  return ending.kind === 'failed' && ending.isStaleConnection;
}

function resultOf(asked: Asked, ending: Ending, limits: FetchLimits): FetchResult {
  if (ending.kind === 'complete') return conclude(asked, ending.answer, limits);
  const { reason, detail, answer, wasSent } = ending;
  const head = answer === null ? null : headOf(asked, answer);
  return { kind: 'failed', reason, detail, head, startedAt: asked.startedAt, wasSent };
}

function notSent(
  reason: Extract<FetchResult, { kind: 'failed' }>['reason'],
  detail: string,
  startedAt: number,
): FetchResult {
  return { kind: 'failed', reason, detail, head: null, startedAt, wasSent: false };
}

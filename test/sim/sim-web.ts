/**
 * A simulated web: a Downloader that answers from functions, under a virtual clock, and notes every request. Each request
 * takes its latency in virtual time, so overlapping requests really overlap.
 */
import type { Clock } from '../../src/clock.ts';
import type { Downloader, FetchRequest } from '../../src/fetch/downloader.ts';
import type { ReasonCode } from '../../src/reasons.ts';
import type { FetchResult, HeaderList } from '../../src/types.ts';
import { queueKey } from '../../src/url/site.ts';

/** What a simulated server says to one request. */
export type SimAnswer =
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly fails: ReasonCode };

export interface SimRequest {
  readonly at: number;
  readonly url: string;
  readonly host: string;
  readonly path: string;
  readonly etag: string | null;
}

/** Answers a request; null: 404. */
export type SimServer = (request: SimRequest) => SimAnswer | null;

export class SimWeb implements Downloader {
  readonly requests: SimRequest[] = [];
  readonly #clock: Clock;
  readonly #serve: SimServer;
  readonly #latencyMs: (request: SimRequest) => number;
  readonly #open = new Map<string, number>();
  /** Most requests ever open at once, by host. */
  readonly mostOpen = new Map<string, number>();

  constructor(clock: Clock, serve: SimServer, latencyMs: (request: SimRequest) => number = () => 50) {
    this.#clock = clock;
    this.#serve = serve;
    this.#latencyMs = latencyMs;
  }

  async fetch({ url, etag = null }: FetchRequest, signal: AbortSignal): Promise<FetchResult> {
    const startedAt = this.#clock.now();
    const host = queueKey(url);
    const { pathname, search } = new URL(url);
    const request = { at: startedAt, url, host, path: pathname + search, etag };
    this.requests.push(request);
    const open = (this.#open.get(host) ?? 0) + 1;
    this.#open.set(host, open);
    this.mostOpen.set(host, Math.max(open, this.mostOpen.get(host) ?? 0));
    await this.#clock.sleep(this.#latencyMs(request), signal);
    this.#open.set(host, (this.#open.get(host) ?? 1) - 1);
    const answer = signal.aborted ? { fails: 'net.timeout' as const } : (this.#serve(request) ?? { status: 404 });
    return resultOf(url, answer, startedAt, this.#clock.now() - startedAt, etag !== null);
  }

  async close(): Promise<void> {
    // nothing is open
  }

  /** Paths asked of a host, in order. */
  pathsOf(host: string): string[] {
    return this.requests.filter((request) => request.host === host).map((request) => request.path);
  }
}

function resultOf(
  url: string,
  answer: SimAnswer,
  startedAt: number,
  durationMs: number,
  isConditional: boolean,
): FetchResult {
  if ('fails' in answer) {
    return { kind: 'failed', reason: answer.fails, detail: 'simulated', head: null, startedAt, wasSent: true };
  }
  const bytes = Buffer.from(answer.body ?? '');
  const headers: HeaderList = Object.entries({ 'content-type': 'text/html; charset=utf-8', ...answer.headers });
  const head = { url, status: answer.status, headers, remoteAddress: '192.0.2.1', startedAt, durationMs, wireBytes: bytes.length };
  const body = { bytes, received: null };
  if (answer.status === 304 && isConditional) return { kind: 'not-modified', head };
  if (answer.status >= 300 && answer.status < 400) {
    const target = answer.headers?.['location'];
    return { kind: 'redirect', head, location: target === undefined ? null : new URL(target, url).href };
  }
  return answer.status >= 200 && answer.status < 300 ? { kind: 'ok', head, body } : { kind: 'http-error', head, body };
}

/** A page with a title, a paragraph and links. */
export function pageOf(title: string, links: readonly string[] = [], text = `All about ${title}, in one paragraph.`): string {
  const anchors = links.map((href) => `<li><a href="${href}">${href}</a></li>`).join('');
  return `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main><nav><ul>${anchors}</ul></nav>`;
}

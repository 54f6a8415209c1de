/** Gets one URL in one request: no redirects, no retries, no waiting for politeness. Those are the frontier's. */
import type { FetchResult, HeaderList } from '../types.ts';
import type { Method } from './request.ts';

export interface FetchRequest {
  readonly url: string;
  /** GET when absent. */
  readonly method?: Method;
  /** Beyond those the downloader sends by itself; which they may be is told by `headerProblem`. An Accept here replaces ours. */
  readonly headers?: HeaderList;
  /** Not for GET and HEAD. What it is must be said by a Content-Type among the headers: see request-body.ts. */
  readonly body?: Uint8Array;
  /** Sent as If-None-Match, byte for byte (latin1). */
  readonly etag?: string | null;
  /** Sent as If-Modified-Since, byte for byte. */
  readonly lastModified?: string | null;
  /** Largest body after decoding, bytes. */
  readonly maxBodyBytes?: number;
  /** The start of a larger body will do: it is cut at the limit. One that comes in a coding all the same fails as any other. */
  readonly takesStart?: boolean;
  /** Value of Accept; defaults to HTML first. */
  readonly accept?: string;
}

export interface Downloader {
  /**
   * Never throws for what the web does; rejects only on a bug. An aborted signal ends in `failed` with `net.timeout`,
   * a request that cannot be sent as it is asked for with `request.invalid`. The body of an answer to HEAD is empty.
   */
  fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchResult>;
  /** Closes idle and open connections. */
  close(): Promise<void>;
}

/**
 * One nastiness of the web: what a server does when its page is asked for, and what must become of it. The tables are in the files
 * beside this one, by kind; `download.test.ts` asks the downloader for each, `crawl.test.ts` crawls them all at once.
 */
import type { ReasonCode } from '../../src/reasons.ts';
import type { PageState } from '../../src/types.ts';
import type { RawServerOptions, Script, Step } from '../support/raw-server.ts';

export interface Row extends RawServerOptions {
  /** What is nasty about it. */
  readonly name: string;
  /** What is done for the page. */
  readonly page: Script;
  /** How the downloader must end: with an answer of this kind, or with this reason. */
  readonly fetched: 'ok' | 'redirect' | 'http-error' | ReasonCode;
  /** How the page must stand after a crawl, with the reason given. */
  readonly crawled: PageState | `${PageState} ${ReasonCode}`;
  /** More pages of its site. */
  readonly more?: Readonly<Record<string, Script>>;
  /** Requests the site may see in a crawl at most: for sites without end. */
  readonly mostRequests?: number;
}

export const OK = 'HTTP/1.1 200 OK\r\n';
export const HTML: string = `${OK}Content-Type: text/html\r\n`;
export const CHUNKED: string = `${HTML}Transfer-Encoding: chunked\r\n\r\n`;

/** An answer that is whole and honest, as bytes. */
export function html(body: string | Uint8Array, headers = ''): Step[] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return [{ send: `${HTML}${headers}Content-Length: ${bytes.length}\r\n\r\n` }, { send: bytes }];
}

/** A page with enough text to be indexed; `words` can be searched for. */
export function story(words: string): string {
  return `<!doctype html><title>${words}</title><p>This page is about ${words}, and a few words more about it.`;
}

/** Sends and ends the connection, in order or not; a reset is held back until what was sent has left. */
export function thenEnd(text: string | Uint8Array): Step[] {
  return [{ send: text }, { close: 'end' }];
}
export function thenReset(text: string | Uint8Array): Step[] {
  return [{ send: text }, { waitMs: 20 }, { close: 'reset' }];
}

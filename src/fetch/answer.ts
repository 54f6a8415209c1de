/**
 * From what came over the wire to a `FetchResult`: which statuses are content, redirects, errors or nonsense, where a
 * redirect leads, and the body decoded. Pure.
 */
import { isUtf8 } from 'node:buffer';
import type { Body, FetchResult, HeaderList, ResponseHead, WireRequest } from '../types.ts';
import { codingsOf, decodeContent } from './decode.ts';
import type { RawAnswer } from './exchange.ts';
import { bodyCodings, headerValue } from './headers.ts';
import type { FetchLimits } from './limits.ts';
import type { Method } from './request.ts';

/** The request an answer belongs to. */
export interface Asked {
  readonly url: string;
  readonly method: Method;
  /** True when a validator was sent, so that 304 makes sense. */
  readonly isConditional: boolean;
  readonly startedAt: number;
  readonly durationMs: number;
  /** For a WARC, when one is kept. */
  readonly wire?: WireRequest;
}

/** Judges a complete answer (RFC 9110 §15). */
export function conclude(asked: Asked, answer: RawAnswer, limits: FetchLimits): FetchResult {
  const head = headOf(asked, answer);
  const { status, headers } = answer;
  if (status === 304) {
    return asked.isConditional
      ? { kind: 'not-modified', head }
      : unexpected(head, '304 to a request without validators');
  }
  // A part of the page, or a delta against one (RFC 3229), neither of which was asked for.
  if (status === 206 || status === 226) return unexpected(head, `${status} to a request for the whole page`);
  if (followed.has(status) && headerValue(headers, 'location') !== null) {
    return { kind: 'redirect', head, location: locationOf(headers, asked.url) };
  }
  if (status >= 300) return { kind: 'http-error', head, body: errorBody(answer, limits) };
  if (status === 204 || status === 205 || asked.method === 'HEAD')
    return { kind: 'ok', head, body: emptyBody };
  return content(head, answer, limits);
}

/** The head of an answer, for results and for failures after the head. */
export function headOf(asked: Asked, answer: RawAnswer): ResponseHead {
  const { status, headers, remoteAddress, wireBytes, wire } = answer;
  const { url, startedAt, durationMs } = asked;
  const head = { url, status, headers, remoteAddress, startedAt, durationMs, wireBytes };
  return wire === undefined || asked.wire === undefined
    ? head
    : { ...head, wire: { ...wire, request: asked.wire } };
}

/** Statuses whose Location is a target: 304, 305 and 306 are not (RFC 9110 §15.4), nor is 201, whose Location names a new resource. */
const followed: ReadonlySet<number> = new Set([300, 301, 302, 303, 307, 308]);

const emptyBody: Body = { bytes: new Uint8Array(0), received: null };

function unexpected(head: ResponseHead, detail: string): FetchResult {
  return {
    kind: 'failed',
    reason: 'http.unexpected',
    detail,
    head,
    startedAt: head.startedAt,
    wasSent: true,
  };
}

function content(head: ResponseHead, answer: RawAnswer, limits: FetchLimits): FetchResult {
  const decoded = decode(answer, limits.maxBodyBytes, limits);
  if (!decoded.ok) {
    const { reason, detail } = decoded;
    return { kind: 'failed', reason, detail, head, startedAt: head.startedAt, wasSent: true };
  }
  if (decoded.bytes.length > limits.maxBodyBytes) {
    const detail = `the body is larger than ${limits.maxBodyBytes} bytes`;
    return { kind: 'failed', reason: 'content.size', detail, head, startedAt: head.startedAt, wasSent: true };
  }
  return { kind: 'ok', head, body: { bytes: decoded.bytes, received: receivedOf(answer) } };
}

/** The body of an error is a courtesy: one that cannot be read is left out, the status counts. */
function errorBody(answer: RawAnswer, limits: FetchLimits): Body {
  const decoded = decode(answer, limits.maxErrorBodyBytes, limits);
  return decoded.ok ? { bytes: decoded.bytes, received: null } : emptyBody;
}

function decode(answer: RawAnswer, maxBytes: number, limits: FetchLimits): ReturnType<typeof decodeContent> {
  const { maxExpansion } = limits;
  return decodeContent(answer.bytes, bodyCodings(answer.headers), { maxBytes, maxExpansion });
}

function receivedOf(answer: RawAnswer): Body['received'] {
  const [coding, ...more] = codingsOf(bodyCodings(answer.headers));
  if (more.length > 0 || answer.bytes.length === 0) return null;
  if (coding === 'gzip') return { coding: 'gzip', bytes: answer.bytes };
  return coding === 'br' ? { coding: 'br', bytes: answer.bytes } : null;
}

/**
 * Absolute http(s) target of a redirect without fragment; null when it has none. The header's bytes are read as UTF-8,
 * which is what servers mean that send a raw path; bytes that are not UTF-8 are kept as they are, percent-encoded.
 */
function locationOf(headers: HeaderList, base: string): string | null {
  const value = headerValue(headers, 'location')?.trim() ?? '';
  if (value === '') return null;
  const bytes = Buffer.from(value, 'latin1');
  const text = isUtf8(bytes) ? bytes.toString('utf8') : value.replace(/[\x80-\xff]/g, percentEncode);
  if (!URL.canParse(text, base)) return null;
  const target = new URL(text, base);
  if (target.protocol !== 'http:' && target.protocol !== 'https:') return null;
  target.hash = '';
  return target.href;
}

function percentEncode(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;
}

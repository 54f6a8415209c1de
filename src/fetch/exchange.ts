/**
 * One request and its answer on a connection: the only handler class given to undici (handlers of one shape cost half).
 * It collects, counts and ends; what the answer means is decided in `answer.ts`. Its callbacks never throw, because
 * an exception in one would take the connection and everything queued on it along.
 */
import { type Dispatcher, errors } from 'undici';
import type { Clock } from '../clock.ts';
import type { ReasonCode } from '../reasons.ts';
import type { HeaderList, WireAnswer } from '../types.ts';
import { ConnectFailure } from './address-guard.ts';
import { BodyBuffer } from './body-buffer.ts';
import type { Lane } from './connections.ts';
import { codingsOf } from './decode.ts';
import { bodyCodings, headerValue } from './headers.ts';
import type { FetchLimits, Progress } from './limits.ts';

/** What came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  /** Before content decoding; empty when it was not wanted or not wanted whole. */
  readonly bytes: Uint8Array;
  readonly wireBytes: number;
  readonly remoteAddress: string | null;
  /** For a WARC, when one is kept. */
  readonly wire?: Omit<WireAnswer, 'request'>;
}

/** How an exchange ended. A failure keeps the head when there was one. */
export type Ending =
  | { readonly kind: 'complete'; readonly answer: RawAnswer }
  | {
      readonly kind: 'failed';
      readonly reason: ReasonCode;
      readonly detail: string;
      readonly answer: RawAnswer | null;
      readonly wasSent: boolean;
      /** True when a kept-alive connection closed before a byte came: the server had ended it already. */
      readonly isStaleConnection: boolean;
    };

export interface ExchangeOptions {
  readonly startedAt: number;
  /** The answer has no body, whatever length it tells (RFC 9110, 9.3.2). */
  readonly isHead: boolean;
  /** The start of a larger body will do. */
  readonly takesStart: boolean;
  /** Keep what a WARC wants, of failures as well. */
  readonly keepsWire: boolean;
}

const nothing = new Uint8Array(0);

/** Received before the piece that completes the head, as a multiple of the head's limit: interim answers. */
const MOST_HEADS = 4;
/** Received for a body, as a multiple of its limit: chunks of one byte are six on the wire. */
const MOST_FRAMING = 8;

export class Exchange implements Dispatcher.DispatchHandler, Progress {
  readonly startedAt: number;
  sentAt: number | null = null;
  headAt: number | null = null;
  lastByteAt: number | null = null;
  wireBytes = 0;
  /** Settles exactly once; never rejects. */
  readonly ending: Promise<Ending>;

  readonly #clock: Clock;
  readonly #limits: FetchLimits;
  readonly #lane: Lane;
  readonly #isHead: boolean;
  readonly #takesStart: boolean;
  readonly #keepsWire: boolean;
  #settle: (ending: Ending) => void = () => {};
  #isDone = false;
  /** On the wire, since the request was written or since the head was complete. */
  #receivedBytes = 0;
  #isReused = false;
  #status = 0;
  #statusText = '';
  #headers: HeaderList = [];
  #remoteAddress: string | null = null;
  #maxBytes = 0;
  #body = new BodyBuffer();

  constructor(lane: Lane, limits: FetchLimits, clock: Clock, how: ExchangeOptions) {
    this.#lane = lane;
    this.#limits = limits;
    this.#clock = clock;
    this.startedAt = how.startedAt;
    this.#isHead = how.isHead;
    this.#takesStart = how.takesStart;
    this.#keepsWire = how.keepsWire;
    this.ending = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Ends the exchange from outside, for a limit passed or an abort, and closes its connection. */
  fail(reason: ReasonCode, detail: string): void {
    this.#fail(reason, detail, true);
  }

  /** undici: the request is about to be written. */
  onConnect(abort: () => void): void {
    if (this.#isDone) {
      abort();
      return;
    }
    this.sentAt = this.#clock.now();
    this.#isReused = this.#lane.served > 0;
    this.#lane.expectHead();
    this.#lane.received = (bytes) => this.#count(bytes);
  }

  /** undici: a whole header section, interim ones (1xx) included. */
  onHeaders(status: number, rawHeaders: Buffer[], _resume: () => void, statusText: string): boolean {
    if (this.#isDone || status < 200) return true;
    this.#lane.served += 1;
    this.headAt = this.#clock.now();
    this.#receivedBytes = 0;
    this.#status = status;
    this.#statusText = statusText;
    this.#headers = headerList(rawHeaders);
    this.#remoteAddress = this.#lane.socket?.remoteAddress ?? null;
    this.#maxBytes = this.#isContent() ? this.#limits.maxBodyBytes : this.#limits.maxErrorBodyBytes;
    const declared = Number(headerValue(this.#headers, 'content-length'));
    if (declared > this.#maxBytes && !this.#isHead && !this.#startWillDo()) this.#tooLarge();
    return true;
  }

  /** undici: a piece of the body, freed of its transfer coding. */
  onData(chunk: Buffer): boolean {
    if (this.#isDone) return true;
    this.lastByteAt = this.#clock.now();
    this.wireBytes += chunk.length;
    const isOver = this.wireBytes > this.#maxBytes;
    const isRefused = isOver && !this.#startWillDo();
    if (!isRefused || this.#keepsWire) this.#body.append(chunk);
    if (isRefused) this.#tooLarge();
    else if (isOver) this.#endAtLimit();
    return true;
  }

  /** undici: the answer is complete. */
  onComplete(): void {
    if (!this.#isDone) this.#end({ kind: 'complete', answer: this.#answer(this.#body.toBuffer(), null) });
  }

  /** undici: the connection could not be made, or ended before the answer did. */
  onError(error: Error): void {
    if (this.#isDone) return;
    if (error instanceof ConnectFailure) {
      this.#fail(error.reason, error.message, error.wasSent);
      return;
    }
    const reason = reasonOf(error, this.headAt !== null);
    const isStale = this.#isReused && reason === 'net.reset' && this.headAt === null;
    this.#fail(reason, codeOf(error), this.sentAt !== null, isStale);
  }

  /**
   * Ends what has no end: interim answers, status lines and empty lines before a head; chunk sizes with long extensions after it.
   * A piece is judged by what came before it, since one alone may hold the end of the head and much of the body.
   */
  #count(bytes: number): void {
    if (this.#isDone) return;
    const { maxHeaderBytes } = this.#limits;
    const before = this.#receivedBytes;
    this.#receivedBytes += bytes;
    if (this.headAt === null) {
      if (before > MOST_HEADS * maxHeaderBytes)
        this.#fail('net.headers', `more than ${MOST_HEADS} times ${maxHeaderBytes} bytes and no head`, true);
    } else if (before > MOST_FRAMING * Math.max(this.#maxBytes, maxHeaderBytes)) {
      this.#fail(
        'content.size',
        `more than ${MOST_FRAMING} times ${this.#maxBytes} bytes for the body`,
        true,
      );
    }
  }

  /** Answers whose body is the point; of all others the head says enough, whatever becomes of the body. */
  #isContent(): boolean {
    return !this.#isHead && this.#status < 300 && this.#status !== 204 && this.#status !== 205;
  }

  /** Is a body that is larger than the limit to be cut there? Not a coded one: its start alone cannot be decoded. */
  #startWillDo(): boolean {
    if (!this.#takesStart || !this.#isContent()) return false;
    return codingsOf(bodyCodings(this.#headers)).length === 0;
  }

  #endAtLimit(): void {
    const start = this.#body.toBuffer().subarray(0, this.#maxBytes);
    this.#end({ kind: 'complete', answer: this.#answer(start, 'length') });
    this.#lane.socket?.destroy(new Error('the exchange is over'));
  }

  #tooLarge(): void {
    this.#fail('content.size', `the body is larger than ${this.#maxBytes} bytes`, true);
  }

  #fail(reason: ReasonCode, detail: string, wasSent: boolean, isStaleConnection = false): void {
    if (this.#isDone) return;
    const answer = this.headAt === null ? null : this.#answer(nothing, cutBy(reason));
    const isEnough = answer !== null && !this.#isContent();
    if (isEnough) this.#end({ kind: 'complete', answer });
    else this.#end({ kind: 'failed', reason, detail, answer, wasSent, isStaleConnection });
    // The rest of the answer is not read. The socket and not undici's abort(), which would open the next connection
    // before it looks whether anybody still wants one.
    if (this.sentAt !== null) this.#lane.socket?.destroy(new Error('the exchange is over'));
  }

  #end(ending: Ending): void {
    this.#isDone = true;
    this.#body = new BodyBuffer();
    this.#settle(ending);
  }

  /** `bytes` is what the crawl may use of the body; a WARC keeps what came of one that was cut short. */
  #answer(bytes: Uint8Array, truncated: WireAnswer['truncated']): RawAnswer {
    const { wireBytes } = this;
    return {
      status: this.#status,
      headers: this.#headers,
      bytes,
      wireBytes,
      remoteAddress: this.#remoteAddress,
      ...(this.#keepsWire ? { wire: this.#wire(bytes, truncated) } : {}),
    };
  }

  #wire(bytes: Uint8Array, truncated: WireAnswer['truncated']): NonNullable<RawAnswer['wire']> {
    return {
      // undici reads it as UTF-8; here text stands for bytes, as in the values of headers.
      statusText: Buffer.from(this.#statusText, 'utf8').toString('latin1'),
      bytes: truncated === null ? bytes : this.#body.toBuffer().subarray(0, this.#maxBytes),
      truncated,
    };
  }
}

/** Why a body is not whole, in the words of WARC-Truncated. */
function cutBy(reason: ReasonCode): WireAnswer['truncated'] {
  if (reason === 'content.size') return 'length';
  return reason === 'net.timeout' ? 'time' : 'disconnect';
}

/** Why a connection failed, by kind and code: messages change between versions. */
function reasonOf(error: Error, hasHead: boolean): ReasonCode {
  // Bytes left unread tell a broken message from one whose connection closed in the middle of it.
  if (error instanceof errors.HTTPParserError) {
    const isAllRead = 'data' in error && error.data === '';
    return hasHead && isAllRead ? 'net.truncated' : 'net.protocol';
  }
  switch (codeOf(error)) {
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'net.headers';
    case 'ETIMEDOUT':
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return 'net.timeout';
    case 'UND_ERR_INVALID_ARG':
      return 'internal.error';
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return hasHead ? 'net.truncated' : 'net.protocol';
    default:
      return hasHead ? 'net.truncated' : 'net.reset';
  }
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** undici hands over names and values in turn. */
function headerList(raw: readonly Buffer[]): HeaderList {
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    list.push([(raw[index] as Buffer).toString('latin1'), (raw[index + 1] as Buffer).toString('latin1')]);
  }
  return list;
}

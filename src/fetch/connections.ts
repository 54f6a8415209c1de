/**
 * Open connections by origin: at most a few per origin, a bounded number of origins, the longest unused closed first.
 * A lane is one undici client that this file owns, so it is known which socket a request travels on and whether that
 * socket has served before; undici's own pool hides both.
 */
import type { Socket } from 'node:net';
import { type buildConnector, Client } from 'undici';
import { skipInterim } from './interim.ts';

/** One connection to one origin, made anew by undici when it has been closed. */
export interface Lane {
  readonly client: Client;
  /** The socket in use, null before the first connection. */
  socket: Socket | null;
  /** To be called when a request is about to be written to the socket. */
  expectHead: () => void;
  /** Told of every piece that is read from the socket, in bytes: head, framing and body. */
  received: (bytes: number) => void;
  /** Answers the present socket has begun; a request after the first can meet a connection the server just closed. */
  served: number;
  /** Requests handed to it and not ended. */
  inFlight: number;
}

export interface ConnectionOptions {
  readonly connect: buildConnector.connector;
  readonly connectionsPerOrigin: number;
  /** Origins kept open at once; 14–42 KB each (measured), and a descriptor per connection. */
  readonly maxOrigins: number;
  readonly maxHeaderBytes: number;
}

/**
 * How long an idle connection is kept, ms: above the usual rest of a host so that a slow crawl still reuses it, below
 * the 60–75 s after which common servers close. A server's own Keep-Alive hint wins up to the longest.
 */
const KEEP_ALIVE_MS = 30_000;
const LONGEST_KEEP_ALIVE_MS = 120_000;
/** Closed this much before a server's hint, so that a request does not cross the closing. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

export class Connections {
  readonly #options: ConnectionOptions;
  /** Least recently used first. */
  readonly #origins = new Map<string, Lane[]>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** The lane to send a request on: an idle one, else a new one, else the one with the shortest queue. */
  acquire(origin: string): Lane {
    const lanes = this.#origins.get(origin) ?? [];
    this.#origins.delete(origin);
    this.#origins.set(origin, lanes);
    let lane = lanes[0];
    for (const other of lanes) {
      if (lane === undefined || other.inFlight < lane.inFlight) lane = other;
    }
    if (lane === undefined || (lane.inFlight > 0 && lanes.length < this.#options.connectionsPerOrigin)) {
      lane = this.#newLane(origin);
      lanes.push(lane);
    }
    lane.inFlight += 1;
    this.#closeUnused();
    return lane;
  }

  release(lane: Lane): void {
    lane.inFlight -= 1;
  }

  /** Closes every connection; requests under way fail. */
  async close(): Promise<void> {
    const lanes = [...this.#origins.values()].flat();
    this.#origins.clear();
    await Promise.all(lanes.map((lane) => lane.client.destroy()));
  }

  #newLane(origin: string): Lane {
    const client = new Client(origin, {
      connect: (target, callback) => {
        this.#options.connect(target, (...outcome) => {
          const [, socket] = outcome;
          if (socket !== null) {
            lane.socket = socket;
            lane.expectHead = skipInterim(socket, (bytes) => lane.received(bytes));
            lane.served = 0;
          }
          callback(...outcome);
        });
      },
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: this.#options.maxHeaderBytes,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: LONGEST_KEEP_ALIVE_MS,
      keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
      // Limits in time are the downloader's: these would tick coarsely and reset with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const lane: Lane = {
      ...{ client, socket: null, expectHead: () => {}, received: () => {} },
      ...{ served: 0, inFlight: 0 },
    };
    return lane;
  }

  /** Closes unused origins, the longest unused first, until the bound holds. */
  #closeUnused(): void {
    if (this.#origins.size <= this.#options.maxOrigins) return;
    for (const [origin, lanes] of this.#origins) {
      if (lanes.some((lane) => lane.inFlight > 0)) continue;
      this.#origins.delete(origin);
      for (const lane of lanes) void lane.client.destroy();
      if (this.#origins.size <= this.#options.maxOrigins) return;
    }
  }
}

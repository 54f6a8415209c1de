/**
 * Names to addresses. c-ares asks DNS directly, because getaddrinfo would hold one of libuv's four threads per name;
 * it is asked only for names DNS does not know, which /etc/hosts may.
 */
import { Resolver as CaresResolver, lookup } from 'node:dns/promises';
import type { Clock } from '../clock.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Answers every address of a host name, IPv4 first; an empty list when it has none. Rejects when nobody answers. */
export interface Resolver {
  resolve(host: string): Promise<readonly ResolvedAddress[]>;
}

/** Bounds on how long an answer is reused, whatever its TTL says. */
const SHORTEST_TTL_MS = 10_000;
const LONGEST_TTL_MS = 600_000;
/** Names remembered; about 200 bytes each. */
const MAX_NAMES = 10_000;
/** One server's time to answer, and how often all are asked (c-ares options); bounded further by the connect limit. */
const QUERY_TIMEOUT_MS = 2_500;
const QUERY_TRIES = 2;

/** The questions asked of the machine; `node:dns/promises` in life. */
export interface NameService {
  resolve4(host: string): Promise<{ address: string; ttl: number }[]>;
  resolve6(host: string): Promise<{ address: string; ttl: number }[]>;
  /** getaddrinfo: /etc/hosts and whatever else the machine is set up for. */
  lookup(host: string): Promise<{ address: string; family: number }[]>;
}

interface Answer {
  readonly addresses: readonly ResolvedAddress[];
  readonly ttlMs: number;
}

interface CachedAnswer {
  readonly addresses: Promise<readonly ResolvedAddress[]>;
  /** Infinity while the question is under way. */
  expiresAt: number;
}

/** The machine's DNS with a bounded cache; one question per name is under way at a time, failures are not kept. */
export class DnsResolver implements Resolver {
  readonly #clock: Clock;
  readonly #names: NameService;
  readonly #cache = new Map<string, CachedAnswer>();

  constructor(clock: Clock, names: NameService = systemNames()) {
    this.#clock = clock;
    this.#names = names;
  }

  resolve(host: string): Promise<readonly ResolvedAddress[]> {
    const cached = this.#cache.get(host);
    if (cached !== undefined && cached.expiresAt > this.#clock.now()) return cached.addresses;
    const answer = this.#ask(host);
    const entry: CachedAnswer = { addresses: answer.then(({ addresses }) => addresses), expiresAt: Infinity };
    this.#remember(host, entry);
    answer.then(
      ({ ttlMs }) => {
        entry.expiresAt = this.#clock.now() + ttlMs;
      },
      () => {
        if (this.#cache.get(host) === entry) this.#cache.delete(host);
      },
    );
    return entry.addresses;
  }

  #remember(host: string, entry: CachedAnswer): void {
    this.#cache.delete(host);
    this.#cache.set(host, entry);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_NAMES && oldest !== undefined) this.#cache.delete(oldest);
  }

  /** Both families at once. One family failing does not matter while the other answers. */
  async #ask(host: string): Promise<Answer> {
    const [four, six] = await Promise.allSettled([this.#names.resolve4(host), this.#names.resolve6(host)]);
    const records = [
      ...(four.status === 'fulfilled' ? four.value.map((record) => ({ ...record, family: 4 as const })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((record) => ({ ...record, family: 6 as const })) : []),
    ];
    if (records.length > 0) {
      const ttlMs = 1000 * Math.min(...records.map((record) => record.ttl));
      return { addresses: records, ttlMs: Math.min(Math.max(ttlMs, SHORTEST_TTL_MS), LONGEST_TTL_MS) };
    }
    if (four.status === 'rejected' && !isUnknownName(four.reason)) throw four.reason;
    const local = await this.#names.lookup(host);
    return { addresses: local.map(toResolved), ttlMs: SHORTEST_TTL_MS };
  }
}

function systemNames(): NameService {
  const cares = new CaresResolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  return {
    resolve4: (host) => cares.resolve4(host, { ttl: true }),
    resolve6: (host) => cares.resolve6(host, { ttl: true }),
    lookup: (host) => lookup(host, { all: true }),
  };
}

function toResolved({ address, family }: { address: string; family: number }): ResolvedAddress {
  return { address, family: family === 6 ? 6 : 4 };
}

/** The server answered that the name, or an address of it, does not exist; anything else is no answer. */
function isUnknownName(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOTFOUND' || code === 'ENODATA';
}

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
/**
 * How long one family waits for the other: servers that drop what they are asked of IPv6 are not rare, and would cost
 * each name all its tries (RFC 8305 §3 waits 50 ms; a crawler has time).
 */
const OTHER_FAMILY_MS = 1_000;
/** Addresses of a name that are remembered; a stranger's answer may hold 4,000, under as many names as they like. */
const MAX_KEPT_ADDRESSES = 64;

/** The questions asked of the machine; `node:dns/promises` in life. */
export interface NameService {
  resolve4(host: string): Promise<{ address: string; ttl: number }[]>;
  resolve6(host: string): Promise<{ address: string; ttl: number }[]>;
  /** getaddrinfo: /etc/hosts and whatever else the machine is set up for. */
  lookup(host: string): Promise<{ address: string; family: number }[]>;
}

interface AddressRecord extends ResolvedAddress {
  /** Seconds. */
  readonly ttl: number;
}

interface Family {
  readonly records: readonly AddressRecord[];
  /** Why there are none; null when it was answered. */
  readonly failure: unknown;
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

  constructor(clock: Clock, names: NameService = namesOf(systemCares())) {
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
        if (ttlMs > 0) entry.expiresAt = this.#clock.now() + ttlMs;
        else this.#forget(host, entry);
      },
      () => this.#forget(host, entry),
    );
    return entry.addresses;
  }

  #forget(host: string, entry: CachedAnswer): void {
    if (this.#cache.get(host) === entry) this.#cache.delete(host);
  }

  #remember(host: string, entry: CachedAnswer): void {
    this.#cache.delete(host);
    this.#cache.set(host, entry);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_NAMES && oldest !== undefined) this.#cache.delete(oldest);
  }

  async #ask(host: string): Promise<Answer> {
    const families = await this.#families(host);
    const records = families.flatMap((family) => family.records);
    if (records.length > 0) return { addresses: records, ttlMs: ttlOf(records, families.length === 2) };
    const failure = families[0]?.failure ?? null;
    if (failure !== null && !isUnknownName(failure)) throw failure;
    const local = await this.#names.lookup(host);
    return { addresses: local.map(toResolved), ttlMs: SHORTEST_TTL_MS };
  }

  /** IPv4, then IPv6, asked at once; or the one that has addresses, when the other is late. */
  async #families(host: string): Promise<readonly Family[]> {
    const four = familyOf(4, this.#names.resolve4(host));
    const six = familyOf(6, this.#names.resolve6(host));
    const both = Promise.all([four, six]);
    const first = await Promise.race([four, six]);
    if (first.records.length === 0) return both;
    const isOver = new AbortController();
    const late = this.#clock.sleep(OTHER_FAMILY_MS, isOver.signal).then(() => [first]);
    return Promise.race([both, late]).finally(() => isOver.abort());
  }
}

/** Never rejects: whether a failure matters depends on the other family. */
async function familyOf(family: 4 | 6, asked: Promise<{ address: string; ttl: number }[]>): Promise<Family> {
  try {
    return { records: (await asked).map((record) => ({ ...record, family })), failure: null };
  } catch (failure) {
    return { records: [], failure };
  }
}

/** How long an answer is kept: for a short while when half of it is missing, not at all when it is huge. */
function ttlOf(records: readonly AddressRecord[], isWhole: boolean): number {
  if (records.length > MAX_KEPT_ADDRESSES) return 0;
  const ttlMs = 1000 * Math.min(...records.map((record) => record.ttl));
  return isWhole ? Math.min(Math.max(ttlMs, SHORTEST_TTL_MS), LONGEST_TTL_MS) : SHORTEST_TTL_MS;
}

/** c-ares with the machine's name servers. */
export function systemCares(): CaresResolver {
  return new CaresResolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
}

export function namesOf(cares: CaresResolver): NameService {
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

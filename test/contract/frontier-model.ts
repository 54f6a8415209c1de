/**
 * The frontier's contract, at random: any sequence of calls, failures of borrowers and restarts, against a model that is
 * simple enough to be right. No URL is lost, none is lent twice, no host is asked too soon or too often.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Frontier } from '../../src/frontier/frontier.ts';
import type { CrawlRequest, Link } from '../../src/types.ts';
import { failed, fetched, link, putOff } from '../support/outcomes.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
import { type FrontierFactory, type FrontierUnderTest, openFrontier } from './frontier-setup.ts';

type Step =
  | { readonly do: 'add'; readonly from: 'here' | 'elsewhere'; readonly links: readonly Link[] }
  | { readonly do: 'lease'; readonly max: number }
  | { readonly do: 'finish'; readonly which: number; readonly how: How; readonly links: readonly Link[] }
  | { readonly do: 'release'; readonly which: number }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'restart' };

type How = 'fetched' | 'again' | 'failed' | 'deferred' | 'slow' | 'rest';

const LEASE_MS = 60_000;
const DELAY_MS = 1_000;
const CRAWL_DELAY_MS = 7_000;
const REST_MS = 20_000;
const PER_HOST = 2;

export function modelContract(create: FrontierFactory): void {
  describe('any sequence of calls', () => {
    test.each([DELAY_MS, 0])('keeps every promise (delay %i ms)', async (delayMs) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
          // A tiny queue, so that waiting, spilling and refilling happen all the time.
          const policy = { delayMs, perHost: PER_HOST, leaseMs: LEASE_MS, queueCapacity: 4, waitMs: 2_000 };
          const opened = await openFrontier(create, policy);
          const run = new Run(opened, opened.clock, delayMs);
          for (const next of steps) await run.take(next);
          await run.drain();
          opened.close();
        }),
        { numRuns: 40, seed: 20_260_101 },
      );
    });
  });
}

const someLink = fc
  .record({
    host: fc.constantFrom('a.test', 'b.test', 'c.test'),
    page: fc.integer({ min: 1, max: 12 }),
    depth: fc.integer({ min: 0, max: 5 }),
    priority: fc.constantFrom(0, 0, 0, -50, 10),
  })
  .map(({ host, page, depth, priority }) => link(`http://${host}/${page}`, { depth, priority }));

const someLinks = fc.array(someLink, { maxLength: 12, size: 'max' });

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    from: fc.constantFrom('here', 'elsewhere'),
    links: someLinks,
  }),
  fc.record({ do: fc.constant('lease' as const), max: fc.integer({ min: 1, max: 5 }) }),
  fc.record({
    do: fc.constant('finish' as const),
    which: fc.nat(),
    how: fc.constantFrom<How>('fetched', 'fetched', 'again', 'failed', 'deferred', 'slow', 'rest'),
    links: someLinks,
  }),
  fc.record({ do: fc.constant('release' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(1, 300, 1_000, 5_000, LEASE_MS) }),
  fc.constant({ do: 'restart' as const }),
);

interface ModelUrl {
  depth: number;
  /** Null: never again; 0: new. */
  dueAt: number | null;
  loan: CrawlRequest | null;
}

interface ModelHost {
  nextAt: number;
  crawlDelayMs: number;
  loans: CrawlRequest[];
}

class Run {
  readonly #store: FrontierUnderTest;
  readonly #clock: VirtualClock;
  readonly #delayMs: number;
  readonly #urls = new Map<string, ModelUrl>();
  readonly #hosts = new Map<string, ModelHost>();
  readonly #adding: Promise<unknown>[] = [];
  /** Every loan ever made, ended ones too: borrowers may be late. */
  readonly #loans: CrawlRequest[] = [];
  #frontier: Frontier;

  constructor(store: FrontierUnderTest, clock: VirtualClock, delayMs: number) {
    this.#store = store;
    this.#frontier = store.frontier;
    this.#clock = clock;
    this.#delayMs = delayMs;
  }

  async take(next: Step): Promise<void> {
    switch (next.do) {
      case 'add': {
        const target = next.from === 'here' ? this.#frontier : this.#store.second();
        this.#adding.push(target.add(next.links));
        return this.#learn(next.links);
      }
      case 'lease':
        return this.#lease(next.max);
      case 'finish':
        return this.#finish(this.#pick(next.which), next.how, next.links);
      case 'release': {
        const request = this.#pick(next.which);
        if (request === undefined) return;
        await this.#frontier.release([request]);
        if (this.#isHeld(request)) this.#end(request);
        return;
      }
      case 'advance':
        return this.#clock.advance(next.ms);
      case 'restart':
        this.#frontier = await this.#store.restart();
        for (const url of this.#urls.values()) url.loan = null;
        for (const host of this.#hosts.values()) host.loans = [];
    }
  }

  /** Visits all that is left: nothing known may be missing, nothing may come twice. */
  async drain(): Promise<void> {
    const expected = [...this.#urls].filter(([, url]) => url.dueAt !== null).map(([name]) => name);
    const lent: string[] = [];
    await this.#clock.advance(LEASE_MS); // loans still out expire
    for (let readyAt = await this.#frontier.nextReadyAt(); readyAt !== null; ) {
      await this.#clock.advance(Math.max(0, readyAt - this.#clock.now()));
      for (const request of await this.#lend(10)) {
        lent.push(request.record.url);
        await this.#finish(request, 'fetched', []);
      }
      readyAt = await this.#frontier.nextReadyAt();
    }
    expect(lent.sort()).toEqual(expected.sort());
    await Promise.all(this.#adding);
    const stats = await this.#frontier.stats();
    expect(stats).toMatchObject({ known: this.#urls.size, waiting: 0, scheduled: 0, inFlight: 0 });
  }

  #learn(links: readonly Link[]): void {
    for (const { url, depth } of links) {
      const known = this.#urls.get(url);
      if (known !== undefined) known.depth = Math.min(known.depth, depth);
      else this.#urls.set(url, { depth, dueAt: 0, loan: null });
    }
  }

  async #lease(max: number): Promise<void> {
    const lent = await this.#lend(max);
    if (lent.length >= max) return;
    const readyAt = await this.#frontier.nextReadyAt();
    // All that was ready has been lent: a loop that sleeps until then does not spin.
    if (readyAt !== null) expect(readyAt).toBeGreaterThan(this.#clock.now());
  }

  async #lend(max: number): Promise<CrawlRequest[]> {
    const lent = await this.#frontier.lease(max);
    const now = this.#clock.now();
    expect(lent.length).toBeLessThanOrEqual(max);
    for (const request of lent) {
      const { url: name, host: hostName, depth } = request.record;
      const url = this.#urls.get(name);
      if (url === undefined) throw new Error(`lent an unknown URL: ${name}`);
      expect(url.loan === null || !this.#isHeld(url.loan), `${name} is lent twice`).toBe(true);
      expect(url.dueAt, `${name} is not due`).not.toBeNull();
      expect(url.dueAt).toBeLessThanOrEqual(now);
      // The depth known to a frontier may only be shorter: it passes on what a shorter way means for what lies behind.
      expect(depth).toBeLessThanOrEqual(url.depth);
      const host = this.#host(hostName);
      host.loans = host.loans.filter((loan) => this.#isHeld(loan));
      expect(now, `${hostName} has not rested`).toBeGreaterThanOrEqual(host.nextAt);
      expect(host.loans.length, `${hostName} is asked too often`).toBeLessThan(PER_HOST);
      host.nextAt = now + Math.max(this.#delayMs, host.crawlDelayMs);
      host.loans.push(request);
      url.loan = request;
      this.#loans.push(request);
    }
    return lent;
  }

  async #finish(request: CrawlRequest | undefined, how: How, links: readonly Link[]): Promise<void> {
    if (request === undefined) return;
    const now = this.#clock.now();
    const isHeld = this.#isHeld(request);
    expect(await this.#frontier.holds(request)).toBe(isHeld);
    const outcome = outcomeOf(request, how, links, now);
    expect(await this.#frontier.finish([outcome])).toEqual(isHeld ? [outcome] : []);
    if (!isHeld) return;
    const { url, host } = this.#end(request);
    if (how === 'deferred') return;
    url.dueAt = outcome.nextVisitAt;
    this.#learn(outcome.links);
    if (how === 'slow') host.crawlDelayMs = CRAWL_DELAY_MS;
    if (how === 'rest') host.nextAt = Math.max(host.nextAt, now + REST_MS);
    host.nextAt = Math.max(host.nextAt, now + Math.max(this.#delayMs, host.crawlDelayMs));
  }

  #end(request: CrawlRequest): { url: ModelUrl; host: ModelHost } {
    const url = this.#urls.get(request.record.url) as ModelUrl;
    const host = this.#host(request.record.host);
    url.loan = null;
    host.loans = host.loans.filter((loan) => loan !== request);
    return { url, host };
  }

  #isHeld(request: CrawlRequest): boolean {
    const url = this.#urls.get(request.record.url);
    return url?.loan?.lease === request.lease && request.lease > this.#clock.now();
  }

  #pick(which: number): CrawlRequest | undefined {
    return this.#loans[which % Math.max(1, this.#loans.length)];
  }

  #host(name: string): ModelHost {
    const host = this.#hosts.get(name) ?? { nextAt: 0, crawlDelayMs: 0, loans: [] };
    this.#hosts.set(name, host);
    return host;
  }
}

function outcomeOf(request: CrawlRequest, how: How, found: readonly Link[], now: number) {
  const links = found.map((link) => ({ ...link, depth: request.record.depth + 1 }));
  switch (how) {
    case 'fetched':
      return fetched(request, now, { links });
    case 'again':
      return fetched(request, now, { links, nextVisitAt: now + 10_000 });
    case 'failed':
      return failed(request, now, now + 2_000);
    case 'deferred':
      return putOff(request);
    case 'slow':
      return fetched(request, now, { links, hostEffect: { crawlDelayMs: CRAWL_DELAY_MS } });
    case 'rest':
      return failed(request, now, now, { healthy: null, restUntil: now + REST_MS });
  }
}

/**
 * The product's own crawler in the simulated web: `visit` and the frontier on SQLite, under a clock that jumps. It finds all pages
 * at once and has a budget for coming back, so only the steady state can be compared with crawlers that are paced in slots.
 */
import { defaultConfig } from '../../src/config.ts';
import { importance } from '../../src/crawl/freshness/importance.ts';
import { admitter } from '../../src/crawl/gate.ts';
import { defaultRefreshPolicy, defaultRetryPolicy } from '../../src/crawl/policy.ts';
import { directReader } from '../../src/crawl/reader.ts';
import { SeenBodies } from '../../src/crawl/seen-bodies.ts';
import { gateOf } from '../../src/crawl/sites.ts';
import { QueryVariants } from '../../src/crawl/variants.ts';
import { visit } from '../../src/crawl/visit.ts';
import type { Downloader } from '../../src/fetch/downloader.ts';
import { defaultFrontierPolicy } from '../../src/frontier/policy.ts';
import { SqliteFrontier } from '../../src/frontier/sqlite.ts';
import type { RobotsSource } from '../../src/robots/robots-source.ts';
import { openMemoryDatabase } from '../../src/store/database.ts';
import type { FetchResult } from '../../src/types.ts';
import { seededRandom } from '../seeded-random.ts';
import { Ledger, type Result, ROUNDS, windows } from './simulation.ts';
import { indexAfter, type SimPage, type World } from './world.ts';

const DAY_MS = 86_400_000;
/** Day 0 of the world. */
const START_AT = 1_767_225_600_000;
/** A crawl looks for work every second; here the clock is moved by so much when there is none. */
const LOOK_MS = DAY_MS / 96;
/** Loans taken at once. */
const GROUP = 32;
/** Longer than what the crawler takes for a page that is hardly there. */
const FILLER = 'Every page has a few words that stay as they are, so that it is a page. '.repeat(5);

export interface RealResult extends Result {
  /** Visits in the steady state, as a share of the budget. */
  readonly spent: number;
}

/** The world with weights that a crawler can be told: through priorities, which are whole numbers. */
export function withPriorities(world: World): World {
  const scale = world.pages.length / world.totalWeight;
  const weightOf = new Map(
    world.pages.map((page) => [page.id, importance(0, priorityFor(page.weight * scale))]),
  );
  const hosts = world.hosts.map((host) => ({ ...host, pages: [] as SimPage[] }));
  const pages = world.pages.map((page) => {
    const host = hosts[page.host.id] ?? page.host;
    const same = { ...page, host, weight: weightOf.get(page.id) ?? 1 };
    host.pages.push(same);
    return same;
  });
  return { hosts, pages, totalWeight: pages.reduce((sum, { weight }) => sum + weight, 0) };
}

/** Crawls with a budget of `perDay` visits a day for as many rounds as `simulate`. */
export async function crawlForReal(world: World, perDay: number): Promise<RealResult> {
  const round = world.pages.length / perDay;
  const ledger = new Ledger(world, round);
  const clock = jumpingClock();
  const db = openMemoryDatabase();
  const refresh = { ...defaultFrontierPolicy.refresh, budget: Math.round(perDay) };
  const frontier = new SqliteFrontier(db, { clock, random: seededRandom(1), policy: { refresh } });
  const parts = partsOf(world, ledger, frontier, clock);
  await frontier.add(
    world.pages.map((page) => ({
      ...{ url: urlOf(page), depth: 0, redirects: 0, referrerId: null },
      priority: priorityFor(page.weight),
    })),
  );
  const [from, to] = (windows.at(-1) ?? [0, 0]).map((end) => end * round);
  const never = new AbortController().signal;
  let spent = 0;
  while (clock.day() < ROUNDS * round) {
    const loans = frontier.lease(GROUP);
    for (const loan of loans) frontier.finish([await visit(loan, parts, never)]);
    if (clock.day() >= (from ?? 0)) spent += loans.length;
    if (loans.length > 0) continue;
    const readyAt = frontier.nextReadyAt() ?? Number.POSITIVE_INFINITY;
    clock.jump(Math.max(1, Math.min(LOOK_MS, readyAt - clock.now())));
  }
  db.close();
  return {
    freshness: ledger.close(ROUNDS * round),
    wasted: ledger.unchanged / ledger.fetches,
    believed: Number.NaN,
    spent: spent / (((to ?? 0) - (from ?? 0)) * perDay),
  };
}

function partsOf(
  world: World,
  ledger: Ledger,
  frontier: SqliteFrontier,
  clock: JumpingClock,
): Parameters<typeof visit>[1] {
  // All hosts: pages outside of the sites are left out of a crawl, also when they are known.
  const start = [...new Set(world.pages.map(({ host }) => `http://h${host.id}.test/`))];
  const site = { start, include: [], exclude: [], sitemaps: 'none', label: null } as const;
  const gate = gateOf(defaultConfig(), [site]);
  return {
    reader: directReader,
    downloader: downloaderOf(world, ledger, clock),
    frontier,
    robots: noRobots,
    gate,
    admitLink: admitter(gate),
    policy: {
      schedule: 'optimal',
      refresh: defaultRefreshPolicy,
      retry: defaultRetryPolicy,
      maxRedirects: 5,
      productToken: 'freshet',
    },
    seenBodies: new SeenBodies(),
    variants: new QueryVariants(),
    submissions: { waiting: () => [] },
    index: { document: () => null, isElsewhere: () => false },
    clock,
    random: seededRandom(2),
  };
}

/** Answers with the edition a page is in. */
function downloaderOf(world: World, ledger: Ledger, clock: JumpingClock): Downloader {
  return {
    async fetch({ url }): Promise<FetchResult> {
      const page = world.pages[Number(url.slice(url.lastIndexOf('/') + 1))] as SimPage;
      const day = clock.day();
      const { lastModified } = ledger.fetch(page, day);
      const edition = page.habit === 'restless' ? `at ${day}` : String(indexAfter(page.changes, day));
      const html = `<title>Page ${page.id}</title><main><p>Edition ${edition}. ${FILLER}</p></main>`;
      const date = lastModified === null ? [] : [['last-modified', httpDate(lastModified)] as const];
      return {
        kind: 'ok',
        head: {
          url,
          status: 200,
          headers: [['content-type', 'text/html'], ...date],
          remoteAddress: null,
          startedAt: clock.now(),
          durationMs: 0,
          wireBytes: html.length,
        },
        body: { bytes: Buffer.from(html), received: null },
      };
    },
    async close() {},
  };
}

const noRobots: RobotsSource = {
  verdict: () => ({ kind: 'allowed', rule: null }),
  claim: () => ({ isMine: true }),
  settle: () => null,
  crawlDelayMs: () => null,
  sitemaps: () => [],
  validators: () => ({ etag: null, lastModified: null }),
};

/** The priority whose weight is nearest: 25 points double it (src/crawl/freshness/importance.ts). */
function priorityFor(weight: number): number {
  return Math.min(100, Math.max(-100, Math.round(25 * Math.log2(weight))));
}

function urlOf(page: SimPage): string {
  return `http://h${page.host.id}.test/${page.id}`;
}

function httpDate(day: number): string {
  return new Date(START_AT + day * DAY_MS).toUTCString();
}

interface JumpingClock {
  now(): number;
  after(ms: number, run: () => void): () => void;
  sleep(): Promise<void>;
  jump(ms: number): void;
  /** Days since the start. */
  day(): number;
}

/** Nothing waits for this clock. */
function jumpingClock(): JumpingClock {
  let now = START_AT;
  return {
    now: () => now,
    after: () => () => undefined,
    sleep: async () => undefined,
    jump(ms) {
      now += ms;
    },
    day: () => (now - START_AT) / DAY_MS,
  };
}

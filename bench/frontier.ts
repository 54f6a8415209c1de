/**
 * What the frontier costs with many URLs known: new URLs, known URLs, loans, whole visits, bytes on disk, memory.
 *
 *   npm run bench -- frontier --urls 1000000
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/clock.ts';
import { SqliteFrontier } from '../src/frontier/sqlite.ts';
import { startCheckpoints } from '../src/store/checkpoint.ts';
import { DATABASE_FILE, type Database, openDatabase } from '../src/store/database.ts';
import type { CrawlRequest, Link, VisitOutcome } from '../src/types.ts';

export interface FrontierBenchOptions {
  /** URLs to load. */
  readonly urls?: number;
  /** Hosts they are spread over. */
  readonly hosts?: number;
  /** Visits to measure. */
  readonly visits?: number;
}

/** Links handed over at once, about what 16 visits bring. */
const BATCH = 1_000;
/** Links of a page, and how many of them are new (docs/decisions: a site's links are mostly navigation). */
const LINKS = 58;
const NEW_LINKS = 6;
/** URLs of one host that come one after the other: pages bring links of their own site. */
const RUN = 31;
/** Visits leased and committed together. */
const GROUP = 50;
/** Advised cache for this many URLs (store/database.ts). */
const CACHE_BYTES_PER_URL = 50;
const MIB = 1024 * 1024;

export async function run(
  report: (name: string, value: string) => void,
  options: FrontierBenchOptions = {},
): Promise<void> {
  const urls = options.urls ?? 1_000_000;
  const hosts = options.hosts ?? 1_000;
  const folder = mkdtempSync(join(tmpdir(), 'freshet-bench-'));
  const file = join(folder, DATABASE_FILE);
  const db = openDatabase(folder, { cacheBytes: Math.max(64 * MIB, urls * CACHE_BYTES_PER_URL) });
  const checkpoints = startCheckpoints(file, systemClock, (error) => {
    throw error;
  });
  // No rest and no waiting: what is measured is the work.
  const policy = { delayMs: 0, waitMs: 0, perHost: 100 };
  const frontier = new SqliteFrontier(db, { clock: systemClock, policy });
  const web = new Web(hosts);
  try {
    await load(frontier, web, urls, report);
    db.pragma('wal_checkpoint(TRUNCATE)');
    report('bytes a URL on disk', (statSync(file).size / urls).toFixed(0));
    await meetAgain(frontier, web, Math.min(urls, 200_000), report);
    await visit(db, frontier, web, options.visits ?? 20_000, report);
    report('peak memory', `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
  } finally {
    await checkpoints.stop();
    db.close();
    rmSync(folder, { recursive: true });
  }
}

async function load(
  frontier: SqliteFrontier,
  web: Web,
  urls: number,
  report: (name: string, value: string) => void,
): Promise<void> {
  const times: number[] = [];
  const measured = stopwatch();
  let lastTenth = measured;
  for (let first = 0; first < urls; first += BATCH) {
    if (first === Math.floor(urls * 0.9)) lastTenth = stopwatch();
    const batch = web.links(first, Math.min(BATCH, urls - first));
    const at = performance.now();
    await frontier.add(batch);
    times.push(performance.now() - at);
    // Lets timers and messages of the checkpoint thread through, as a crawl does all the time.
    if (times.length % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  report('new URLs a second, making them up included', measured(urls));
  report('the last tenth of them', lastTenth(urls / 10));
  report(`a batch of ${BATCH}: p50, p99`, quantiles(times));
}

async function meetAgain(
  frontier: SqliteFrontier,
  web: Web,
  urls: number,
  report: (name: string, value: string) => void,
): Promise<void> {
  const cold = stopwatch();
  for (let first = 0; first < urls; first += BATCH) await frontier.add(web.links(first, BATCH));
  report('known URLs a second, not met lately', cold(urls));
  const batch = web.links(0, BATCH);
  const warm = stopwatch();
  for (let round = 0; round < 200; round++) await frontier.add(batch);
  report('known URLs a second, met lately', warm(200 * BATCH));
}

async function visit(
  db: Database,
  frontier: SqliteFrontier,
  web: Web,
  visits: number,
  report: (name: string, value: string) => void,
): Promise<void> {
  const leases: number[] = [];
  const commits: number[] = [];
  const commit = db.transaction((outcomes: VisitOutcome[]) => frontier.finish(outcomes));
  let next = frontier.stats().known;
  const measured = stopwatch();
  for (let done = 0; done < visits; done += GROUP) {
    const at = performance.now();
    const loans = frontier.lease(GROUP);
    leases.push(performance.now() - at);
    const outcomes = loans.map((loan) => {
      next += NEW_LINKS;
      const known = web.links(0, LINKS - NEW_LINKS, loan.record.host);
      return outcomeOf(loan, [...known, ...web.links(next, NEW_LINKS, loan.record.host)]);
    });
    const before = performance.now();
    commit.immediate(outcomes);
    commits.push(performance.now() - before);
    await new Promise((resolve) => setImmediate(resolve));
  }
  report(`lease of ${GROUP}: p50, p99`, quantiles(leases));
  report(`commit of ${GROUP} visits, ${LINKS} links each: p50, p99`, quantiles(commits));
  report('visits a second, all of the frontier', measured(visits));
  const single: number[] = [];
  for (let done = 0; done < 2_000; done++) {
    const at = performance.now();
    const [loan] = frontier.lease(1);
    single.push(performance.now() - at);
    if (loan !== undefined) commit.immediate([outcomeOf(loan, [])]);
  }
  report('lease of 1: p50, p99', quantiles(single));
}

/** URLs of many hosts, computed from their number. */
class Web {
  readonly #hosts: number;

  constructor(hosts: number) {
    this.#hosts = hosts;
  }

  links(first: number, count: number, host?: string): Link[] {
    return Array.from({ length: count }, (_, index) => {
      const number = first + index;
      const name = host ?? `www.site-${Math.floor(number / RUN) % this.#hosts}.example`;
      const section = number % 97;
      const url = `https://${name}/section-${section}/article-${number.toString(36)}-of-the-day.html`;
      return { url, depth: 1 + (number % 4), priority: 0, redirects: 0, referrerId: 1 };
    });
  }
}

function outcomeOf(request: CrawlRequest, links: Link[]): VisitOutcome {
  const now = systemClock.now();
  const { record } = request;
  return {
    request,
    outcome: 'UPDATED',
    reason: null,
    record: {
      ...record,
      state: 'indexed',
      status: 200,
      etag: '"5f3a-1b2c"',
      fetchedAt: now,
      visits: 1,
      intervalMs: 3_600_000,
    },
    nextVisitAt: now + 3_600_000,
    notBefore: null,
    links,
    refused: { 'scope.host': 3 },
    refusedSamples: [],
    replacesLinks: true,
    document: { action: 'keep' },
    capture: null,
    robots: null,
    hostEffect: {
      host: record.host,
      requestedAt: now,
      healthy: true,
      restUntil: null,
      crawlDelayMs: undefined,
    },
    bytes: 30_000,
    savedBytes: 0,
  };
}

/** Measures work by the clock on the wall and by the processor: on a busy machine only the latter can be compared. */
function stopwatch(): (count: number) => string {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  return (count) => {
    const perSecond = Math.round((count / (performance.now() - startedAt)) * 1_000).toLocaleString('en');
    const { user, system } = process.cpuUsage(cpu);
    return `${perSecond} (${((user + system) / count).toFixed(2)} µs of processor each)`;
  };
}

function quantiles(timesMs: readonly number[]): string {
  const sorted = [...timesMs].sort((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2);
  return `${at(0.5)} ms, ${at(0.99)} ms`;
}

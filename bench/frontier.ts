/**
 * What the frontier costs with a million URLs known: new URLs, known URLs, loans, whole visits, a restart, bytes on disk,
 * memory. `--urls 10000000 --known-hosts 100000 --cache 64` shows what grows and what does not.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/clock.ts';
import { SqliteFrontier } from '../src/frontier/sqlite.ts';
import { startCheckpoints } from '../src/store/checkpoint.ts';
import { DATABASE_FILE, type Database, openDatabase } from '../src/store/database.ts';
import type { CrawlRequest, Link, VisitOutcome } from '../src/types.ts';
import type { Report } from './report.ts';

const VISITS = 10_000;
/** A smoke run does this share of the work. */
const SHORT = 0.02;
/** Links handed over at once, about what 16 visits bring. */
const BATCH = 1_000;
/** URLs of one host that come one after the other: pages bring links of their own site. */
const RUN = 31;
/** Visits leased and committed together. */
const GROUP = 50;
/** Links of a page, and how many of them are new: a site's links are mostly navigation. */
const LINKS = 58;
const NEW_LINKS = 6;

export async function run(report: Report): Promise<void> {
  const { isShort, knownHosts, cacheBytes } = report.options;
  const share = isShort ? SHORT : 1;
  const urls = report.options.urls * share;
  const links = linksOver(knownHosts);
  const folder = mkdtempSync(join(tmpdir(), 'freshet-bench-'));
  const file = join(folder, DATABASE_FILE);
  const db = openDatabase(folder, { cacheBytes });
  const checkpoints = startCheckpoints(file, systemClock, (error) => {
    throw error;
  });
  // No rest and no waiting: what is measured is the work.
  const policy = { delayMs: 0, waitMs: 0, perHost: 100 };
  const open = (): SqliteFrontier => new SqliteFrontier(db, { clock: systemClock, policy });
  const frontier = open();
  try {
    await load(frontier, urls, links, report);
    db.pragma('wal_checkpoint(TRUNCATE)');
    const bytes = statSync(file).size / urls;
    await meetAgain(frontier, urls / 5, links, report);
    await visit(db, frontier, VISITS * share, links, report);
    const opening = new Stopwatch();
    await opening.time(1, () => open().recover());
    report.row('start with all that', opening.figures());
    const counting = new Stopwatch();
    for (let round = 0; round < 10; round++) await counting.time(1, () => frontier.stats());
    report.row('stats', counting.figures());
    const peak = process.resourceUsage().maxRSS / 1024;
    const what = `${urls.toLocaleString('en')} URLs of ${knownHosts.toLocaleString('en')} hosts`;
    report.note(`${what}, ${bytes.toFixed(0)} bytes each on disk; peak memory ${peak.toFixed(0)} MB`);
  } finally {
    await checkpoints.stop();
    db.close();
    rmSync(folder, { recursive: true });
  }
}

async function load(frontier: SqliteFrontier, urls: number, links: MakeLinks, report: Report): Promise<void> {
  const adding = new Stopwatch();
  for (let first = 0; first < urls; first += BATCH) {
    const batch = links(first, BATCH);
    await adding.time(BATCH, () => frontier.add(batch));
  }
  report.row(`add, new, ${BATCH} at once`, adding.figures());
}

async function meetAgain(
  frontier: SqliteFrontier,
  urls: number,
  links: MakeLinks,
  report: Report,
): Promise<void> {
  const cold = new Stopwatch();
  for (let first = 0; first < urls; first += BATCH) {
    const batch = links(first, BATCH);
    await cold.time(BATCH, () => frontier.add(batch));
  }
  report.row('add, known', cold.figures());
  const batch = links(0, BATCH);
  await frontier.add(batch);
  const warm = new Stopwatch();
  for (let round = 0; round < 100; round++) await warm.time(BATCH, () => frontier.add(batch));
  report.row('add, known and met lately', warm.figures());
}

async function visit(
  db: Database,
  frontier: SqliteFrontier,
  visits: number,
  links: MakeLinks,
  report: Report,
): Promise<void> {
  const leasing = new Stopwatch();
  const finishing = new Stopwatch();
  const commit = db.transaction((outcomes: VisitOutcome[]) => frontier.finish(outcomes)).immediate;
  let next = frontier.stats().known;
  for (let done = 0; done < visits; done += GROUP) {
    const loans = await leasing.time(GROUP, () => frontier.lease(GROUP));
    const outcomes = loans.map((loan) => {
      next += NEW_LINKS;
      const { host } = loan.record;
      return outcomeOf(loan, [...links(0, LINKS - NEW_LINKS, host), ...links(next, NEW_LINKS, host)]);
    });
    await finishing.time(GROUP, () => commit(outcomes));
  }
  report.row(`lease, ${GROUP} at once`, leasing.figures());
  report.row(`finish, ${GROUP} at once, ${LINKS} links each`, finishing.figures());
  const single = new Stopwatch();
  for (let done = 0; done < visits / 10; done++) {
    const loans = await single.time(1, () => frontier.lease(1));
    commit(loans.map((loan) => outcomeOf(loan, [])));
  }
  report.row('lease, one by one', single.figures());
}

/** So many links from a number on; all of one host when it is given. */
type MakeLinks = (first: number, count: number, host?: string) => Link[];

/** Links computed from their numbers, spread over so many hosts. */
function linksOver(hosts: number): MakeLinks {
  return (first, count, host) =>
    Array.from({ length: count }, (_, index) => {
      const number = first + index;
      const name = host ?? `www.site-${Math.floor(number / RUN) % hosts}.example`;
      const url = `https://${name}/section-${number % 97}/article-${number.toString(36)}-of-the-day.html`;
      return { url, depth: 1 + (number % 4), priority: 0, redirects: 0, referrerId: 1 };
    });
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
    head: null,
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

/** Measures work by the clock on the wall and by the processor; on a busy machine only the latter can be compared. */
class Stopwatch {
  readonly #timesMs: number[] = [];
  #count = 0;
  #cpuUs = 0;

  async time<Result>(count: number, work: () => Result | Promise<Result>): Promise<Result> {
    const cpu = process.cpuUsage();
    const at = performance.now();
    const result = await work();
    this.#timesMs.push(performance.now() - at);
    const { user, system } = process.cpuUsage(cpu);
    this.#cpuUs += user + system;
    this.#count += count;
    // Lets timers and messages of the checkpoint thread through, as a crawl does all the time.
    await new Promise((resolve) => setImmediate(resolve));
    return result;
  }

  figures(): Record<string, number> {
    const sorted = this.#timesMs.toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
    const sumMs = sorted.reduce((sum, time) => sum + time, 0);
    return {
      'a second': (this.#count / sumMs) * 1_000,
      'CPU µs each': this.#cpuUs / this.#count,
      'p50 ms': at(0.5),
      'p99 ms': at(0.99),
      'max ms': sorted.at(-1) ?? 0,
    };
  }
}

/**
 * Whole crawls under a virtual clock: a real node on a real folder, a simulated web. A crawler can be killed at any
 * instant, also in the middle of a transaction, and started again on what its death left on the disk. The clock it sees
 * may be wrong.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SiteInput } from '../../src/config/input.ts';
import { checkConfig } from '../../src/config/schema.ts';
import type { Config, ConfigInput } from '../../src/config.ts';
import type { CrawlEnd, CrawlOptions } from '../../src/crawl/crawler.ts';
import type { Log } from '../../src/log.ts';
import { type FreshetNode, openNode, type RefusedUrl } from '../../src/node.ts';
import { parseQuery } from '../../src/search/query.ts';
import type { SearchHit } from '../../src/search/search-index.ts';
import { DATABASE_FILE, type Database, openDatabase } from '../../src/store/database.ts';
import type { UrlRow } from '../../src/store/reports.ts';
import type { VisitOutcome } from '../../src/types.ts';
import { seededRandom } from '../support/random.ts';
import { type VirtualClock, virtualClock } from '../support/virtual-clock.ts';
import { type Fate, Life, type Point } from './life.ts';
import { type SimExchange, type SimRequest, SimWeb } from './sim-web.ts';
import { type Sites, serverOf } from './sites.ts';
import { contradictionsIn, StepCheck } from './store-check.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export interface SimOptions {
  readonly sites: Sites;
  /** Start URLs; the front page of the first site when absent. */
  readonly seeds?: readonly string[];
  /** As in the configuration of a site; `none` when absent, so that a crawl asks for what its test is about. */
  readonly sitemaps?: SiteInput['sitemaps'];
  /** Rules of the one site. */
  readonly rules?: Pick<SiteInput, 'include' | 'exclude'>;
  /** Beside the seeds. Delays have no jitter unless it says so. */
  readonly config?: Omit<ConfigInput, 'sites' | 'storage'>;
  readonly latencyMs?: (request: SimRequest) => number;
  readonly connectMs?: (url: string) => number;
  /** Of all randomness. */
  readonly seed?: number;
}

/** An outcome, and when it was committed: in true time, and by the clock of the crawler. */
export interface Committed {
  readonly at: number;
  readonly clockAt: number;
  readonly outcome: VisitOutcome;
}

/** An outcome may wait this long for its group to be committed; a death before loses it. */
const COMMIT_MS = 255;
/** A crawl with nothing to do looks again after this long (crawl/crawler.ts). */
const LOOK_MS = SECOND_MS;
/** In memory where the system has such a folder: what is tested is the order of writes, not the disk, which takes most of the time. */
const SCRATCH = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export class Sim {
  readonly clock: VirtualClock = virtualClock();
  readonly web: SimWeb;
  readonly outcomes: Committed[] = [];
  readonly problems: string[] = [];
  /** Instants since which everything known was due (`--now`). */
  readonly forcedAt: number[] = [];
  /** What this run has met, by kind, and how often. */
  readonly met: Map<string, number> = new Map();
  deaths = 0;
  /** How far the crawler's clock is ahead of true time. */
  skewMs = 0;
  config: Config;
  refusedSeeds: readonly RefusedUrl[] = [];
  readonly #root: string;
  readonly #random: () => number;
  #life: Life;
  #node: FreshetNode;
  #check: StepCheck;
  /** Until this instant a crawl that waits is not woken every second to look. */
  #drowsyUntil = 0;

  constructor(options: SimOptions) {
    this.#root = mkdtempSync(join(SCRATCH, 'freshet-sim-'));
    this.web = new SimWeb({
      clock: this.clock,
      serve: serverOf(options.sites),
      skewMs: () => this.skewMs,
      ...(options.latencyMs === undefined ? {} : { latencyMs: options.latencyMs }),
      ...(options.connectMs === undefined ? {} : { connectMs: options.connectMs }),
    });
    this.config = configOf(options, this.#folder);
    this.#random = seededRandom(options.seed ?? 1);
    this.#life = this.#newLife();
    this.#node = this.#open();
    this.#check = new StepCheck(this.folder);
  }

  get node(): FreshetNode {
    return this.#node;
  }

  get folder(): string {
    return this.config.storage.dir;
  }

  /** Crawls until nothing is due soon, as `freshet crawl` does. */
  async crawl(options: Partial<CrawlOptions> = {}): Promise<CrawlEnd> {
    return this.clock.until(this.#run(options));
  }

  /** Crawls whatever falls due within `ms`; the clock is moved on by so much at least. Does not wait where it can jump. */
  async crawlFor(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    const readyAt = async (): Promise<number> =>
      ((await this.#node.frontier.nextReadyAt()) ?? Number.POSITIVE_INFINITY) - this.skewMs;
    for (;;) {
      const stop = new AbortController();
      await this.clock.until(this.#run({ stop: stop.signal }), async () => {
        if (this.web.isIdle && (await readyAt()) > this.clock.now() + SECOND_MS) stop.abort();
      });
      const next = await readyAt();
      if (next > end) break;
      await this.clock.advance(Math.max(next - this.clock.now(), 1));
    }
    await this.clock.advance(Math.max(0, end - this.clock.now()));
  }

  /** Crawls every known page at once, whatever its schedule (`--now`). */
  async crawlAll(options: Partial<CrawlOptions> = {}): Promise<CrawlEnd> {
    this.forcedAt.push(this.clock.now());
    await this.clock.until(this.#node.makeAllDue());
    return this.crawl(options);
  }

  /** Starts a crawl that stays; it is told to stop by the function returned. */
  watch(options: Partial<CrawlOptions> = {}): () => Promise<CrawlEnd> {
    const stop = new AbortController();
    const end = this.#run({ isWatching: true, stop: stop.signal, ...options });
    return () => {
      stop.abort();
      return this.clock.until(end);
    };
  }

  /** Watches for `ms`. Where nothing is due it does not look every second, but when something is. */
  async watchFor(ms: number, options: Partial<CrawlOptions> = {}): Promise<void> {
    this.#drowsyUntil = this.clock.now() + ms;
    const leave = this.watch(options);
    await this.clock.advance(ms);
    this.#drowsyUntil = 0;
    if (this.#life.isAlive) await leave();
  }

  /** The process is going to die at this moment; call `kill` to start another. */
  doom(fate: Fate): void {
    this.#life.doom(fate);
  }

  /**
   * The process dies (SIGKILL), unless it is dead already, and another starts, with `config` changed as wanted, on what was on
   * the disk at that instant.
   */
  async kill(config: Partial<Config> = {}): Promise<void> {
    this.#life.end();
    this.config = { ...this.config, ...config, storage: { ...this.config.storage, dir: this.#folder } };
    await this.#endProcess();
    rmSync(join(this.#root, `life-${this.deaths - 1}`), { recursive: true });
    this.#life = this.#newLife();
    this.#startProcess();
    this.problems.push(
      ...contradictionsIn(this.folder).map((problem) => `after death ${this.deaths}: ${problem}`),
    );
  }

  /** Ends the process in order and starts another. */
  async restart(config: Partial<Config> = {}): Promise<void> {
    this.meet('restart');
    await this.#endProcess();
    this.problems.push(...contradictionsIn(this.folder).map((problem) => `before a restart: ${problem}`));
    this.config = { ...this.config, ...config };
    this.#startProcess();
  }

  /** Somebody sets the crawler's clock, or the machine slept. */
  jumpClock(ms: number): void {
    this.meet(ms < 0 ? 'clock set back' : 'clock set forward');
    this.skewMs += ms;
  }

  meet(kind: string, count = 1): void {
    this.met.set(kind, (this.met.get(kind) ?? 0) + count);
  }

  /** From now on the disk fails when a row of this table is written. */
  breakTable(table: string): void {
    this.#alter((db) => {
      for (const event of ['INSERT', 'UPDATE']) {
        db.exec(
          `CREATE TRIGGER broken_${event} BEFORE ${event} ON ${table} BEGIN SELECT RAISE(ABORT, 'simulated failure'); END`,
        );
      }
    });
  }

  mendTables(): void {
    this.#alter((db) =>
      db.exec('DROP TRIGGER IF EXISTS broken_INSERT; DROP TRIGGER IF EXISTS broken_UPDATE'),
    );
  }

  /** Known URLs with where they stand: `indexed`, `blocked robots.disallow`. */
  states(): Record<string, string> {
    return Object.fromEntries(
      [...this.#node.reports.urls()].map(({ url, state, reason }) => [
        url,
        reason === null ? state : `${state} ${reason}`,
      ]),
    );
  }

  row(url: string): UrlRow {
    const row = [...this.#node.reports.urls()].find((one) => one.url === url);
    if (row === undefined) throw new Error(`${url} is not known`);
    return row;
  }

  /** URLs in the index. */
  indexed(): string[] {
    return [...this.#node.reports.urls({ state: 'indexed' })].map(({ url }) => url).sort();
  }

  /** URLs that a search finds, those folded into others left out. */
  found(words: string): string[] {
    return this.hits(words).map((hit) => hit.url);
  }

  hits(words: string): readonly SearchHit[] {
    return this.#node.index.search(parseQuery(words), { limit: 100 }).hits;
  }

  /** Requests of a host, or all; `/robots.txt` is left out unless asked for. */
  requests(host?: string, hasRobots = false): SimExchange[] {
    return this.web.journal.filter(
      (one) => (host === undefined || one.host === host) && (hasRobots || one.path !== '/robots.txt'),
    );
  }

  /** Their paths. */
  paths(host?: string, hasRobots = false): string[] {
    return this.requests(host, hasRobots).map((one) => one.path);
  }

  /** Times between the starts of consecutive requests of a host, robots.txt included. */
  gaps(host: string): number[] {
    const starts = this.requests(host, true).map((one) => one.at);
    return starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
  }

  async close(): Promise<void> {
    await this.#endProcess();
    rmSync(this.#root, { recursive: true, force: true });
  }

  get #folder(): string {
    return join(this.#root, `life-${this.deaths}`);
  }

  /** Changes the store behind the node's back. */
  #alter(change: (db: Database) => unknown): void {
    const db = openDatabase(this.folder);
    change(db);
    db.close();
  }

  async #run(options: Partial<CrawlOptions>): Promise<CrawlEnd> {
    this.refusedSeeds = (await this.#node.seed()).refusedUrls;
    return this.#node.crawl(this.#options(options));
  }

  #newLife(): Life {
    return new Life({
      clock: this.clock,
      web: this.web,
      skewMs: () => this.skewMs,
      drawnOutMs: (ms) => this.#drawnOutMs(ms),
      onDeath: (point) => this.#bury(point),
    });
  }

  /** Keeps what is on the disk at this instant, in the midst of a transaction or not. */
  #bury(point: Point | null): void {
    const from = this.folder;
    this.web.hangUp(this.clock.now() - COMMIT_MS);
    this.deaths++;
    this.meet(`death: ${point ?? 'between two events'}`);
    mkdirSync(this.#folder);
    for (const name of [DATABASE_FILE, `${DATABASE_FILE}-wal`]) {
      if (existsSync(join(from, name))) copyFileSync(join(from, name), join(this.#folder, name));
    }
  }

  #drawnOutMs(ms: number): number {
    const now = this.clock.now();
    if (ms < LOOK_MS || now >= this.#drowsyUntil || !this.web.isIdle) return ms;
    const next = this.#node.frontier.nextReadyAt() as number | null;
    const untilNext = (next ?? Number.POSITIVE_INFINITY) - this.skewMs - now;
    return Math.max(ms, Math.min(untilNext, this.#drowsyUntil - now));
  }

  #open(): FreshetNode {
    const life = this.#life;
    const note = (message: string, fields = {}): void => {
      if (!life.isAlive) return;
      const { error } = fields as { error?: unknown };
      this.problems.push(`${message} ${error instanceof Error ? error.stack : ''}`);
    };
    const log: Log = { debug() {}, info() {}, warn() {}, error: note };
    const world = { clock: life.clock, random: this.#random, downloader: life.web };
    const node = openNode(this.config, true, { ...world, log, hasThreads: false });
    life.accompany(node, (outcomes) => {
      const at = this.clock.now();
      for (const outcome of outcomes) this.outcomes.push({ at, clockAt: at + this.skewMs, outcome });
    });
    return node;
  }

  #startProcess(): void {
    this.#node = this.#open();
    this.#check = new StepCheck(this.folder);
  }

  async #endProcess(): Promise<void> {
    this.#check.close();
    await this.#node.close();
  }

  /** A group of outcomes has been committed. */
  #look(life: Life): void {
    life.pass('committed');
    if (!life.isAlive) return;
    this.problems.push(...this.#check.contradictions(this.clock.now() + this.skewMs));
  }

  #options(options: Partial<CrawlOptions>): CrawlOptions {
    const life = this.#life;
    const { scope, politeness } = this.config;
    const { maxPages, maxBytes, maxTimeMs } = scope;
    const never = new AbortController().signal;
    return {
      concurrency: politeness.concurrency,
      budget: { maxPages, maxBytes, maxTimeMs },
      isWatching: false,
      stop: never,
      abort: never,
      onOutcome: () => this.#look(life),
      ...options,
    };
  }
}

function configOf({ sites, seeds, sitemaps = 'none', rules, config = {} }: SimOptions, dir: string): Config {
  const [first = ''] = Object.keys(sites);
  const start = seeds ?? [`${first.includes('://') ? first : `http://${first}`}/`];
  const input: ConfigInput = {
    ...config,
    sites: [{ start, sitemaps, ...rules }],
    politeness: { jitter: 0, ...config.politeness },
    storage: { dir },
  };
  const checked = checkConfig(input, () => 'test');
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
  return checked.config;
}

/**
 * The composition root: the one file that names concrete classes and joins them into a working Freshet on one data
 * folder. Everything else takes interfaces.
 */
import { join } from 'node:path';
import { SqliteArchive } from './archive/sqlite.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config, Site } from './config/shape.ts';
import { PRODUCT } from './config/user-agent.ts';
import { createCommitter } from './crawl/committer.ts';
import { type CrawlEnd, type CrawlOptions, crawl } from './crawl/crawler.ts';
import { type Explanation, explain } from './crawl/explain.ts';
import { type Admission, admit, admitList, admitSeed, admitter, type Gate } from './crawl/gate.ts';
import type { Removals } from './crawl/removals.ts';
import { SeenBodies } from './crawl/seen-bodies.ts';
import { gateOf, mergeSites } from './crawl/sites.ts';
import { createSubmissionDesk } from './crawl/submissions.ts';
import { QueryVariants } from './crawl/variants.ts';
import { visit } from './crawl/visit.ts';
import { safely } from './crawl/visit-safely.ts';
import { FreshnessReport } from './frontier/freshness-report.ts';
import type { AddOptions, AddResult, Frontier, FrontierStats } from './frontier/frontier.ts';
import { SqliteFrontier } from './frontier/sqlite.ts';
import type { Log } from './log.ts';
import { archivesOf } from './node-archive.ts';
import { frontierPolicy, visitPolicy } from './node-policies.ts';
import { removalsOf } from './node-removals.ts';
import { type WorldOptions, worldOf } from './node-world.ts';
import type { ReasonCode } from './reasons.ts';
import { originOf, RobotsCache } from './robots/cache.ts';
import { DEFAULT_ROBOTS_POLICY } from './robots/policy.ts';
import { SqliteSearchIndex } from './search/sqlite.ts';
import { startCheckpoints } from './store/checkpoint.ts';
import { DATABASE_FILE, type Database, openDatabase } from './store/database.ts';
import { diskError } from './store/disk-error.ts';
import { HeldRemovals } from './store/held.ts';
import { lockFolder } from './store/lock.ts';
import { Reports, type UrlRow } from './store/reports.ts';
import { Settings } from './store/settings.ts';
import { Submissions } from './store/submissions.ts';
import { transactionOf } from './store/unit-of-work.ts';
import type { Link, PageRecord, UrlKind } from './types.ts';
import { checkUrl, parseAllowList } from './url/address.ts';
import { normalizeUrl } from './url/normalize.ts';

export interface NodeOptions extends WorldOptions {
  readonly log: Log;
  /** Add the sites to those remembered in the folder (sites typed on a command line); else they stand for themselves. */
  readonly remembersSites?: boolean;
}

/** A start or added URL that was refused, and why. */
export interface RefusedUrl {
  readonly url: string;
  readonly reason: ReasonCode;
}

export interface AddReport extends AddResult {
  readonly refusedUrls: readonly RefusedUrl[];
}

/** A Freshet on one data folder. */
export interface FreshetNode {
  readonly config: Config;
  readonly sites: readonly Site[];
  readonly frontier: Frontier;
  readonly index: SqliteSearchIndex;
  readonly archive: SqliteArchive;
  readonly reports: Reports;
  /** Makes the start URLs of all sites known. */
  seed(options?: AddOptions): Promise<AddReport>;
  /** Adds URLs that are in scope. */
  add(urls: readonly string[], options?: AddOptions): Promise<AddReport>;
  /** Makes every known URL due now (`--now`). */
  makeAllDue(): Promise<void>;
  crawl(options: CrawlOptions): Promise<CrawlEnd>;
  explain(url: string): Promise<Explanation>;
  /** What is remembered of a URL. */
  find(url: string): PageRecord | null;
  /** Removals that wait for a person, and what is gone and can be brought back. */
  readonly removals: Removals;
  stats(): FrontierStats;
  /** Where the start URLs stand. */
  seedRows(): UrlRow[];
  close(): Promise<void>;
}

/** Known URLs that a new process learns the query variants of each path from; about 20 bytes each. */
const VARIANTS_REMEMBERED = 100_000;
/** URLs made due in one transaction. */
const BATCH = 1_000;
const SITES = 'crawl.sites';
const ALLOW_PRIVATE = 'crawl.allow-private';

/** Opens a data folder to write: `isCrawling` also takes the folder's lock and brings back loans of a dead crawl. */
export function openNode(config: Config, isCrawling: boolean, options: NodeOptions): FreshetNode {
  const { dir, cacheBytes, synchronous } = config.storage;
  const unlock = isCrawling ? lockFolder(dir, process.pid) : () => undefined;
  try {
    const db = openDatabase(dir, { synchronous: synchronous === 'full' ? 'FULL' : 'NORMAL', cacheBytes });
    const remembered = remember(db, config, options.remembersSites ?? false);
    const node = assemble(db, remembered, options, isCrawling);
    return {
      ...node,
      seed: (how) => explained(node.seed(how), dir),
      add: (urls, how) => explained(node.add(urls, how), dir),
      makeAllDue: () => explained(node.makeAllDue(), dir),
      crawl: (how) =>
        explained(
          withCheckpoints(() => node.crawl(how), dir, options),
          dir,
        ),
      async close() {
        await node.close();
        db.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw diskError(error, dir);
  }
}

/** A crawl, while a thread keeps its log of the database small. */
async function withCheckpoints<T>(crawl: () => Promise<T>, dir: string, options: NodeOptions): Promise<T> {
  const { clock = systemClock, log, hasThreads = true } = options;
  if (!hasThreads) return crawl();
  const tell = (error: Error): void => log.warn('checkpoint thread ended', { error });
  const checkpoints = startCheckpoints(join(dir, DATABASE_FILE), clock, tell);
  try {
    return await crawl();
  } finally {
    await checkpoints.stop();
  }
}

/** Work on the store, a failure of the disk told in words that help. */
async function explained<T>(work: Promise<T>, dir: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw diskError(error, dir);
  }
}

/** What reading commands need: works beside a crawl, changes nothing. */
export interface FreshetReader {
  readonly index: SqliteSearchIndex;
  readonly archive: SqliteArchive;
  readonly reports: Reports;
  readonly held: HeldRemovals;
  readonly submissions: Submissions;
  readonly freshness: FreshnessReport;
  close(): void;
}

/** Opens a data folder to read. Throws UserError when there is none. */
export function openReader(config: Config): FreshetReader {
  const db = openDatabase(config.storage.dir, { isReadOnly: true });
  return {
    index: new SqliteSearchIndex(db),
    archive: new SqliteArchive(db, { keep: config.content.snapshots.keep }),
    reports: new Reports(db),
    held: new HeldRemovals(db),
    submissions: new Submissions(db),
    freshness: new FreshnessReport(db, frontierPolicy(config, false)),
    close: () => db.close(),
  };
}

/** Where a serving process leaves pushed URLs for the crawler, which may be running or not. */
export interface FreshetInbox {
  readonly submissions: Submissions;
  close(): void;
}

/** A busy database is waited for this long: somebody else waits for the page we could serve meanwhile. */
const INBOX_WAIT_MS = 500;

/** Opens a data folder to leave something in it. */
export function openInbox(config: Config): FreshetInbox {
  const db = openDatabase(config.storage.dir, { cacheBytes: 1024 * 1024, busyTimeoutMs: INBOX_WAIT_MS });
  return { submissions: new Submissions(db), close: () => db.close() };
}

/**
 * A crawl started from the command line is remembered in its folder, so that `freshet crawl` alone goes on with it. Start URLs
 * that may not be connected to are not remembered: they are refused now, and not again with every run.
 */
function remember(db: Database, config: Config, remembersSites: boolean): Config {
  if (config.sites.length > 0 && !remembersSites) return config;
  const settings = new Settings(db);
  const known = JSON.parse(settings.get(ALLOW_PRIVATE) ?? '[]') as string[];
  const allowPrivate = [...new Set([...known, ...config.security.allowPrivate])];
  const allow = parseAllowList(allowPrivate);
  const safe = config.sites.flatMap((site) => {
    const start = site.start.filter((url) => checkUrl(url, allow).ok);
    return start.length === 0 ? [] : [{ ...site, start }];
  });
  const remembered = JSON.parse(settings.get(SITES) ?? '[]') as Site[];
  settings.set(SITES, JSON.stringify(mergeSites(remembered, safe)));
  settings.set(ALLOW_PRIVATE, JSON.stringify(allowPrivate));
  const sites = mergeSites(remembered, config.sites);
  return { ...config, sites, security: { ...config.security, allowPrivate } };
}

function assemble(db: Database, config: Config, options: NodeOptions, isCrawling: boolean): FreshetNode {
  const { log } = options;
  const world = worldOf(config, options, isCrawling);
  const { clock, random } = world;
  const gate = gateOf(config, config.sites);
  const frontier = new SqliteFrontier(db, { clock, random, policy: frontierPolicy(config, isCrawling) });
  if (isCrawling) frontier.recover();
  const robots = new RobotsCache(db, PRODUCT, {
    ...DEFAULT_ROBOTS_POLICY,
    freshMs: config.politeness.robotsCacheMs,
    // Longer than a run that does not watch is willing to wait, so an unreachable site does not hold it up.
    retryMs: 600_000,
  });
  const index = new SqliteSearchIndex(db);
  if (isCrawling && index.isStale()) index.rebuild();
  const archives = archivesOf(db, config, clock, isCrawling);
  const reports = new Reports(db);
  const policy = visitPolicy(config);
  const variants = new QueryVariants();
  if (isCrawling) for (const url of reports.recentUrlsWithQuery(VARIANTS_REMEMBERED)) variants.remember(url);
  const submissions = createSubmissionDesk(new Submissions(db), { frontier, gate, log });
  const memory = { seenBodies: new SeenBodies(), variants };
  const known = { frontier, robots, gate, admitLink: admitter(gate), policy, index, submissions };
  const parts = { ...world, ...known, ...memory };
  const removals = removalsOf(db, config, { index, frontier, reports, clock });
  const committer = createCommitter(
    { archive: archives.all, index, robots, submissions, frontier },
    transactionOf(db),
    removals.review,
  );

  return {
    config,
    sites: config.sites,
    frontier,
    index,
    archive: archives.archive,
    reports,
    seed: (how) => addSeeds(frontier, config, gate, clock, how),
    add: (urls, how) => addAll(frontier, urls, (url) => admit(gate, url, 0, clock.now()), how),
    makeAllDue: () => makeAllDue(frontier, reports),
    crawl: (how) =>
      crawl(
        {
          frontier,
          committer,
          visit: safely((request, signal) => visit(request, parts, signal), { ...parts, log }),
          collect: submissions.collect,
          clock,
        },
        how,
      ),
    explain: (url) =>
      explainUrl(url, {
        ...{ gate, frontier, robots, reports, clock },
        freshness: new FreshnessReport(db, frontierPolicy(config, isCrawling)),
      }),
    find: (rawUrl) => {
      const url = normalizeUrl(rawUrl, gate.normalize);
      return url === null ? null : frontier.find(url);
    },
    removals,
    stats: () => frontier.stats(),
    seedRows: () => seedKeys(config, gate).flatMap((url) => reports.url(frontier.find(url)?.id ?? -1) ?? []),
    async close() {
      await world.close();
      archives.close();
    },
  };
}

function startUrls(config: Config): string[] {
  return [...new Set(config.sites.flatMap((site) => site.start))];
}

/** Sitemaps that the configuration names. */
function sitemapUrls(config: Config): string[] {
  const named = config.sites.flatMap(({ sitemaps }) => (typeof sitemaps === 'string' ? [] : sitemaps));
  return [...new Set(named)];
}

async function addSeeds(
  frontier: Frontier,
  config: Config,
  gate: Gate,
  clock: Clock,
  options?: AddOptions,
): Promise<AddReport> {
  const checkSeed = (url: string): Admission => admitSeed(gate, url, clock.now());
  const pages = await addAll(frontier, startUrls(config), checkSeed, options);
  const checkList = (url: string): Admission => admitList(gate, url);
  const lists = await addAll(frontier, sitemapUrls(config), checkList, options, 'sitemap');
  return {
    added: pages.added + lists.added,
    known: pages.known + lists.known,
    refused: pages.refused + lists.refused,
    refusedUrls: [...pages.refusedUrls, ...lists.refusedUrls],
  };
}

function seedKeys(config: Config, gate: Gate): string[] {
  return startUrls(config).flatMap((url) => normalizeUrl(url, gate.normalize) ?? []);
}

/** In batches, so that a million URLs need no memory. */
async function makeAllDue(frontier: Frontier, reports: Reports): Promise<void> {
  for (let after = 0; ; ) {
    const rows = reports.urlsAfter(after, BATCH);
    if (rows.length === 0) return;
    const links = rows.map(({ url, depth }) => ({ url, depth, priority: 0, redirects: 0, referrerId: null }));
    await frontier.add(links, { force: true });
    after = rows.at(-1)?.id ?? after;
  }
}

async function addAll(
  frontier: Frontier,
  urls: readonly string[],
  check: (url: string) => Admission,
  options?: AddOptions,
  kind: UrlKind = 'page',
): Promise<AddReport> {
  const links: Link[] = [];
  const refusedUrls: RefusedUrl[] = [];
  for (const raw of urls) {
    const admission = check(raw);
    if (!admission.isAdmitted) refusedUrls.push({ url: admission.url, reason: admission.reason });
    else links.push({ url: admission.url, kind, depth: 0, priority: 0, redirects: 0, referrerId: null });
  }
  return { ...(await frontier.add(links, options)), refusedUrls };
}

async function explainUrl(
  rawUrl: string,
  from: {
    readonly gate: Gate;
    readonly frontier: Frontier;
    readonly robots: RobotsCache;
    readonly reports: Reports;
    readonly freshness: FreshnessReport;
    readonly clock: Clock;
  },
): Promise<Explanation> {
  const url = normalizeUrl(rawUrl, from.gate.normalize);
  const record = url === null ? null : await from.frontier.find(url);
  const nowMs = from.clock.now();
  const dueAt = record === null ? undefined : from.reports.dueAt(record.id);
  const refusals = from.reports.refusals();
  return explain({
    rawUrl,
    gate: from.gate,
    nowMs,
    record,
    dueAt,
    plan: record === null ? null : from.freshness.plan(record, dueAt ?? null, nowMs),
    standIn: record === null ? null : from.reports.standsFor(record.id),
    hasDeepLinks: refusals.some(({ reason }) => reason === 'scope.depth'),
    foundOn: record === null ? null : from.reports.foundOn(record.id),
    crowdedPages: refusals.find(({ reason }) => reason === 'limit.links')?.samples ?? [],
    isIndexed: record !== null && record.kind === 'page' && record.contentHash !== null,
    robots: url === null ? null : from.robots.verdict(url, from.clock.now()),
    robotsRecord: url === null ? null : from.robots.get(originOf(url)),
    host: record === null ? null : await from.frontier.host(record.host),
  });
}

/** `freshet crawl [URL…]`: crawls what is due within bounds, then stops; `--watch` stays. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { formatSize } from '../config/units.ts';
import type { Config, Override } from '../config.ts';
import type { CrawlEnd } from '../crawl/crawler.ts';
import { type ExitName, exitCodes, UserError } from '../errors.ts';
import { type AddReport, type FreshetNode, openNode } from '../node.ts';
import { jsonText, printable } from '../printable.ts';
import { reasons } from '../reasons.ts';
import { DATABASE_FILE } from '../store/database.ts';
import {
  type CommonFlags,
  type Context,
  openContext,
  repeated,
  type Terminal,
  withCommonFlags,
} from './context.ts';
import {
  counted,
  heldLines,
  n,
  noCounts,
  pages,
  type RunCounts,
  refusedSince,
  summaryLines,
} from './crawl-summary.ts';
import { type Progress, startProgress } from './output/progress.ts';
import { isRedrawable } from './output/style.ts';
import { typedUrl } from './typed-url.ts';

interface CrawlFlags extends CommonFlags {
  readonly watch?: boolean;
  readonly now?: boolean;
  readonly maxPages?: string;
  readonly maxTime?: string;
  readonly depth?: string;
  readonly delay?: string;
  readonly concurrency?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly allowPrivate?: readonly string[];
}

export function crawlCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('crawl [url...]'))
    .summary('crawl due pages, then stop')
    .description('Crawls the given sites, or goes on with those of the data folder or the config file.')
    .option('--watch', 'stay, and crawl pages as they fall due')
    .option('--now', 'visit every known page now, whatever its schedule')
    .option('--max-pages <n>', 'stop after so many pages')
    .option('--max-time <duration>', 'stop after 10m, 2h, …')
    .option('--depth <n>', 'follow links so far from the start URLs (default 5)')
    .option('--delay <duration>', 'rest between requests to one host (default 1s)')
    .option('--concurrency <n>', 'requests at once, all hosts together (default 16)')
    .option('--include <glob>', 'crawl only paths like this; may be repeated', repeated)
    .option('--exclude <glob>', 'leave out paths like this; may be repeated', repeated)
    .option(
      '--allow-private <cidr|host>',
      'crawl it although its address is not public; may be repeated',
      repeated,
    )
    .action(async (urls: string[], flags: CrawlFlags) => {
      process.exitCode = exitCodes[await runCrawl(terminal, urls.map(typedUrl), flags)];
    });
}

async function runCrawl(terminal: Terminal, urls: readonly string[], flags: CrawlFlags): Promise<ExitName> {
  const context = await openContext(terminal, flags, overridesOf(urls, flags));
  if (context.config.sites.length === 0 && !hasData(context.config)) throw nothingToCrawl();
  const node = openNode(context.config, true, { log: context.log, remembersSites: urls.length > 0 });
  try {
    if (node.sites.length === 0) throw nothingToCrawl();
    const seeded = await node.seed();
    tellRefusedSeeds(context, seeded);
    if (seeded.added + seeded.known === 0) {
      throw new UserError(
        'seedsFailed',
        'none of the start URLs can be crawled',
        'see above for the reason of each',
      );
    }
    if (flags.now === true) await node.makeAllDue();
    if (!context.isJson) tellStart(context, node);
    const { end, counts, wasTerminated } = await crawlWithProgress(context, node, flags.watch === true);
    const exit = await report(context, node, seeded, end, counts);
    // A service manager asks with SIGTERM, and a clean end is what it wants to hear of.
    return exit === 'interrupted' && wasTerminated ? 'ok' : exit;
  } finally {
    await node.close();
  }
}

/** Asked before the folder is opened, which would make one. */
function hasData({ storage }: Config): boolean {
  return existsSync(join(storage.dir, DATABASE_FILE));
}

function nothingToCrawl(): UserError {
  return new UserError('usage', 'nothing to crawl yet', 'give a URL: freshet crawl https://docs.example.org');
}

function overridesOf(urls: readonly string[], flags: CrawlFlags): Override[] {
  const { include = [], exclude = [] } = flags;
  if (urls.length === 0 && include.length + exclude.length > 0) {
    throw new UserError(
      'usage',
      '--include and --exclude go with a URL',
      'freshet crawl URL --exclude "/print/**"',
    );
  }
  const overrides: (Override | null)[] = [
    urls.length === 0
      ? null
      : { path: 'sites', value: [{ start: urls, include, exclude }], origin: 'command line' },
    override('scope.max_pages', flags.maxPages, '--max-pages'),
    override('scope.max_time', flags.maxTime, '--max-time'),
    override('scope.depth', flags.depth, '--depth'),
    override('politeness.delay', flags.delay, '--delay'),
    override('politeness.concurrency', flags.concurrency, '--concurrency'),
    override('security.allow_private', flags.allowPrivate, '--allow-private'),
  ];
  return overrides.filter((one) => one !== null);
}

function override(path: string, value: unknown, origin: string): Override | null {
  return value === undefined ? null : { path, value, origin };
}

function tellRefusedSeeds(context: Context, seeded: AddReport): void {
  for (const { url, reason } of seeded.refusedUrls) {
    const open =
      reason === 'safety.private' ? ` Open it on purpose: --allow-private ${new URL(url).host}` : '';
    context.tell(
      `${context.style.yellow('refused')} ${printable(url)}  ${reason}: ${reasons[reason]}${printable(open)}`,
    );
  }
}

function tellStart(context: Context, node: FreshetNode): void {
  const { config } = context;
  const hosts = node.sites.map((site) => site.start.join(' ')).join('  ');
  context.tell(`Crawling ${printable(hosts)}`);
  context.tell(
    `  config: ${context.configFile ?? 'none (defaults)'}   data: ${config.storage.dir}   depth ≤ ${config.scope.maxDepth} · max ${n(config.scope.maxPages)} pages`,
  );
}

async function crawlWithProgress(
  context: Context,
  node: FreshetNode,
  isWatching: boolean,
): Promise<{ end: CrawlEnd; counts: RunCounts; wasTerminated: boolean }> {
  const { config, terminal } = context;
  let wasTerminated = false;
  const stop = new AbortController();
  const abort = new AbortController();
  let counts = noCounts;
  const refusedBefore = node.reports.refusals();
  const progress = context.isQuiet ? null : showProgress(context, node, () => counts);
  const ignore = terminal.onInterrupt((signal) => {
    wasTerminated = signal === 'SIGTERM';
    if (stop.signal.aborted) abort.abort();
    else
      progress?.print(
        'Stopping: finishing what is in flight. Ctrl-C again leaves at once; nothing is lost either way.',
      );
    stop.abort();
  });
  try {
    const end = await node.crawl({
      concurrency: config.politeness.concurrency,
      budget: {
        maxPages: config.scope.maxPages,
        maxBytes: config.scope.maxBytes,
        maxTimeMs: config.scope.maxTimeMs,
      },
      isWatching,
      stop: stop.signal,
      abort: abort.signal,
      onOutcome: (outcome) => {
        counts = counted(counts, outcome);
      },
    });
    // The frontier refuses links too, for the quotas of their hosts, so the store knows best.
    return {
      end,
      counts: { ...counts, refused: refusedSince(refusedBefore, node.reports.refusals()) },
      wasTerminated,
    };
  } finally {
    progress?.stop();
    ignore();
  }
}

function showProgress(context: Context, node: FreshetNode, counts: () => RunCounts): Progress {
  const startedAt = systemClock.now();
  const line = (): string => {
    const { requests, bytes, outcomes } = counts();
    const { known, waiting, queue } = node.stats();
    const rate = requests / Math.max(1, (systemClock.now() - startedAt) / 1000);
    const spilled =
      queue.spilled > queue.refilled ? ` · ${n(queue.spilled - queue.refilled)} spilled to disk` : '';
    return `${n(requests)} requests · ${n(outcomes.UPDATED ?? 0)} pages · ${n(waiting)} waiting of ${n(known)} known${spilled} · ${rate.toFixed(1)}/s · ${formatSize(bytes)}`;
  };
  return startProgress({
    clock: systemClock,
    stream: context.terminal.stderr,
    isRedrawn: isRedrawable({ stream: context.terminal.stderr, env: context.terminal.env }),
    line,
    block: () => [
      `  ${line()}`,
      `  now: ${printable(counts().latest)}`,
      '  search already works → freshet search, freshet serve',
    ],
  });
}

async function report(
  context: Context,
  node: FreshetNode,
  seeded: AddReport,
  end: CrawlEnd,
  counts: RunCounts,
): Promise<ExitName> {
  const documents = node.reports.documents();
  const { queue } = node.stats();
  const nextDueAt = node.reports.nextDueAt();
  if (context.isJson) {
    const { why, limit, elapsedMs } = end;
    const states = node.reports.states();
    const { latest, ...totals } = counts;
    const held = node.removals.held();
    context.print(
      jsonText({
        v: 1,
        why,
        limit,
        elapsedMs,
        ...totals,
        documents,
        states,
        queue,
        nextDueAt,
        held,
        refusedSeeds: seeded.refusedUrls,
      }),
    );
  } else {
    for (const line of closingLines(
      end,
      counts,
      documents,
      nextDueAt,
      summaryLines(counts, end, queue, documents),
    ))
      context.tell(line);
    for (const line of heldLines(node.removals.held())) context.tell(context.style.yellow(printable(line)));
    for (const line of seedProblems(node)) context.tell(`${context.style.yellow('!')} ${line}`);
  }
  if (end.why === 'stopped') return 'interrupted';
  if (node.removals.held().length > 0) return 'held';
  return documents === 0 && counts.outcomes.NOT_MODIFIED === undefined ? 'seedsFailed' : 'ok';
}

function closingLines(
  end: CrawlEnd,
  counts: RunCounts,
  documents: number,
  nextDueAt: number | null,
  summary: readonly string[],
): string[] {
  const next = nextDueAt === null ? '' : ` The next page is due ${new Date(nextDueAt).toLocaleString('sv')}.`;
  if (end.why === 'idle' && Object.keys(counts.outcomes).length + counts.lists === 0) {
    return [
      `Nothing is due. ${pages(documents)} searchable.${next}`,
      '  freshet crawl --now      check everything now',
      '  freshet crawl --watch    stay, and crawl pages as they fall due',
    ];
  }
  const search = documents === 0 ? [] : ['Search it:  freshet search "your words"   ·   freshet serve'];
  const resume = end.why === 'idle' ? [] : ['Go on with:  freshet crawl'];
  return [
    '',
    ...summary,
    ...(next === '' ? [] : [` ${next}  Keep it fresh: freshet crawl --watch`]),
    ...resume,
    ...search,
  ];
}

/** A start URL that brought no page is never passed over in silence. */
function seedProblems(node: FreshetNode): string[] {
  const lines: string[] = [];
  for (const row of node.seedRows()) {
    if (row.state === 'indexed' || row.state === 'waiting') continue;
    if (row.state === 'redirected' && row.reason === null) continue;
    const why = row.reason === null ? row.state : `${row.reason}: ${reasons[row.reason]}`;
    const hint =
      row.reason === 'redirect.scope' && row.redirectTo !== null
        ? ` To crawl the target: freshet crawl ${row.redirectTo}`
        : '';
    lines.push(printable(`start URL ${row.url}: ${why}${hint}`));
  }
  return lines;
}

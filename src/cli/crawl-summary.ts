/** What a run did, counted as it goes, for the progress line, the closing summary and `--json`. */
import { formatDuration, formatSize } from '../config/units.ts';
import type { HeldHost } from '../crawl/brake.ts';
import type { CrawlEnd } from '../crawl/crawler.ts';
import type { QueueStats } from '../frontier/frontier.ts';
import { type ReasonCounts, reasons } from '../reasons.ts';
import type { Refusal } from '../store/reports.ts';
import type { Outcome, VisitOutcome } from '../types.ts';

/** Running totals of one run. */
export interface RunCounts {
  readonly outcomes: Partial<Record<Outcome, number>>;
  readonly newPages: number;
  /** Sitemaps and feeds read, or found unchanged; they are no pages and not among the outcomes. */
  readonly lists: number;
  /** Errors that will be tried again. */
  readonly failed: ReasonCounts;
  /** Visited, or turned away by robots.txt, and kept out of the index. */
  readonly notIndexed: ReasonCounts;
  /** Links found and not taken; known at the end (`refusedSince`). */
  readonly refused: ReasonCounts;
  readonly requests: number;
  readonly bytes: number;
  /** Bytes that answers without a body (304) saved. */
  readonly savedBytes: number;
  /** URL of the latest outcome, for the progress line. */
  readonly latest: string;
}

export const noCounts: RunCounts = {
  outcomes: {},
  newPages: 0,
  lists: 0,
  failed: {},
  notIndexed: {},
  refused: {},
  requests: 0,
  bytes: 0,
  savedBytes: 0,
  latest: '',
};

/** Adds one outcome. */
export function counted(counts: RunCounts, outcome: VisitOutcome): RunCounts {
  const { outcome: kind, reason, record, request } = outcome;
  const isPage = record.kind === 'page';
  const isList = record.kind === 'sitemap' || record.kind === 'feed';
  const isRead = kind === 'UPDATED' || kind === 'NOT_MODIFIED';
  const isNewPage = isPage && kind === 'UPDATED' && request.record.contentHash === null;
  const isKeptOut = isPage && (kind === 'BLOCKED' || kind === 'NOT_FOUND' || kind === 'GONE');
  const why: ReasonCounts = reason === null ? {} : { [reason]: 1 };
  return {
    outcomes: isPage ? { ...counts.outcomes, [kind]: (counts.outcomes[kind] ?? 0) + 1 } : counts.outcomes,
    newPages: counts.newPages + (isNewPage ? 1 : 0),
    lists: counts.lists + (isList && isRead ? 1 : 0),
    failed: kind === 'ERROR' ? merged(counts.failed, why) : counts.failed,
    notIndexed: isKeptOut ? merged(counts.notIndexed, why) : counts.notIndexed,
    refused: counts.refused,
    requests: counts.requests + (outcome.hostEffect.requestedAt === null ? 0 : 1),
    bytes: counts.bytes + outcome.bytes,
    savedBytes: counts.savedBytes + outcome.savedBytes,
    latest: record.url,
  };
}

/** What was refused between two looks at the totals of the store. */
export function refusedSince(before: readonly Refusal[], after: readonly Refusal[]): ReasonCounts {
  const known = new Map(before.map(({ reason, count }) => [reason, count]));
  const grown = after.map(({ reason, count }) => [reason, count - (known.get(reason) ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, count]) => count > 0));
}

function merged(counts: ReasonCounts, more: ReasonCounts): ReasonCounts {
  const keys = Object.keys(more) as (keyof ReasonCounts)[];
  if (keys.length === 0) return counts;
  const sum = { ...counts };
  for (const key of keys) sum[key] = (sum[key] ?? 0) + (more[key] ?? 0);
  return sum;
}

/** The closing lines for people, each under 80 columns where the numbers allow. */
export function summaryLines(
  counts: RunCounts,
  end: CrawlEnd,
  queue: QueueStats,
  documents: number,
): string[] {
  const { outcomes } = counts;
  const of = (kind: Outcome): number => outcomes[kind] ?? 0;
  const changed = of('UPDATED') - counts.newPages;
  const why = {
    idle: 'Finished: nothing more is due',
    stopped: 'Stopped; everything is saved',
    limit: `Stopped by a limit: ${end.limit === null ? '' : reasons[end.limit]}`,
  }[end.why];
  return [
    `${why}  (${formatDuration(end.elapsedMs)})`,
    `  Pages       ${n(counts.newPages)} new · ${n(changed)} changed · ${n(of('NOT_MODIFIED'))} unchanged · ${n(of('REDIRECTED'))} redirected`,
    ...(counts.lists > 0
      ? [
          `  Lists       ${n(counts.lists)} ${counts.lists === 1 ? 'sitemap or feed' : 'sitemaps and feeds'} read`,
        ]
      : []),
    `  Fetched     ${n(counts.requests)} requests · ${formatSize(counts.bytes)}${saved(counts)}`,
    ...countLine('  Not indexed ', counts.notIndexed),
    ...countLine('  Failed      ', counts.failed),
    ...countLine('  Skipped     ', counts.refused),
    ...(queue.waited > 0
      ? [
          `  Queue       ${n(queue.waited)} URLs waited for room · ${n(queue.spilled)} spilled to disk · ${n(queue.refilled)} came back`,
        ]
      : []),
    `  Searchable  ${pages(documents)}`,
  ];
}

function saved({ savedBytes }: RunCounts): string {
  return savedBytes === 0 ? '' : ` · ${formatSize(savedBytes)} saved by 304`;
}

function countLine(label: string, counts: ReasonCounts): string[] {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return entries.length === 0
    ? []
    : [label + entries.map(([reason, count]) => `${reason} ${n(count)}`).join(' · ')];
}

/** A line for each host whose removals wait for a person. */
export function heldLines(hosts: readonly HeldHost[]): string[] {
  return hosts.map(
    ({ host, held, documents }) =>
      `HELD  ${host}: removing ${n(held)} of ${pages(documents)} waits for your word → freshet held`,
  );
}

/** `1 page`, `1,204 pages` */
export function pages(count: number): string {
  return `${n(count)} ${count === 1 ? 'page' : 'pages'}`;
}

/** 1,204 */
export function n(count: number): string {
  return count.toLocaleString('en-US');
}

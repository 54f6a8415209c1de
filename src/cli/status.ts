/** `freshet status`: what the data folder holds and what comes next. */
import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { formatDuration } from '../config/units.ts';
import { type FreshetReader, openReader } from '../node.ts';
import { jsonText, printable } from '../printable.ts';
import { type CommonFlags, openContext, type Terminal, withCommonFlags } from './context.ts';
import { heldLines, n, pages } from './crawl-summary.ts';
import { freshnessLines } from './freshness-lines.ts';
import { formatTable } from './output/table.ts';

const MOST_HOSTS = 20;

export function statusCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('status'))
    .summary('what is known and what is due')
    .action(async (flags: CommonFlags) => {
      const context = await openContext(terminal, flags);
      const reader = openReader(context.config);
      try {
        const status = statusOf(reader, systemClock.now());
        context.print(
          context.isJson ? jsonText({ v: 1, ...status }) : statusLines(status, systemClock.now()).join('\n'),
        );
      } finally {
        reader.close();
      }
    });
}

interface Status {
  readonly documents: number;
  readonly due: number;
  readonly held: ReturnType<FreshetReader['held']['hosts']>;
  readonly nextDueAt: number | null;
  /** IndexNow submissions that wait for a crawl. */
  readonly submissions: number;
  readonly freshness: ReturnType<FreshetReader['freshness']['read']>;
  readonly states: ReturnType<FreshetReader['reports']['states']>;
  readonly refusals: ReturnType<FreshetReader['reports']['refusals']>;
  readonly hosts: ReturnType<FreshetReader['reports']['hosts']>;
  readonly robots: ReturnType<FreshetReader['reports']['robots']>;
}

function statusOf({ reports, held, submissions, freshness }: FreshetReader, nowMs: number): Status {
  return {
    documents: reports.documents(),
    due: reports.dueBefore(nowMs),
    nextDueAt: reports.nextDueAt(),
    held: held.hosts(),
    submissions: submissions.count(),
    freshness: freshness.read(nowMs),
    states: reports.states(),
    refusals: reports.refusals(),
    hosts: reports.hosts(MOST_HOSTS),
    robots: reports.robots(),
  };
}

function statusLines(status: Status, nowMs: number): string[] {
  const next = status.nextDueAt === null ? 'none' : new Date(status.nextDueAt).toLocaleString('sv');
  const robotsOf = new Map(status.robots.map((row) => [new URL(row.origin).host, row]));
  const hosts = status.hosts.map((row) => {
    const robots = robotsOf.get(row.host);
    const wait =
      row.readyAt === null ? '—' : row.readyAt <= nowMs ? 'now' : `in ${formatDuration(row.readyAt - nowMs)}`;
    const said =
      robots === undefined
        ? 'not asked'
        : `${robots.state}${robots.status === null ? '' : ` ${robots.status}`}`;
    return [
      row.host,
      n(row.known),
      said,
      row.crawlDelayMs === null ? '' : formatDuration(row.crawlDelayMs),
      n(row.failures),
      wait,
    ];
  });
  if (status.hosts.length === 0) return ['Nothing is known yet. Begin with: freshet crawl URL'];
  return [
    `${pages(status.documents)} searchable · ${n(status.due)} due for refresh · next due ${next}`,
    ...heldLines(status.held),
    ...freshnessLines(status.freshness, status.due),
    ...(status.submissions > 0
      ? [`Waiting for a crawl: what sites have pushed (${n(status.submissions)})`]
      : []),
    '',
    ...formatTable(
      [{ title: 'STATE' }, { title: 'REASON' }, { title: 'URLS', align: 'right' }],
      status.states.map((row) => [row.state, row.reason ?? '', n(row.count)]),
    ),
    '',
    ...formatTable(
      [
        { title: 'HOST' },
        { title: 'URLS', align: 'right' },
        { title: 'ROBOTS' },
        { title: 'DELAY' },
        { title: 'FAILURES', align: 'right' },
        { title: 'NEXT' },
      ],
      hosts,
    ),
    ...(status.refusals.length === 0
      ? []
      : [
          '',
          `Links not taken: ${status.refusals.map((row) => `${row.reason} ${n(row.count)}`).join(' · ')}`,
        ]),
  ].map((line) => printable(line).trimEnd());
}

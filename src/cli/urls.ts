/** `freshet urls`: every known URL with where it stands and why. */
import type { Command } from 'commander';
import { UserError } from '../errors.ts';
import { openReader } from '../node.ts';
import { jsonText, printable } from '../printable.ts';
import { reasons } from '../reasons.ts';
import type { Refusal, UrlRow } from '../store/reports.ts';
import type { PageState } from '../types.ts';
import { type CommonFlags, openContext, type Terminal, withCommonFlags } from './context.ts';
import { n } from './crawl-summary.ts';
import { wholeNumber } from './whole-number.ts';

interface UrlsFlags extends CommonFlags {
  readonly state?: string;
  readonly reason?: string;
  readonly host?: string;
  readonly limit?: string;
  readonly skipped?: boolean;
}

/** Of at most 20 that are kept; all are in `--json`. */
const SAMPLES_SHOWN = 5;

const states: readonly PageState[] = [
  'waiting',
  'indexed',
  'listed',
  'redirected',
  'blocked',
  'missing',
  'gone',
  'failed',
];

export function urlsCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('urls'))
    .summary('list known URLs by state or reason')
    .option('--state <state>', states.join(' | '))
    .option('--reason <code>', 'a reason code, or a family of them: robots')
    .option('--host <host>', 'host name, with its port if it has one')
    .option('-n, --limit <n>', 'at most so many')
    .option('--skipped', 'links that were found and not taken, with samples')
    .action(async (flags: UrlsFlags) => {
      const context = await openContext(terminal, flags);
      const reader = openReader(context.config);
      try {
        if (flags.skipped === true) {
          const refusals = reader.reports.refusals().filter((row) => isOfReason(row.reason, flags.reason));
          if (context.isJson) context.print(jsonText(refusals));
          else for (const row of refusals) context.print(refusalLines(row));
          return;
        }
        const rows = reader.reports.urls(filterOf(flags));
        if (context.isJson) printArray(context.print, rows);
        else for (const row of rows) context.print(lineOf(row));
      } finally {
        reader.close();
      }
    });
}

function filterOf(flags: UrlsFlags): Parameters<ReturnType<typeof openReader>['reports']['urls']>[0] {
  const state = states.find((known) => known === flags.state);
  if (flags.state !== undefined && state === undefined) {
    throw new UserError('usage', `unknown state "${flags.state}"`, `one of ${states.join(', ')}`);
  }
  const limit = flags.limit === undefined ? undefined : wholeNumber(flags.limit, '--limit');
  return {
    ...(state === undefined ? {} : { state }),
    ...(flags.reason === undefined ? {} : { reason: flags.reason }),
    ...(flags.host === undefined ? {} : { host: flags.host }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** `robots` means every reason of that family. */
function isOfReason(reason: string, wanted: string | undefined): boolean {
  return wanted === undefined || reason === wanted || reason.startsWith(`${wanted}.`);
}

function refusalLines({ reason, count, samples }: Refusal): string {
  const shown = samples.slice(0, SAMPLES_SHOWN).map((url) => `  ${printable(url)}`);
  return [`${reason}  ${n(count)}  ${reasons[reason]}`, ...shown].join('\n');
}

/** One JSON document, written row by row so that a million rows need no memory. */
function printArray(print: (text: string) => void, rows: Iterable<UrlRow>): void {
  let before = '[';
  for (const row of rows) {
    print(before + jsonText(row));
    before = ',';
  }
  print(before === '[' ? '[]' : ']');
}

function lineOf(row: UrlRow): string {
  const detail = [row.reason, row.status, row.redirectTo === null ? null : `→ ${row.redirectTo}`, row.title];
  return printable([row.state.padEnd(10), row.url, ...detail.filter((part) => part !== null)].join('  '));
}

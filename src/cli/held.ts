/** `freshet held`: removals that the mass-loss brake holds, for a person to apply or discard. */
import { Argument, type Command } from 'commander';
import type { HeldHost } from '../crawl/brake.ts';
import { UserError } from '../errors.ts';
import { openNode, openReader } from '../node.ts';
import { jsonText, printable } from '../printable.ts';
import { type CommonFlags, openContext, type Terminal, withCommonFlags } from './context.ts';
import { n, pages } from './crawl-summary.ts';
import { formatTable } from './output/table.ts';

interface HeldFlags extends CommonFlags {
  readonly all?: boolean;
}

type Action = 'list' | 'apply' | 'discard';

export function heldCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('held'))
    .summary('removals that wait for your word')
    .description('Lists removals held because too many pages of a host would go; applies or discards them.')
    .addArgument(new Argument('[action]', 'what to do').choices(['list', 'apply', 'discard']).default('list'))
    .addArgument(new Argument('[host]', 'whose'))
    .option('--all', 'of all hosts')
    .action(async (action: Action, host: string | undefined, flags: HeldFlags) => {
      if (action === 'list') await list(terminal, flags);
      else await settle(action, target(action, host, flags), terminal, flags);
    });
}

function target(action: Action, host: string | undefined, { all }: HeldFlags): string | null {
  if ((host === undefined) === (all === true)) return host ?? null;
  throw new UserError('usage', 'name a host, or --all', `freshet held ${action} HOST`);
}

async function list(terminal: Terminal, flags: HeldFlags): Promise<void> {
  const context = await openContext(terminal, flags);
  const reader = openReader(context.config);
  try {
    const hosts = reader.held.hosts();
    context.print(context.isJson ? jsonText({ v: 1, hosts }) : listLines(hosts).join('\n'));
  } finally {
    reader.close();
  }
}

function listLines(hosts: readonly HeldHost[]): string[] {
  if (hosts.length === 0) return ['No removals are held.'];
  const table = formatTable(
    [
      { title: 'HOST' },
      { title: 'HELD', align: 'right' },
      { title: 'OF', align: 'right' },
      { title: 'SINCE' },
      { title: 'BECAUSE' },
      { title: 'FOR EXAMPLE' },
    ],
    hosts.map((row) => [
      row.host,
      n(row.held),
      n(row.documents),
      new Date(row.heldAt).toLocaleString('sv'),
      row.reasons.map(({ reason, count }) => `${reason} ${n(count)}`).join(' · '),
      row.samples[0] ?? '',
    ]),
  );
  return [
    ...table.map((line) => printable(line).trimEnd()),
    '',
    'They stay searchable until you decide:',
    '  freshet held apply HOST      remove them (freshet undelete URL brings one back)',
    '  freshet held discard HOST    keep them, and look at the pages again now',
  ];
}

async function settle(
  action: 'apply' | 'discard',
  host: string | null,
  terminal: Terminal,
  flags: HeldFlags,
): Promise<void> {
  const context = await openContext(terminal, flags);
  openReader(context.config).close(); // says so when there is no data yet
  const node = openNode(context.config, false, { log: context.log });
  try {
    const { removals } = node;
    if (host !== null && !removals.held().some((held) => held.host === host)) {
      throw new UserError(
        'usage',
        `no removals of ${host} are held`,
        'freshet held lists the hosts that have some',
      );
    }
    const count = action === 'apply' ? await removals.applyHeld(host) : await removals.discardHeld(host);
    if (context.isJson) context.print(jsonText({ v: 1, action, host, pages: count }));
    context.tell(`${pages(count)} ${action === 'apply' ? 'removed' : 'kept; they are due now'}`);
  } finally {
    await node.close();
  }
}

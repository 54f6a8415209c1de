/** `freshet add URL…`: adds URLs of known sites to a running or stopped crawl. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { exitCodes, UserError } from '../errors.ts';
import { openNode, openReader } from '../node.ts';
import { jsonText, printable } from '../printable.ts';
import { reasons } from '../reasons.ts';
import { type CommonFlags, openContext, type Terminal, withCommonFlags } from './context.ts';
import { typedUrl } from './typed-url.ts';

interface AddFlags extends CommonFlags {
  readonly from?: string;
  readonly force?: boolean;
}

export function addCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('add [url...]'))
    .summary('add URLs to a running or stopped crawl')
    .description(
      'Adds URLs that belong to the sites of the data folder. A new site is added with freshet crawl URL.',
    )
    .option('--from <file>', 'read URLs from a file, one a line; - for standard input')
    .option('--force', 'visit known ones again now')
    .action(async (urls: string[], flags: AddFlags) => {
      const all = [...urls, ...(flags.from === undefined ? [] : readUrls(flags.from))].map(typedUrl);
      if (all.length === 0)
        throw new UserError('usage', 'no URL given', 'freshet add URL, or freshet add --from FILE');
      const context = await openContext(terminal, flags);
      openReader(context.config).close(); // says so when there is no data yet
      const node = openNode(context.config, false, { log: context.log });
      try {
        const report = await node.add(all, { force: flags.force === true });
        if (context.isJson) context.print(jsonText({ v: 1, ...report }));
        for (const { url, reason } of report.refusedUrls) {
          const hint = reason === 'scope.host' ? ' Add its site: freshet crawl URL.' : '';
          context.tell(printable(`refused ${url}  ${reason}: ${reasons[reason]}${hint}`));
        }
        if (report.refused > 0)
          context.tell(`refused ${report.refused} more  limit.host: ${reasons['limit.host']}`);
        context.tell(
          `${report.added} added · ${report.known} known already · ${report.refusedUrls.length + report.refused} refused`,
        );
        if (report.added + report.known === 0) process.exitCode = exitCodes.seedsFailed;
        else context.tell('A running crawl takes them within a second; otherwise: freshet crawl');
      } finally {
        await node.close();
      }
    });
}

function readUrls(file: string): string[] {
  try {
    // File descriptor 0 is standard input.
    return readFileSync(file === '-' ? 0 : file, 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'));
  } catch (error) {
    throw new UserError(
      'usage',
      `cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

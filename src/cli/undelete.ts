/** `freshet undelete URL`: brings a removed page back. */
import type { Command } from 'commander';
import { UserError } from '../errors.ts';
import { openNode, openReader } from '../node.ts';
import { jsonText, printable } from '../printable.ts';
import { type CommonFlags, openContext, type Terminal, withCommonFlags } from './context.ts';
import { typedUrl } from './typed-url.ts';

export function undeleteCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('undelete <url>'))
    .summary('bring a removed page back')
    .description('Makes a removed page searchable again as it was, and has it visited now.')
    .action(async (typed: string, flags: CommonFlags) => {
      const context = await openContext(terminal, flags);
      openReader(context.config).close(); // says so when there is no data yet
      const node = openNode(context.config, false, { log: context.log });
      try {
        const record = node.find(typedUrl(typed));
        if (record === null || !(await node.removals.undelete(record.id))) {
          throw new UserError(
            'usage',
            `nothing removed is kept of ${typed}`,
            `freshet explain ${typed} tells what is known of it`,
          );
        }
        if (context.isJson) context.print(jsonText({ v: 1, url: record.url }));
        context.tell(printable(`${record.url} is searchable again, and due now`));
      } finally {
        await node.close();
      }
    });
}

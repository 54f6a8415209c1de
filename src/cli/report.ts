/** `freshet report interval URL…`: how often pages are believed to change, and when they are visited again. */
import { Argument, type Command } from 'commander';
import { openNode, openReader } from '../node.ts';
import { jsonText, printable } from '../printable.ts';
import { type CommonFlags, openContext, type Terminal, withCommonFlags } from './context.ts';
import { planLines } from './freshness-lines.ts';
import { typedUrl } from './typed-url.ts';

export function reportCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('report'))
    .summary('how often pages change, and when they are visited again')
    .addArgument(new Argument('<what>', 'interval: the plan of each page').choices(['interval']))
    .argument('<url...>')
    .action(async (_what: string, urls: string[], flags: CommonFlags) => {
      const context = await openContext(terminal, flags);
      openReader(context.config).close(); // says so when there is no data yet
      const node = openNode(context.config, false, { log: context.log });
      try {
        const pages = await Promise.all(
          urls.map(async (url) => {
            const { url: known, plan } = await node.explain(typedUrl(url));
            return { url: known, plan };
          }),
        );
        if (context.isJson) context.print(jsonText({ v: 1, pages }));
        else context.print(pages.flatMap(linesOf).map(printable).join('\n'));
      } finally {
        await node.close();
      }
    });
}

function linesOf({
  url,
  plan,
}: {
  readonly url: string;
  readonly plan: Parameters<typeof planLines>[0] | null;
}): string[] {
  const lines =
    plan === null ? ['  no copy of it is held; freshet explain says where it stands'] : planLines(plan);
  return [url, ...lines];
}

/** `freshet explain URL`: every decision about one URL, and what comes next. */
import type { Command } from 'commander';
import type { Explanation, Step } from '../crawl/explain.ts';
import { openNode, openReader } from '../node.ts';
import { jsonText, printable } from '../printable.ts';
import { type CommonFlags, type Context, openContext, type Terminal, withCommonFlags } from './context.ts';
import { typedUrl } from './typed-url.ts';

export function explainCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('explain <url>'))
    .summary('every decision about one URL')
    .action(async (url: string, flags: CommonFlags) => {
      const context = await openContext(terminal, flags);
      openReader(context.config).close(); // says so when there is no data yet
      const node = openNode(context.config, false, { log: context.log });
      try {
        const explanation = await node.explain(typedUrl(url));
        context.print(
          context.isJson ? jsonText({ v: 1, ...explanation }) : lines(explanation, context).join('\n'),
        );
        if (explanation.verdict === 'unknown')
          context.tell(printable(`To crawl it: freshet add ${explanation.url}`));
      } finally {
        await node.close();
      }
    });
}

const headlines: Record<Explanation['verdict'], string> = {
  indexed: 'INDEXED',
  'not-indexed': 'NOT INDEXED',
  waiting: 'WAITING',
  unknown: 'NOT KNOWN',
};

function lines(explanation: Explanation, { dataStyle: style }: Context): string[] {
  const { verdict, reason, sentence, steps, nextVisitAt } = explanation;
  const headline = `${style.bold(headlines[verdict])}${sentence === '' ? '' : ` — ${sentence}`}${reason === null ? '' : `  (${reason})`}`;
  const next =
    nextVisitAt === null
      ? []
      : [
          `Next visit  ${nextVisitAt === 0 ? 'when its turn comes' : new Date(nextVisitAt).toLocaleString('sv')}`,
        ];
  const width = Math.max(...steps.map((step) => step.name.length));
  return [
    headline,
    ...steps.map((step) => `  ${sign(step)} ${step.name.padEnd(width)}  ${printable(step.detail)}`),
    ...next,
  ];
}

function sign(step: Step): string {
  if (step.passed === null) return '·';
  return step.passed ? '✔' : '✖';
}

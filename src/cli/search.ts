/** `freshet search WORDS`: answers from the index, also while a crawl is running. */
import type { Command } from 'commander';
import { openReader } from '../node.ts';
import { jsonText, printable } from '../printable.ts';
import { parseQuery } from '../search/query.ts';
import type { SearchHit } from '../search/search-index.ts';
import { type CommonFlags, type Context, openContext, type Terminal, withCommonFlags } from './context.ts';
import { pages } from './crawl-summary.ts';
import { wholeNumber } from './whole-number.ts';

interface SearchFlags extends CommonFlags {
  readonly limit?: string;
  readonly offset?: string;
  readonly similar?: boolean;
}

export function searchCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('search <words...>'))
    .summary('search from the terminal')
    .description('Words, "exact phrases", -without, OR, site:docs.example.org')
    .option('-n, --limit <n>', 'hits to show (default 10)')
    .option('--offset <n>', 'hits to leave out first')
    .option('--similar', 'show pages with nearly the same text one by one')
    .action(async (words: string[], flags: SearchFlags) => {
      const context = await openContext(terminal, flags);
      const reader = openReader(context.config);
      try {
        const query = words.join(' ');
        const options = {
          limit:
            flags.limit === undefined ? context.config.search.pageSize : wholeNumber(flags.limit, '--limit'),
          offset: wholeNumber(flags.offset ?? '0', '--offset'),
          isUnfolded: flags.similar ?? false,
        };
        const result = reader.index.search(parseQuery(query), options);
        if (context.isJson) {
          context.print(jsonText({ v: 1, query, ...result }));
          return;
        }
        for (const [position, hit] of result.hits.entries())
          context.print(hitLines(hit, options.offset + position + 1, context));
        const about = result.isTotalExact ? '' : 'at least ';
        context.tell(
          result.total === 0 ? `Nothing found for ${printable(query)}` : `${about}${pages(result.total)}`,
        );
      } finally {
        reader.close();
      }
    });
}

function hitLines(hit: SearchHit, position: number, { dataStyle: style }: Context): string {
  const also =
    hit.duplicates.length === 0
      ? ''
      : style.dim(`\n    also at ${printable(hit.duplicates.slice(0, 3).join(' '))}`);
  const similar = hit.similar === 0 ? '' : style.dim(`\n    + ${hit.similar} similar (--similar shows them)`);
  const title = printable(hit.title) || printable(hit.url);
  return `${String(position).padStart(2)}  ${style.bold(title)}\n    ${style.cyan(printable(hit.url))}${also}\n    ${marked(hit, style.yellow)}${similar}\n`;
}

/** The snippet with its marks in colour; made printable piece by piece, so that offsets stay true. */
function marked({ snippet, marks }: SearchHit, paint: (text: string) => string): string {
  let text = '';
  let at = 0;
  for (const [start, end] of marks) {
    text += printable(snippet.slice(at, start)) + paint(printable(snippet.slice(start, end)));
    at = end;
  }
  return text + printable(snippet.slice(at));
}

/**
 * `freshet demo`: the main job end to end on an offline web of loopback sites: crawl, search, visit again, notice what
 * changed and what is gone. Checks itself against what that web expected and saw.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { formatSize } from '../config/units.ts';
import { type Config, defaultConfig } from '../config.ts';
import { type DemoWeb, startDemoWeb } from '../demo/site.ts';
import { exitCodes } from '../errors.ts';
import { type FreshetNode, openNode } from '../node.ts';
import { jsonText, printable } from '../printable.ts';
import { reasons } from '../reasons.ts';
import { parseQuery } from '../search/query.ts';
import { type CommonFlags, type Context, openContext, type Terminal, withCommonFlags } from './context.ts';
import { counted, n, noCounts, pages, type RunCounts } from './crawl-summary.ts';

interface DemoFlags extends CommonFlags {
  readonly keep?: boolean;
}

export function demoCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('demo'))
    .summary('crawl a built-in test site, offline, in about a minute')
    .option('--keep', 'keep the data folder')
    .action(async (flags: DemoFlags) => {
      const context = await openContext(terminal, flags);
      const web = await startDemoWeb();
      const dir = mkdtempSync(join(tmpdir(), 'freshet-demo-'));
      const node = openNode(demoConfig(web, dir), true, { log: context.log });
      try {
        const problems = await tour(context, web, node);
        for (const problem of problems) context.tell(`${context.style.red('✖')} ${printable(problem)}`);
        if (context.isJson) context.print(jsonText({ v: 1, problems }));
        if (problems.length > 0) process.exitCode = exitCodes.unexpected;
        tellWhatNext(context, problems.length === 0);
      } finally {
        await node.close();
        await web.close();
        if (flags.keep === true) context.tell(`Data kept in ${dir}`);
        else rmSync(dir, { recursive: true, force: true });
      }
    });
}

/** The defaults, but in a hurry: the demo's sites are ours, and a life of weeks is shown in a minute. */
function demoConfig(web: DemoWeb, dir: string): Config {
  const standard = defaultConfig();
  return {
    ...standard,
    sites: [{ start: web.startUrls, include: [], exclude: [], sitemaps: 'auto', label: null }],
    // The sites are so small that one lost page is more than a tenth; a person would be asked (docs/deletion.md).
    refresh: { ...standard.refresh, safety: { ...standard.refresh.safety, maxRemoved: 1 } },
    politeness: { ...standard.politeness, delayMs: 100, jitter: 0 },
    security: { allowPrivate: ['127.0.0.1'] },
    storage: { ...standard.storage, dir },
  };
}

async function tour(context: Context, web: DemoWeb, node: FreshetNode): Promise<string[]> {
  const say = (text: string): void => context.tell(text);
  const heading = (text: string): void => say(`\n${context.style.bold(text)}`);
  say(`Eight small sites are served on loopback: ${Object.values(web.origins).join(' ')}`);

  heading('1  First crawl');
  await node.seed();
  say(runLine(await run(node)));
  for (const row of node.reports.robots()) {
    if (row.state === 'unreachable')
      say(`   ${row.origin} was skipped: its robots.txt answers ${row.status ?? row.reason}`);
  }
  for (const { state, reason, count } of node.reports.states()) {
    if (state !== 'indexed' && reason !== null)
      say(`   ${n(count).padStart(3)} ${state}: ${reasons[reason]}`);
  }
  for (const { reason, count } of node.reports.refusals())
    say(`   ${n(count).padStart(3)} links not taken: ${reasons[reason]}`);
  const problems = checkFirstCrawl(web, node);

  heading('2  Search, English and Chinese');
  for (const words of ['rain gauge', '停水', '"weather station"']) showSearch(context, node, words);

  heading('3  Visit everything again: unchanged pages cost next to nothing');
  await node.makeAllDue();
  say(runLine(await run(node)));

  heading('4  The sites change: one page is new, one changed, one missing, one gone');
  web.advance();
  await node.makeAllDue();
  say(runLine(await run(node)));
  say('   A page that answers 410 is removed at once; one that answers 404 only after three looks:');
  for (const look of [2, 3]) {
    await node.makeAllDue();
    await run(node);
    say(`   look ${look}: ${lostPages(web, node)}`);
  }
  return [...problems, ...checkLosses(web, node)];
}

async function run(node: FreshetNode): Promise<RunCounts> {
  let counts = noCounts;
  const never = new AbortController().signal;
  await node.crawl({
    concurrency: 16,
    budget: { maxPages: null, maxBytes: null, maxTimeMs: null },
    isWatching: false,
    stop: never,
    abort: never,
    onOutcome: (outcome) => {
      counts = counted(counts, outcome);
    },
  });
  return counts;
}

function runLine({ requests, bytes, savedBytes, newPages, outcomes }: RunCounts): string {
  const changed = (outcomes.UPDATED ?? 0) - newPages;
  return `   ${n(requests)} requests, ${formatSize(bytes)}: ${n(newPages)} new, ${n(changed)} changed, ${n(outcomes.NOT_MODIFIED ?? 0)} unchanged${savedBytes === 0 ? '' : ` (304 saved ${formatSize(savedBytes)})`}`;
}

function showSearch(context: Context, node: FreshetNode, words: string): void {
  const { hits, total } = node.index.search(parseQuery(words), { limit: 2 });
  context.tell(`   ${context.style.cyan(words)}  ${pages(total)}`);
  for (const hit of hits)
    context.tell(`     ${printable(hit.title)}  ${context.style.dim(printable(hit.url))}`);
}

function checkFirstCrawl(web: DemoWeb, node: FreshetNode): string[] {
  const indexed = new Set([...node.reports.urls({ state: 'indexed' })].map((row) => row.url));
  const asked = new Set(web.requests.map(({ site, target }) => web.origins[site] + target));
  return [
    ...[...web.expected.indexed, ...web.expected.listed]
      .filter((url) => !indexed.has(url))
      .map((url) => `${url} was not found`),
    ...web.expected.never
      .filter(({ url }) => asked.has(url))
      .map(({ url, reason }) => `${url} was requested (${reason})`),
    ...web.expected.keptOut.filter(({ url }) => indexed.has(url)).map(({ url }) => `${url} was indexed`),
  ];
}

function lostPages(web: DemoWeb, node: FreshetNode): string {
  const still = web.expected.lost.filter(({ url }) => node.find(url)?.state === 'indexed');
  return still.length === 0
    ? 'gone from the index'
    : `still searchable: ${still.map(({ url }) => new URL(url).pathname).join(' ')}`;
}

function checkLosses(web: DemoWeb, node: FreshetNode): string[] {
  return web.expected.lost
    .filter(({ url }) => node.find(url)?.state === 'indexed')
    .map(({ url }) => `${url} is gone but still in the index`);
}

function tellWhatNext(context: Context, isFine: boolean): void {
  context.tell(`
${isFine ? context.style.green('✔ All as it should be.') : 'Something is not as it should be; please report it.'} Now your own site:
   npx freshet crawl https://docs.example.org      crawl it, 1 page a second, at most 10,000 pages
   npx freshet search "install"                    search from the terminal
   npx freshet serve                               search page with snapshots on http://127.0.0.1:7700
   npx freshet crawl --watch                       keep it fresh
   npx freshet explain URL                         why is this page (not) in the index?`);
}

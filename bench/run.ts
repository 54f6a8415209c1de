/**
 * Runs benches by name and prints a table for each: `npm run bench -- crawl --pages 5000`. `all` runs every one.
 * Each bench is a module of this folder that exports `run(report)`.
 */
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Bench, type BenchOptions, type Row, tableOf } from './report.ts';

/** In the order they run; one without a module is not written yet. */
const names = [
  'web',
  'crawl',
  'peers',
  'frontier',
  'search',
  'freshness',
  'freshness-crawl',
  'soak',
  'soak-simulated',
].filter((name) => existsSync(moduleOf(name)));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '5000' },
    hosts: { type: 'string', default: '40' },
    latency: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '30' },
    urls: { type: 'string', default: '1000000' },
    'known-hosts': { type: 'string', default: '1000' },
    cache: { type: 'string', default: '64' },
    traps: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
  },
});

const wanted = positionals.length === 0 || positionals.includes('all') ? names : positionals;
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench named ${unknown.join(', ')}; there are: all, ${names.join(', ')}.`);
  process.exit(2);
}

const options: BenchOptions = {
  pages: values.short ? 400 : Number(values.pages),
  hosts: Number(values.hosts),
  latencyMs: Number(values.latency),
  minutes: Number(values.minutes),
  urls: Number(values.urls),
  knownHosts: Number(values['known-hosts']),
  cacheBytes: Number(values.cache) * 1024 * 1024,
  hasTraps: values.traps,
  isShort: values.short,
};
console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}`);
for (const name of wanted) await runBench(name);

async function runBench(name: string): Promise<void> {
  const { run } = (await import(moduleOf(name).href)) as Bench;
  const rows: Row[] = [];
  const notes: string[] = [];
  await run({
    options,
    row: (rowName, figures) => void rows.push({ name: rowName, figures }),
    note: (text) => void notes.push(text),
  });
  console.log(`\n${name}\n${tableOf(rows)}`);
  for (const note of notes) console.log(note);
}

function moduleOf(name: string): URL {
  return new URL(`./${name}.js`, import.meta.url);
}

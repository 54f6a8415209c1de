/**
 * Plays many seeds and says what broke: `npm run sim -- --seeds 10000 [--from 1] [--jobs 2]`. Exit code 0 when every
 * invariant held in every run and every kind of fault was met, 1 otherwise.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { DAY_MS } from './harness.ts';
import type { Played } from './play.ts';
import { playSeeds } from './pool.ts';
import { Tally } from './tally.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
});

/** Problems of one run shown at most. */
const MOST_SHOWN = 10;
/** The rarest fault is met by every hundredth seed or so; fewer runs than these may miss it by chance. */
const MANY_SEEDS = 1_000;

process.exitCode = await main(whole('seeds'), whole('from'), whole('jobs'));

async function main(count: number, from: number, jobs: number): Promise<number> {
  const startedAt = performance.now();
  const tally = new Tally();
  const seeds = Array.from({ length: count }, (_, n) => from + n);
  await playSeeds(seeds, jobs, (played) => {
    tally.add(played);
    if (count === 1) say(`fingerprint ${played.fingerprint}`);
    if (played.problems.length > 0) say(complaint(played));
    if (tally.played % 500 === 0) say(`${tally.played} of ${count} seeds, ${seconds(startedAt)} s`);
  });
  for (const [kind, { times, runs }] of tally.met)
    say(`${String(times).padStart(9)}  ${kind} (${runs} seeds)`);
  const unmet = count >= MANY_SEEDS ? tally.unmet : [];
  for (const kind of unmet) say(`never met: ${kind}`);
  const years = (tally.spanMs / DAY_MS / 365).toFixed(1);
  say(
    `${tally.held} seeds held, ${tally.failed} failed; ${tally.requests} requests, ${years} years of crawling, ${seconds(startedAt)} s`,
  );
  return tally.failed === 0 && unmet.length === 0 ? 0 : 1;
}

function complaint({ seed, play, problems, fingerprint }: Played): string {
  return [
    `seed ${seed} (${play}, fingerprint ${fingerprint}): ${problems.length} problems`,
    ...problems.slice(0, MOST_SHOWN).map((problem) => `  ${problem}`),
    `  replay: npm run sim -- --seeds 1 --from ${seed}`,
  ].join('\n');
}

function whole(name: keyof typeof values): number {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1`);
  return value;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Fuzzes for as long as it is told: `npm run fuzz -- [--target T] [--minutes M] [--seed S]`; the minutes are shared by all
 * targets. `--target T --replay INPUT` runs one input, a JSON string. Exit code 1 when anything failed.
 */
import { parseArgs } from 'node:util';
import { type Failure, failureOf } from './fuzzer.ts';
import { fuzzInThread } from './supervise.ts';
import { targetNamed, targets } from './targets.ts';

const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    replay: { type: 'string' },
  },
});

const names = values.target === undefined ? Object.keys(targets) : [values.target];
process.exitCode =
  values.replay === undefined
    ? await fuzzAll(Number(values.minutes), Number(values.seed))
    : await replay(values.target ?? '', values.replay);

async function fuzzAll(minutes: number, seed: number): Promise<number> {
  if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error('--minutes and --seed are numbers');
  let failed = 0;
  for (const name of names) {
    const { inputs, kept, slowestMs, failures } = await fuzzInThread(
      name,
      seed,
      (minutes * 60_000) / names.length,
    );
    failed += failures.length;
    say(
      `${name.padEnd(12)} ${inputs} inputs, ${kept} kept, slowest ${slowestMs.toFixed(0)} ms, ${failures.length} failures`,
    );
    for (const failure of failures) say(complaint(name, seed, failure));
  }
  return failed === 0 ? 0 : 1;
}

async function replay(name: string, json: string): Promise<number> {
  const failure = await failureOf(targetNamed(name), JSON.parse(json) as string);
  say(failure === null ? 'nothing is wrong' : failure.detail);
  return failure === null ? 0 : 1;
}

function complaint(name: string, seed: number, { kind, input, detail }: Failure): string {
  return [
    `FAILED ${name}, seed ${seed}: ${kind}`,
    detail.replaceAll(/^/gm, '  '),
    `  replay: npm run fuzz -- --target ${name} --replay '${quoted(input)}'`,
  ].join('\n');
}

/** A JSON string that a shell takes between apostrophes and a terminal shows. */
function quoted(input: string): string {
  return JSON.stringify(input).replaceAll(
    /[^ -&(-~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Kills real crawls and says what came of it: `npm run crash -- --kills 200 --seed 1`. Exit code 0 when nothing is wrong. */
import { parseArgs } from 'node:util';
import { playMatrix } from './matrix.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});

const { deaths, crawls, problems } = await playMatrix(whole('kills'), whole('seed'));
for (const [name, times] of deaths) say(`${String(times).padStart(6)}  ${name}`);
for (const problem of problems) say(problem);
say(`${crawls} crawls brought to their end, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

function whole(name: keyof typeof values): number {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1`);
  return value;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

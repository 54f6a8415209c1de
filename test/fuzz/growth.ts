/** Does the time of a target grow with its input, or with the square of it? Tried with every word, repeated. */
import { cutLine, MOST_LENGTH, type Target } from './target.ts';

/** The long input is so many times the short one; linear work takes as many times as long, quadratic work the square. */
const FACTOR = 8;
const MOST_GROWTH = 3 * FACTOR;
/** Below this nothing can be told, and nothing is wrong. */
const FLOOR_MS = 100;
/** A busy machine may make one measurement bad, hardly so many in a row. */
const MEASUREMENTS = 4;

export interface Growth {
  readonly piece: string;
  readonly shortMs: number;
  readonly longMs: number;
}

/** The pieces whose repetition takes far more than its share of time; by itself, and as what follows a first line. */
export async function steepGrowth(target: Target): Promise<Growth[]> {
  const [first] = cutLine(target.corpus[0] ?? '');
  const steep: Growth[] = [];
  for (const piece of target.words) {
    for (const head of ['', `${first}\n`]) {
      const growth = await growthOf(target, head, piece);
      if (growth !== null) steep.push(growth);
    }
  }
  return steep;
}

async function growthOf(target: Target, head: string, piece: string): Promise<Growth | null> {
  let growth: Growth | null = null;
  for (let measured = 0; measured < MEASUREMENTS; measured++) {
    const longMs = await timeOf(target, head + repeated(piece, MOST_LENGTH));
    if (longMs < FLOOR_MS) return null;
    const shortMs = await timeOf(target, head + repeated(piece, MOST_LENGTH / FACTOR));
    if (longMs / shortMs < MOST_GROWTH) return null;
    growth = { piece, shortMs, longMs };
  }
  return growth;
}

async function timeOf(target: Target, input: string): Promise<number> {
  const startedAt = performance.now();
  await target.run(input);
  return performance.now() - startedAt;
}

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.floor(length / piece.length));
}

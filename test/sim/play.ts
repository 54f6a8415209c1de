/** What a seed stands for: the same storm each time. */
import { type Ravages, season, squall, storm } from './storm.ts';

export interface Played extends Omit<Ravages, 'violations'> {
  readonly seed: number;
  /** Weather and policy. */
  readonly play: string;
  /** What was wrong, one line each; none: all invariants held. */
  readonly problems: readonly string[];
}

/** Plays a seed; every fourth one is a season, and every second four go by the adaptive policy. What is thrown is a problem like others. */
export async function playSeed(seed: number): Promise<Played> {
  const weather = seed % 4 === 0 ? season : squall;
  const policy = seed % 8 < 4 ? 'optimal' : 'adaptive';
  const play = `${weather.name}, ${policy}`;
  try {
    const { violations, ...ravages } = await storm(seed, weather, policy);
    return { seed, play, problems: violations, ...ravages };
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const nothing = { met: new Map<string, number>(), requests: 0, spanMs: 0, fingerprint: 'none' };
    return { seed, play, problems: [problem], ...nothing };
  }
}

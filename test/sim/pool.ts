/** Plays seeds in processes beside this one, as many at once as there are jobs. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Played } from './play.ts';

const PLAYER = fileURLToPath(new URL('./player.js', import.meta.url));
/** A seed takes half a second. One that has not ended after this turns in a circle. */
const LONGEST_MS = 300_000;

/** Resolves when all are played. A process that dies or hangs is a problem of the seed it played. */
export async function playSeeds(
  seeds: readonly number[],
  jobs: number,
  onPlayed: (played: Played) => void,
): Promise<void> {
  const left = seeds[Symbol.iterator]();
  const work = async (): Promise<void> => {
    let player = fork(PLAYER, { serialization: 'advanced' });
    for (const seed of left) {
      const played = await playIn(player, seed);
      onPlayed(played);
      if (player.connected) continue;
      player = fork(PLAYER, { serialization: 'advanced' });
    }
    player.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, seeds.length) }, work));
}

function playIn(player: ChildProcess, seed: number): Promise<Played> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => player.kill('SIGKILL'), LONGEST_MS);
    const end = (played: Played): void => {
      clearTimeout(deadline);
      player.removeAllListeners();
      resolve(played);
    };
    player.once('message', (played: Played) => end(played));
    player.once('exit', (code, signal) => {
      const how = signal === null ? `ended with exit code ${code}` : `did not end by itself (${signal})`;
      const nothing = { met: new Map<string, number>(), requests: 0, spanMs: 0, fingerprint: 'none' };
      end({ seed, play: 'unknown', problems: [`its process ${how}`], ...nothing });
    });
    player.send(seed);
  });
}

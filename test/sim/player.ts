/** A process that plays the seeds it is sent (pool.ts). */
import { playSeed } from './play.ts';

process.on('message', (seed: number) => {
  void playSeed(seed).then((played) => process.send?.(played));
});

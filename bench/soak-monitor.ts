/** Loaded into a process under watch (`node --import`): tells its parent now and then how long its event loop was held up. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const EVERY_MS = 5_000;
const NS_PER_MS = 1e6;

export interface Pulse {
  /** Since the last pulse, milliseconds. */
  readonly longestDelayMs: number;
  readonly heapBytes: number;
  readonly externalBytes: number;
}

// Finer than what is to be seen, coarse enough to cost nothing.
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
setInterval(() => {
  const { heapUsed, external } = process.memoryUsage();
  const pulse: Pulse = {
    longestDelayMs: delay.max / NS_PER_MS,
    heapBytes: heapUsed,
    externalBytes: external,
  };
  delay.reset();
  if (process.connected) process.send?.(pulse);
}, EVERY_MS).unref();
process.channel?.unref();

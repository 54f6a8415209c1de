/** The thread of supervise.ts: fuzzes one target, guided by coverage. */
import { parentPort, workerData } from 'node:worker_threads';
import { Coverage } from './coverage.ts';
import { fuzz } from './fuzzer.ts';
import { InputMemory, type ThreadData } from './supervise.ts';
import { targetNamed } from './targets.ts';

const { name, seed, spanMs, memory } = workerData as ThreadData;
const input = new InputMemory(memory);
const coverage = new Coverage();
await coverage.start();
const endsAt = performance.now() + spanMs;
const { inputs, kept, slowestMs, failures } = await fuzz(targetNamed(name), {
  seed,
  isDone: () => performance.now() >= endsAt,
  hasGrown: () => coverage.hasGrown(),
  onInput: (text) => input.put(text),
});
parentPort?.postMessage({ inputs, kept, slowestMs, failures });

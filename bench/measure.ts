/** Runs work in a child process and measures that process alone: wall time, CPU time, peak memory. */
import { fork } from 'node:child_process';

export interface Measured<Result> {
  readonly result: Result;
  readonly wallMs: number;
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  /** Largest resident set, bytes. */
  readonly peakRssBytes: number;
}

type FromChild<Result> =
  | { readonly ok: true; readonly measured: Measured<Result> }
  | { readonly ok: false; readonly error: string };

/**
 * `module` is the URL of a module that exports `work(input): Promise<Result>`; input and result travel as structured
 * clones. Start-up of the process is not counted, loading of the module is.
 */
export function measure<Result>(module: URL, input: unknown): Promise<Measured<Result>> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./measured-child.js', import.meta.url), { serialization: 'advanced' });
    child.once('message', (message: FromChild<Result>) => {
      child.disconnect();
      if (message.ok) resolve(message.measured);
      else reject(new Error(message.error));
    });
    child.once('exit', (code) => reject(new Error(`the measured process ended with exit code ${code}`)));
    child.send({ module: module.href, input });
  });
}

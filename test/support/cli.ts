/** The built command line as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

export interface CliEnd {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliRun {
  readonly process: ChildProcess;
  readonly end: Promise<CliEnd>;
}

const MAIN = 'dist/cli/main.js';

/** Starts `freshet …args` without any configuration but what it is given; `flags` are Node's own. */
export function startCli(args: readonly string[], flags: readonly string[] = []): CliRun {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: npm run build`);
  const child = spawn(process.execPath, [...flags, MAIN, ...args], {
    env: { PATH: process.env['PATH'], NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const end = new Promise<CliEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { process: child, end };
}

/** Runs it to its end. */
export function runCli(args: readonly string[]): Promise<CliEnd> {
  return startCli(args).end;
}

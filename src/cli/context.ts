/** What every command has: configuration, streams, and the way it is allowed to print. */
import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { type Config, loadConfig, type Override } from '../config.ts';
import { createLog, type Log } from '../log.ts';
import { createStyle, type Style } from './output/style.ts';

/** Flags that every command takes. */
export interface CommonFlags {
  readonly config?: string;
  readonly data?: string;
  readonly json?: boolean;
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** The process as a command sees it; a test hands in its own. */
export interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Calls back on Ctrl-C, and on SIGTERM and SIGHUP as SIGTERM; returns how to stop listening. */
  onInterrupt(run: (signal: 'SIGINT' | 'SIGTERM') => void): () => void;
}

export interface Context {
  readonly config: Config;
  /** Path of the config file in use; null: none. */
  readonly configFile: string | null;
  readonly terminal: Terminal;
  readonly log: Log;
  /** For what is told, on stderr. */
  readonly style: Style;
  /** For what is printed, on stdout: no colour in a pipe, though stderr is a terminal. */
  readonly dataStyle: Style;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Prints data, on stdout. */
  print(text: string): void;
  /** Prints something for people, on stderr; nothing with --quiet. */
  tell(text: string): void;
}

/** Adds the common flags to a command. */
export function withCommonFlags(command: Command): Command {
  return command
    .option('-c, --config <file>', 'config file (default: freshet.yaml or freshet.config.ts, nearest upward)')
    .option('--data <dir>', 'data folder (default: .freshet; also FRESHET_DATA)')
    .option('--json', 'print data as JSON')
    .option('--no-color', 'no colour')
    .option('-q, --quiet', 'print data and errors only')
    .option('-v, --verbose', 'log more');
}

/** Collects an option that may be given several times. A value each, so that a URL after it stays a URL. */
export function repeated(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** Loads the configuration for a command; `overrides` are its own flags. */
export async function openContext(
  terminal: Terminal,
  flags: CommonFlags,
  overrides: readonly Override[] = [],
): Promise<Context> {
  const common: Override[] = [
    ...(flags.data === undefined ? [] : [{ path: 'storage.dir', value: flags.data, origin: '--data' }]),
    ...(flags.verbose === true ? [{ path: 'log.level', value: 'debug', origin: '--verbose' }] : []),
  ];
  const loaded = await loadConfig({
    cwd: terminal.cwd,
    env: terminal.env,
    file: flags.config,
    overrides: [...common, ...overrides],
  });
  const { config } = loaded;
  const isQuiet = flags.quiet === true;
  const styleOf = (stream: NodeJS.WriteStream): Style =>
    createStyle({ stream, env: terminal.env, isColorWanted: flags.color !== false });
  return {
    config,
    configFile: loaded.file,
    terminal,
    log: createLog({ ...config.log, stream: terminal.stderr, clock: systemClock }),
    style: styleOf(terminal.stderr),
    dataStyle: styleOf(terminal.stdout),
    isJson: flags.json === true,
    isQuiet,
    print: (text) => void terminal.stdout.write(`${text}\n`),
    tell: (text) => {
      if (!isQuiet) terminal.stderr.write(`${text}\n`);
    },
  };
}

/**
 * The log: one line an event, on standard error, for people (pretty) or programs (JSON Lines). Standard output is for
 * data only. Whatever comes from the web is made printable first.
 */
import { type Clock, systemClock } from './clock.ts';
import { printable, printableJson } from './printable.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What an event is about: `{ url, status }`. An Error is logged with its stack and causes. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface LogOptions {
  /** Events below it are left out. */
  readonly level: LogLevel;
  /** auto: pretty on a terminal, JSON elsewhere. */
  readonly format: 'auto' | 'pretty' | 'json';
  readonly stream: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly clock?: Pick<Clock, 'now'>;
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function createLog(options: LogOptions): Log {
  const isPretty =
    options.format === 'pretty' || (options.format === 'auto' && options.stream.isTTY === true);
  const format = isPretty ? prettyLine : jsonLine;
  const lowest = levels.indexOf(options.level);
  const clock = options.clock ?? systemClock;
  const writer = (level: LogLevel): Log['info'] => {
    if (levels.indexOf(level) < lowest) return () => {};
    return (message, fields = {}) => {
      options.stream.write(`${format(level, message, fields, clock.now())}\n`);
    };
  };
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') };
}

/** Says nothing; for tests and for `--quiet`. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** `14:02:31 warn  robots.txt failed  origin=https://a.example status=503`, local time. */
function prettyLine(level: LogLevel, message: string, fields: LogFields, at: number): string {
  const time = new Date(at).toTimeString().slice(0, 8);
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${prettyValue(value)}`);
  return printable([`${time} ${level.padEnd(5)} ${message}`, ...pairs].join('  '));
}

function prettyValue(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === 'string' ? value : json(value);
}

/** `{"at":"2026-01-02T03:04:05.678Z","level":"warn","message":"…",…}`; fields cannot replace those three. */
function jsonLine(level: LogLevel, message: string, fields: LogFields, at: number): string {
  return json({ ...fields, at: new Date(at).toISOString(), level, message });
}

/** Never throws: a value JSON cannot hold is named instead, so that logging breaks nothing. */
function json(value: unknown): string {
  try {
    return printableJson(JSON.stringify(value, plainValue) ?? String(value));
  } catch (error) {
    return JSON.stringify({ unloggable: error instanceof Error ? error.message : String(error) });
  }
}

function plainValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, ...(cause === undefined ? {} : { cause }) };
}

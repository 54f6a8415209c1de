/**
 * Progress on standard error: a block redrawn in place on a terminal, one plain line every ten seconds elsewhere
 * (a pipe, a CI log, journald).
 */
import type { Clock } from '../../clock.ts';
import { truncate } from './width.ts';

export interface ProgressOptions {
  readonly clock: Clock;
  readonly stream: { write(text: string): unknown; readonly columns?: number };
  /** Redraw a block (see `isRedrawable`), or write plain lines. */
  readonly isRedrawn: boolean;
  /** The block's lines. They must be printable and without colour wider than their text: lines are cut to the screen. */
  block(): readonly string[];
  /** The same in one line. */
  line(): string;
}

export interface Progress {
  /** Writes whole lines of other text, above the block where there is one. */
  print(text: string): void;
  /** Ends it and takes the block away; the summary comes next. */
  stop(): void;
}

const REDRAW_MS = 250;
const LINE_MS = 10_000;
/** Columns of a terminal that does not tell, or says 0. */
const USUAL_COLUMNS = 80;

/** Starts showing progress; the timer keeps no process alive. */
export function startProgress(options: ProgressOptions): Progress {
  return options.isRedrawn ? startBlock(options) : startLines(options);
}

/** A bar of `width` columns for a share of 0 … 1: `▕██████░░░░▏`. */
export function formatBar(share: number, width: number): string {
  const room = Math.max(0, width - 2);
  const full = Math.round(Math.min(1, Math.max(0, share)) * room);
  return `▕${'█'.repeat(full)}${'░'.repeat(room - full)}▏`;
}

function startBlock({ clock, stream, block }: ProgressOptions): Progress {
  let height = 0;
  // Up to the block's first line, then erase to the end of the screen (ECMA-48 CPL and ED); both are one write: no flicker.
  const erase = (): string => (height === 0 ? '' : `\x1b[${height}F\x1b[0J`);
  const draw = (before: string): void => {
    const lines = block().map((line) => truncate(line, (stream.columns || USUAL_COLUMNS) - 1));
    stream.write(`${erase()}${before}${lines.map((line) => `${line}\n`).join('')}`);
    height = lines.length;
  };
  draw('');
  const stopTicking = every(clock, REDRAW_MS, () => draw(''));
  return {
    print: (text) => draw(text.endsWith('\n') ? text : `${text}\n`),
    stop() {
      stopTicking();
      stream.write(erase());
      height = 0;
    },
  };
}

function startLines({ clock, stream, line }: ProgressOptions): Progress {
  return {
    print: (text) => void stream.write(text.endsWith('\n') ? text : `${text}\n`),
    stop: every(clock, LINE_MS, () => stream.write(`${line()}\n`)),
  };
}

/** Runs again and again until the returned function is called. */
function every(clock: Clock, ms: number, run: () => void): () => void {
  let cancel = clock.after(ms, tick);
  function tick(): void {
    cancel = clock.after(ms, tick);
    run();
  }
  return () => cancel();
}

/** Colour, only where it is wanted and understood. Pure: the decision is made from what is handed in. */

type Paint = (text: string) => string;

/** Text styles; each returns its argument unchanged when colour is off. */
export interface Style {
  readonly isColored: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

export interface StyleOptions {
  readonly stream: { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** False with `--no-color`. */
  readonly isColorWanted: boolean;
}

export function createStyle(options: StyleOptions): Style {
  const isColored = hasColor(options);
  // SGR parameters (ECMA-48, 8.3.117): how a style begins, and how it alone ends.
  const paint = (begin: number, end: number): Paint => {
    return isColored ? (text) => `\x1b[${begin}m${text}\x1b[${end}m` : (text) => text;
  };
  return {
    isColored,
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}

/** May a block on this stream be redrawn? On a terminal that can move its cursor and has somebody watching. */
export function isRedrawable({ stream, env }: Pick<StyleOptions, 'stream' | 'env'>): boolean {
  return stream.isTTY === true && env.TERM !== 'dumb' && !env.CI;
}

/** The first that speaks decides: `--no-color`, NO_COLOR (no-color.org), FORCE_COLOR, TERM=dumb and CI, the stream. */
function hasColor({ stream, env, isColorWanted }: StyleOptions): boolean {
  if (!isColorWanted || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isRedrawable({ stream, env });
}

/**
 * One layer is what one place says: a file, the environment, the flags. Layers are laid over each other, and every value
 * remembers where it was written. Pure.
 */
import { nearest } from './nearest.ts';
import { isAccepted, optionPaths, type Problem } from './schema.ts';

type Block = Readonly<Record<string, unknown>>;

export interface Layer {
  /** In the words of the file: nested plain objects. */
  readonly values: Block;
  /** Path of a value or block → where it was written: `freshet.yaml:23`, `FRESHET_CONTACT`, `--depth`. */
  readonly origins: ReadonlyMap<string, string>;
}

/** One value given by a caller, usually a flag of the command line. */
export interface Override {
  /** `scope.depth`, `sites`. */
  readonly path: string;
  /** Text is read as the option needs it: `'3'` will do for a number. */
  readonly value: unknown;
  /** What the user typed: `--depth`. */
  readonly origin: string;
}

/** Lays `upper` over `lower`: blocks are merged, everything else is replaced. */
export function overlay(lower: Layer, upper: Layer): Layer {
  const origins = new Map(lower.origins);
  const forget = (path: string): void => {
    for (const known of origins.keys()) {
      if (known === path || known.startsWith(`${path}.`)) origins.delete(known);
    }
  };
  const values = merge(lower.values, upper.values, '', forget);
  for (const [path, origin] of upper.origins) origins.set(path, origin);
  return { values, origins };
}

/** Where the value at `path` was written: its own origin or that of what it is part of; null: nowhere. */
export function originOf(layer: Layer, path: string): string | null {
  const own = layer.origins.get(path);
  if (own !== undefined) return own;
  const end = path.lastIndexOf('.');
  return end < 0 ? null : originOf(layer, path.slice(0, end));
}

/** A layer all of which was written in one place. */
export function layerFrom(values: Block, origin: string): Layer {
  return { values, origins: new Map(Object.keys(values).map((key) => [key, origin])) };
}

/** The layer of the flags. */
export function overrideLayer(overrides: readonly Override[]): Layer {
  return overrides.reduce(
    (layer, { path, value, origin }) => overlay(layer, single(path, value, origin)),
    layerFrom({}, ''),
  );
}

/**
 * The layer of `FRESHET_*` variables: `FRESHET_SCOPE_DEPTH` is `scope.depth`; `FRESHET_DATA` is short for
 * `FRESHET_STORAGE_DIR`. A name that is nearly an option is a problem; others may belong to the machine
 * (Kubernetes sets `FRESHET_SERVICE_HOST`) and are left alone.
 */
export function environmentLayer(env: Readonly<Record<string, string | undefined>>): {
  readonly layer: Layer;
  readonly problems: readonly Problem[];
} {
  const paths = new Map(optionPaths().map((path) => [variableOf(path), path]));
  paths.set('FRESHET_DATA', 'storage.dir');
  const overrides: Override[] = [];
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('FRESHET_') || name === 'FRESHET_CONFIG' || value === undefined || value === '')
      continue;
    const path = paths.get(name);
    if (path !== undefined) {
      overrides.push({ path, value, origin: name });
      continue;
    }
    const meant = nearest(name, [...paths.keys()], 1) ?? sameBlock(name, [...paths.keys()]);
    if (meant !== null)
      problems.push({ path: name, message: `is not an option; did you mean ${meant}?`, found: undefined });
  }
  return { layer: overrideLayer(overrides), problems };
}

/** Name of the variable that sets an option. */
function variableOf(path: string): string {
  return `FRESHET_${path.replaceAll('.', '_').toUpperCase()}`;
}

/** The nearest variable of the block `name` is about; null when it is about none. */
function sameBlock(name: string, known: readonly string[]): string | null {
  const block = known
    .map((variable) => variable.split('_', 2).join('_'))
    .find((prefix) => name.startsWith(`${prefix}_`));
  return block === undefined ? null : nearest(name, known, Number.POSITIVE_INFINITY);
}

function single(path: string, value: unknown, origin: string): Layer {
  const fitting = typeof value === 'string' ? asNeeded(path, value) : value;
  const values = path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), fitting) as Block;
  return { values, origins: new Map([[path, origin]]) };
}

/**
 * Text as the option takes it: as it is, as a number or truth value, or as a list cut at commas; the first that fits.
 * Nothing (`--delay "$UNSET"`) is no number, though `Number` takes it for 0. A number that does not fit is one all the same, so that its complaint is about its size.
 */
function asNeeded(path: string, text: string): unknown {
  const readings = [
    text,
    text.trim() === '' ? null : Number(text),
    text === 'true' ? true : text === 'false' ? false : null,
    text.split(','),
  ];
  const misfit = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  return readings.find((reading) => isAccepted(path, reading)) ?? misfit;
}

function merge(lower: Block, upper: Block, prefix: string, onReplace: (path: string) => void): Block {
  const merged: Record<string, unknown> = { ...lower };
  for (const [key, value] of Object.entries(upper)) {
    const below = Object.hasOwn(lower, key) ? lower[key] : undefined;
    if (isBlock(below) && isBlock(value)) merged[key] = merge(below, value, `${prefix}${key}.`, onReplace);
    else {
      onReplace(prefix + key);
      merged[key] = value;
    }
  }
  return merged;
}

function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

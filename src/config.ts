/**
 * The configuration: flags over `FRESHET_*` variables over the file over defaults, checked by one schema (R38).
 * docs/configuration.md lists the options.
 */
import { dirname, isAbsolute, resolve } from 'node:path';
import { findConfigFile, readConfigFile } from './config/file.ts';
import type { ConfigInput } from './config/input.ts';
import {
  environmentLayer,
  type Layer,
  layerFrom,
  type Override,
  originOf,
  overlay,
  overrideLayer,
} from './config/layers.ts';
import { describeProblems } from './config/problems.ts';
import { checkConfig, configSchemaJson } from './config/schema.ts';
import type { Config, CrawlOrder, Rule, Site } from './config/shape.ts';
import { UserError } from './errors.ts';

export {
  type Config,
  type ConfigInput,
  type CrawlOrder,
  configSchemaJson,
  type Override,
  type Rule,
  type Site,
};

export interface LoadOptions {
  /** Where the search for a file begins, and what paths given by flags and variables are relative to. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Read this file instead of searching; `FRESHET_CONFIG` does the same. */
  readonly file?: string | undefined;
  readonly overrides?: readonly Override[];
}

export interface LoadedConfig {
  readonly config: Config;
  /** Absolute path of the file read; null: none found. */
  readonly file: string | null;
  /** Option or list item → where it was written (`freshet.yaml:23`, `FRESHET_CONTACT`, `--depth`); missing: default. */
  readonly origins: ReadonlyMap<string, string>;
}

/** Loads the configuration. Throws UserError('config') with one line for each thing wrong: what, where, what to do. */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const named = options.file ?? options.env.FRESHET_CONFIG;
  const file = named ? resolve(options.cwd, named) : await findConfigFile(options.cwd);
  const fileLayer = file === null ? layerFrom({}, '') : await readConfigFile(file);
  const environment = environmentLayer(options.env);
  const layer = [environment.layer, overrideLayer(options.overrides ?? [])].reduce(overlay, fileLayer);
  const checked = checkConfig(layer.values, (path) => originOf(layer, path) ?? 'default');
  const problems = [...environment.problems, ...('problems' in checked ? checked.problems : [])];
  if ('problems' in checked || problems.length > 0)
    throw new UserError('config', describeProblems(problems, layer));
  const config = withFolder(
    checked.config,
    dataFolder(checked.config.storage.dir, layer, fileLayer, file, options.cwd),
  );
  return { config, file, origins: layer.origins };
}

/** The configuration of somebody who configures nothing; the data folder is `.freshet`, relative. */
export function defaultConfig(): Config {
  const checked = checkConfig({}, () => 'default');
  if ('problems' in checked) throw new Error(`the defaults are wrong: ${JSON.stringify(checked.problems)}`);
  return checked.config;
}

/** Gives `freshet.config.ts` its types; returns what it is given. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}

/** A folder named in a file, or by nobody, belongs beside the file: then commands work from subfolders too. */
function dataFolder(dir: string, layer: Layer, fileLayer: Layer, file: string | null, cwd: string): string {
  if (isAbsolute(dir)) return dir;
  const isFromFile = originOf(layer, 'storage.dir') === originOf(fileLayer, 'storage.dir');
  return resolve(file !== null && isFromFile ? dirname(file) : cwd, dir);
}

function withFolder(config: Config, dir: string): Config {
  return { ...config, storage: { ...config.storage, dir } };
}

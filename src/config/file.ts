/** Finds and reads the configuration file: YAML with the line of every value, or TypeScript and JavaScript by jiti. */
import { lstat, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { UserError } from '../errors.ts';
import { type Layer, layerFrom } from './layers.ts';
import { isNestedDeeper } from './nesting.ts';

/** At most one of these may lie in a folder. */
const FILE_NAMES = [
  'freshet.yaml',
  'freshet.yml',
  'freshet.config.ts',
  'freshet.config.mts',
  'freshet.config.js',
  'freshet.config.mjs',
];

/** Options are four levels deep. */
const MOST_LEVELS = 100;

/** The configuration file nearest upward from `cwd`, or null. Throws UserError when a folder has two. */
export async function findConfigFile(cwd: string): Promise<string | null> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const candidates = await Promise.all(FILE_NAMES.map((name) => ownersOf(join(folder, name))));
    const found = FILE_NAMES.filter((_, i) => candidates[i] !== null);
    if (found.length > 1) {
      throw new UserError(
        'config',
        `${folder} has both ${found.join(' and ')}`,
        'keep one of them, or choose with --config',
      );
    }
    const [name] = found;
    if (name !== undefined) {
      const file = join(folder, name);
      const hosts = folder === resolve(cwd) ? [(await stat(folder)).uid] : [];
      refuseForeign(file, candidates.find((owners) => owners !== null) ?? [], hosts);
      return file;
    }
    if (folder === dirname(folder)) return null;
  }
}

/** Reads a file into a layer. Throws UserError when it is missing or broken. */
export async function readConfigFile(file: string): Promise<Layer> {
  if (['.yaml', '.yml'].includes(extname(file))) return readYaml(file);
  if (/^\.[cm]?[jt]s$/.test(extname(file))) return readModule(file);
  throw new UserError(
    'config',
    `${file} is neither YAML nor TypeScript`,
    'name it freshet.yaml or freshet.config.ts',
  );
}

/** Of a file and of the link that leads to it; null when there is no file. */
async function ownersOf(path: string): Promise<readonly number[] | null> {
  const [file, entry] = await Promise.all([stat, lstat].map((look) => look(path).catch(() => null)));
  return file?.isFile() && entry ? [file.uid, entry.uid] : null;
}

/**
 * A file found may be another user's, who left it in a shared folder (`/tmp`), and reading TypeScript runs it: the reason for
 * git's safe.directory. In somebody's own folder that one works in (`hosts`), what is theirs is meant to be there.
 */
function refuseForeign(file: string, owners: readonly number[], hosts: readonly number[]): void {
  const self = process.getuid?.();
  if (self === undefined || owners.every((owner) => [self, 0, ...hosts].includes(owner))) return;
  throw new UserError(
    'config',
    `${file} belongs to another user and was not read`,
    `if you trust it: --config ${file}`,
  );
}

async function readYaml(file: string): Promise<Layer> {
  const name = basename(file);
  const text = await readText(file);
  if (isNestedDeeper(text, MOST_LEVELS)) throw new UserError('config', `${name}: nested too deep`);
  const lines = new LineCounter();
  // Sets and ordered maps (`!!set`) would become objects whose options nobody finds, so all of them count as not given.
  const plain = { schema: 'core', resolveKnownTags: false };
  const document = parseDocument(text, { ...plain, lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    throw new UserError(
      'config',
      `${name}:${lines.linePos(error.pos[0]).line}: ${error.message}`,
      'check quotes and indentation',
    );
  }
  if (document.contents === null) return layerFrom({}, name);
  if (!isMap(document.contents))
    throw new UserError('config', `${name}:1: must be a block of options, like "name: example"`);
  refuseOddities(document, (node, message) => {
    throw new UserError('config', `${name}:${lines.linePos(node?.range?.[0] ?? 0).line}: ${message}`);
  });
  const origins = new Map<string, string>();
  record(document.contents, [], (path, node) => {
    origins.set(path, `${name}:${lines.linePos(node.range?.[0] ?? 0).line}`);
  });
  return { values: withoutEmpty(valuesOf(document, name)), origins };
}

/** Calls `fail` for what YAML can say and options cannot: keys that are no words, aliases of nothing. */
function refuseOddities(document: Document, fail: (node: Node | null, message: string) => never): void {
  const anchors = new Set<string>();
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && key.value !== null && key.value !== '') return;
      fail(isNode(key) ? key : isNode(value) ? value : null, 'a key must be a word');
    },
    Node(_, node) {
      if (isAlias(node) && !anchors.has(node.source)) fail(node, `*${node.source} is the name of nothing`);
      if ('anchor' in node && node.anchor !== undefined) anchors.add(node.anchor);
    },
  });
}

/** Throws UserError for aliases that multiply without end, which is the only way a sound document fails here. */
function valuesOf(document: Document, name: string): Record<string, unknown> {
  try {
    return document.toJS() as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new UserError('config', `${name}: too many aliases (*name)`, 'write the values out', {
      cause: error,
    });
  }
}

/** Tells the place of every key and item. */
function record(node: unknown, path: readonly string[], tell: (path: string, node: Node) => void): void {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const keyPath = [...path, String(isScalar(key) ? key.value : key)];
      if (isNode(key)) tell(keyPath.join('.'), key);
      record(value, keyPath, tell);
    }
  } else if (isSeq(node)) {
    for (const [i, item] of node.items.entries()) {
      const itemPath = [...path, String(i)];
      if (isNode(item)) tell(itemPath.join('.'), item);
      record(item, itemPath, tell);
    }
  }
}

/** `scope:` with all its options commented out is null in YAML and means nothing was said. */
function withoutEmpty(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

async function readModule(file: string): Promise<Layer> {
  await readText(file);
  const name = basename(file);
  const values = await evaluate(file, name);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new UserError(
      'config',
      `${name}: the default export must be a configuration object`,
      'write: export default defineConfig({ … })',
    );
  }
  return layerFrom(values as Record<string, unknown>, name);
}

/** jiti is loaded here only: Node 20 cannot import TypeScript, and users of YAML need not pay for it. */
async function evaluate(file: string, name: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  // `import … from 'freshet'` means this very Freshet, also when npx runs it and nothing is installed beside the file.
  const freshet: unknown = await import(new URL(`../index${extname(import.meta.url)}`, import.meta.url).href);
  const jiti = createJiti(import.meta.url, { virtualModules: { freshet } });
  let giveUp = (): void => {};
  const stuck = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error('it awaits something that never comes'));
  });
  // Nothing is left to do and the file has not ended: Node would leave here without a word.
  process.once('beforeExit', giveUp);
  try {
    return await Promise.race([jiti.import(file, { default: true }), stuck]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError('config', `${name}: ${reason}`, 'the file could not be run', { cause: error });
  } finally {
    process.off('beforeExit', giveUp);
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError('config', `cannot read ${file}: ${reason}`, 'check the path given with --config', {
      cause: error,
    });
  }
}

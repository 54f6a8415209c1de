/** Imports point down (ARCHITECTURE.md): each layer of src/ imports only the layers named here, type imports included. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Layer {
  /** Paths below src/. */
  readonly files: RegExp;
  /** Layers it may import besides itself. */
  readonly imports: readonly LayerName[];
}

type LayerName = keyof typeof layerTable;

const words = ['words'] as const;
const pure = [...words, 'pure'] as const;
const adapter = [...pure, 'interfaces', 'store'] as const;
const engine = [...pure, 'interfaces', 'settings'] as const;
const adapters = ['store', 'frontier', 'search', 'archive', 'fetch', 'robots', 'threads'] as const;

/** The first layer whose pattern matches is a file's layer. */
const layerTable = {
  words: { files: /^(types|reasons|errors|clock|version|printable|log|metrics)\.ts$/, imports: [] },
  interfaces: {
    files:
      /^(fetch\/downloader|frontier\/frontier|search\/search-index|archive\/archive|robots\/robots-source)\.ts$/,
    imports: pure,
  },
  engine: {
    files: /^(crawl\/(crawler|committer|explain|removals|sites|submissions|visit[a-z-]*)\.ts|spider\/)/,
    imports: engine,
  },
  robots: { files: /^robots\/cache\.ts$/, imports: adapter },
  search: { files: /^search\/(sqlite|document-store|tombstones)\.ts$/, imports: adapter },
  pure: {
    files: /^(url|parse|robots|crawl|search)\/|^fetch\/(headers|http-date|request|request-body)\.ts$/,
    imports: words,
  },
  settings: { files: /^config(\.ts|\/)/, imports: pure },
  store: { files: /^store\//, imports: pure },
  frontier: { files: /^frontier\//, imports: adapter },
  threads: { files: /^threads\//, imports: pure },
  archive: { files: /^archive\//, imports: adapter },
  fetch: { files: /^fetch\//, imports: adapter },
  demo: { files: /^demo\//, imports: words },
  node: { files: /^node(-\w+)?\.ts$/, imports: [...engine, ...adapters, 'engine'] },
  web: { files: /^web\//, imports: [...engine, 'store'] },
  shells: {
    files: /^(cli|mcp)\/|^index\.ts$/,
    imports: [...engine, 'engine', 'store', 'demo', 'node', 'web'],
  },
} as const;

const layers: Readonly<Record<LayerName, Layer>> = layerTable;
const root = join(import.meta.dirname, '../src');

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  .sort();

describe('imports point down', () => {
  test.each(files)('%s', (path) => {
    const from = layerOf(path);
    const wrong = importsOf(path).filter((target) => {
      const to = layerOf(target);
      return to !== from && !layers[from].imports.includes(to);
    });
    expect(
      wrong,
      `${path} is in the layer ${from}, which imports ${layers[from].imports.join(', ')}`,
    ).toEqual([]);
  });
});

function layerOf(path: string): LayerName {
  const found = (Object.keys(layers) as LayerName[]).find((name) => layers[name].files.test(path));
  if (found === undefined) throw new Error(`src/${path} belongs to no layer: give it one in this file`);
  return found;
}

function importsOf(path: string): string[] {
  const source = readFileSync(join(root, path), 'utf8');
  const found = source.matchAll(/^(?:import|export|\})[^'"\n]*from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm);
  return [...found].map((match) => normalize(join(dirname(path), match[1] ?? match[2] ?? '')));
}

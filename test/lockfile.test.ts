/** What is installed with us is exactly what was reviewed: whole, from the registry, and running nothing but what is told. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

interface Package {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, Package>>;
};
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
const manifest = JSON.parse(read('package.json')) as Package & { scripts: Readonly<Record<string, string>> };

describe('package-lock.json', () => {
  test('holds a hash of every package', () => {
    const unhashed = packages.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
    expect(packages.length).toBeGreaterThan(100);
    expect(unhashed).toEqual([]);
  });

  test('names no place: each package is a version of the registry in use, none a repository, a URL or a folder', () => {
    const placed = packages.filter(
      ([path, { version = '', resolved, link, inBundle }]) =>
        resolved !== undefined ||
        link === true ||
        inBundle === true ||
        !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version) ||
        !/(^|\/)node_modules\/(@[\w.-]+\/)?[\w.-]+$/.test(path),
    );
    expect(placed).toEqual([]);
  });

  test('is of this package.json', () => {
    const { dependencies, devDependencies } = manifest;
    expect(lock.packages['']).toMatchObject({ dependencies, devDependencies });
  });

  test('runs scripts at installation for those packages only that docs/dependencies.md tells of', () => {
    const running = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const told = /^## What runs when it is installed$([^#]*)/m.exec(read('docs/dependencies.md'))?.[1] ?? '';
    const names = [...told.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => `node_modules/${name}`);
    expect(names.length).toBeGreaterThan(0);
    expect(running.map(([path]) => path)).toEqual(names);
  });
});

describe('package.json', () => {
  test('asks for versions only', () => {
    const wanted = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(wanted.filter((range) => !/^[~^]?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
  });

  test('runs nothing of its own when it is installed', () =>
    expect(
      Object.keys(manifest.scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name)),
    ).toEqual([]));
});

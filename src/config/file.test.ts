import {
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../config.ts';

/** Only root can give files away. */
const isRoot = process.getuid?.() === 0;
if (!isRoot)
  process.stderr.write('SKIPPED: configuration files of other users, because only root can make them\n');

const STRANGER = 65_534;
const OTHER = 12_345;

describe.skipIf(!isRoot)('a configuration file of another user', () => {
  let shared: string;
  let below: string;
  beforeEach(() => {
    shared = mkdtempSync(join(tmpdir(), 'freshet-shared-'));
    below = join(shared, 'work');
    mkdirSync(below);
  });
  afterEach(() => rmSync(shared, { recursive: true }));

  /** Makes a file that leaves a mark when it is run. */
  function plant(name: string, owner: number): string {
    const file = join(shared, name);
    const code = `import { writeFileSync } from 'node:fs'; writeFileSync('${shared}/ran', ''); export default { name: 'theirs' };`;
    writeFileSync(file, /yaml|yml/.test(name) ? 'name: theirs' : code);
    chownSync(file, owner, owner);
    return file;
  }

  const nameIn = (cwd: string, file?: string): Promise<string> =>
    loadConfig({ cwd, env: {}, file }).then(
      ({ config }) => config.name,
      (error: Error) => error.message,
    );

  test.each([
    'freshet.config.ts',
    'freshet.config.mts',
    'freshet.config.js',
    'freshet.config.mjs',
    'freshet.yaml',
  ])('is neither read nor run, found above or in a shared folder one works in: %s', async (name) => {
    const file = plant(name, STRANGER);
    for (const cwd of [below, shared]) {
      expect(await nameIn(cwd)).toBe(`${file} belongs to another user and was not read`);
    }
    expect(existsSync(join(shared, 'ran'))).toBe(false);
  });

  test('is not read above, though the folder is theirs as well', async () => {
    plant('freshet.config.ts', STRANGER);
    chownSync(shared, STRANGER, STRANGER);
    expect(await nameIn(below)).toContain('belongs to another user');
    expect(existsSync(join(shared, 'ran'))).toBe(false);
  });

  test('nor is a link of theirs to a file that is not', async () => {
    const target = plant('real.ts', 0);
    symlinkSync(target, join(shared, 'freshet.config.ts'));
    lchownSync(join(shared, 'freshet.config.ts'), STRANGER, STRANGER);
    expect(await nameIn(shared)).toContain('belongs to another user');
    expect(existsSync(join(shared, 'ran'))).toBe(false);
  });

  test('is not read in the folder of a third', async () => {
    plant('freshet.config.ts', STRANGER);
    chownSync(shared, OTHER, OTHER);
    expect(await nameIn(shared)).toContain('belongs to another user');
  });

  test('is read when it is named, or when one works in the folder of its owner', async () => {
    const file = plant('freshet.config.ts', STRANGER);
    expect(await nameIn(below, file)).toBe('theirs');
    chownSync(shared, STRANGER, STRANGER);
    expect(await nameIn(shared)).toBe('theirs');
  });

  test('is told apart from one of our own', async () => {
    plant('freshet.config.ts', 0);
    expect(await nameIn(below)).toBe('theirs');
    expect(existsSync(join(shared, 'ran'))).toBe(true);
  });
});

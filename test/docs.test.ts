/** What the documentation says is so: its examples run, its tables are complete, its links lead somewhere. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { optionPaths } from '../src/config/schema.ts';
import { loadConfig } from '../src/config.ts';
import { exitCodes } from '../src/errors.ts';
import * as freshet from '../src/index.ts';
import { reasons } from '../src/reasons.ts';
import { codeBlocks, linkedPaths, runBlock } from './support/doctest.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const pages = ['.', 'docs', 'docs/decisions', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** The command line as its sources define it, so that no command or flag is added without a word about it. */
const commandFiles = readdirSync(join(root, 'src/cli'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => read(`src/cli/${name}`));
const commands = commandFiles.flatMap((text) =>
  [...text.matchAll(/\.command\('(\w+)/g)].map(([, name]) => name),
);
const flags = commandFiles.flatMap((text) =>
  [...text.matchAll(/\.option\(\s*'(?:-\w, )?(--[\w-]+)/g)].map(([, flag]) => flag),
);

describe('every page', () => {
  test.each(pages)('%s: links lead somewhere', (page) => {
    const missing = linkedPaths(read(page)).filter((path) => !existsSync(resolve(root, dirname(page), path)));
    expect(missing).toEqual([]);
  });

  test.each(pages)('%s: lines fit a screen', (page) => {
    // Rows of tables cannot be broken.
    const long = read(page)
      .split('\n')
      .filter((line) => line.length > 130 && !line.startsWith('|'));
    expect(long).toEqual([]);
  });
});

describe('docs/cli.md', () => {
  const text = read('docs/cli.md');

  test.each(commands)('has a section on %s', (command) =>
    expect(text).toMatch(new RegExp(`^## ${command}$`, 'm')),
  );
  test.each(flags)('names %s', (flag) => expect(text).toContain(`${flag}`));
  test.each(Object.entries(exitCodes))('explains exit code %s (%i)', (_, code) =>
    expect(text).toMatch(new RegExp(`^\\| ${code} \\| \\S`, 'm')),
  );
});

describe('docs/reasons.md', () => {
  const text = read('docs/reasons.md');

  test.each(Object.entries(reasons))('has %s with its sentence', (code, sentence) =>
    expect(text).toContain(`| \`${code}\` | ${sentence} |`),
  );
  test('has no other', () => {
    const named = [...text.matchAll(/^\| `([\w.-]+)` \|/gm)].map(([, code]) => code);
    expect(named.sort()).toEqual(Object.keys(reasons).sort());
  });
});

describe('docs/configuration.md', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'freshet-docs-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const blocks = codeBlocks(read('docs/configuration.md'), 'yaml');

  test.each(blocks)('example %#: is accepted', async (yaml) => {
    writeFileSync(join(folder, 'freshet.yaml'), yaml);
    const { config } = await loadConfig({ cwd: folder, env: {} });
    expect(config.sites).not.toEqual([]);
  });

  test('the complete example has every option, at its default where it has one', async () => {
    const yaml = blocks.at(-1) ?? '';
    writeFileSync(join(folder, 'freshet.yaml'), yaml);
    const complete = await loadConfig({ cwd: folder, env: {} });
    expect([...complete.origins.keys()]).toEqual(expect.arrayContaining(optionPaths()));

    const sites = yaml.slice(yaml.indexOf('\nsites:'), yaml.indexOf('\nscope:'));
    writeFileSync(join(folder, 'freshet.yaml'), `${sites}\n`);
    const bare = await loadConfig({ cwd: folder, env: {} });
    const named = { name: 'Example search', contact: 'webmaster@example.org' };
    // Rules remember their lines, which differ.
    expect({ ...complete.config, sites: [] }).toEqual({ ...bare.config, ...named, sites: [] });
  });
});

test('an example that is wrong is told', () => {
  const { checks, failures } = runBlock("1 + 1;  // → 2\n1 + 2;\n// → { a: 1 }\n'x';  // 'y'", {});
  expect(checks).toBe(3);
  expect(failures).toEqual(['1 + 2 is 3', '\'x\' is "x"']);
});

test('docs/data.md tells what is in every table', () => {
  const tables = [...read('src/store/migrations.ts').matchAll(/CREATE (?:VIRTUAL )?TABLE (\w+)/g)];
  const text = read('docs/data.md');
  expect(tables.length).toBeGreaterThan(10);
  expect(tables.map(([, name]) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

describe('docs/toolkit.md', () => {
  const text = read('docs/toolkit.md');

  test.each(codeBlocks(text, 'js'))('example %#', (code) => {
    const { checks, failures } = runBlock(code, freshet);
    expect(failures).toEqual([]);
    expect(checks).toBeGreaterThan(0);
  });

  test.each(Object.keys(freshet))('mentions %s', (name) => expect(text).toMatch(new RegExp(`\\b${name}\\b`)));
});

describe('README.md', () => {
  test.each(codeBlocks(read('README.md'), 'ts'))('example %#', (code) => {
    const { checks, failures } = runBlock(code, freshet);
    expect(failures).toEqual([]);
    expect(checks).toBeGreaterThan(0);
  });

  test.each([
    ['README.md', 'README.zh-CN.md'],
    ['docs/quick-start.md', 'docs/quick-start.zh-CN.md'],
  ])('%s and %s show the same commands and lead to the same pages', (english, chinese) => {
    expect(commandsIn(chinese)).toEqual(commandsIn(english));
    expect(topicsOf(chinese)).toEqual(topicsOf(english));
  });

  test.each(['README.md', 'docs/quick-start.md', 'docs/cli.md'])(
    '%s uses commands and flags that exist',
    (page) => {
      for (const line of commandsIn(page).filter((line) => line.startsWith('freshet '))) {
        const [, command = '', ...rest] = line.split(/\s+/);
        expect([...commands, 'help'].map(String)).toContain(command);
        for (const word of rest.filter((word) => word.startsWith('--') && word !== '--'))
          expect(flags).toContain(word);
      }
    },
  );
});

describe('SECURITY.md', () => {
  const links = read('SECURITY.md').matchAll(/\]\(([^)]+\.test\.tsx?)\)((?:,? “[^”]+”)+)/g);
  const proofs = [...links].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => [file, title]),
  );

  test.each(proofs)('%s has “%s”', (file = '', title = '') => expect(read(file)).toContain(title));
});

describe('docs/dependencies.md', () => {
  const rows = [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)` \| (\S+) \|/gm)];
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };

  test('lists every runtime dependency', () =>
    expect(rows.map(([, name]) => name).sort()).toEqual(Object.keys(dependencies).sort()));
  test.each(rows.map(([, name = '', licence = '']) => [name, licence]))('%s is %s', (name, licence) =>
    expect(JSON.parse(read(`node_modules/${name}/package.json`))).toMatchObject({ license: licence }),
  );
});

/** Commands in the unlabelled blocks of a page: what comes before a comment, without the words behind two spaces. */
function commandsIn(path: string): string[] {
  return codeBlocks(read(path), '')
    .flatMap((block) => block.split('\n'))
    .map((line) =>
      line
        .replace(/^\$ /, '')
        .replace(/(?: {2,}| # | \| ).*$/, '')
        .trim(),
    )
    .filter((line) => /^(?:freshet|npm|npx|node|git|FRESHET)\b/.test(line));
}

/** Pages linked to; those of a language of their own count as the same. */
function topicsOf(path: string): string[] {
  return linkedPaths(read(path))
    .map((target) => target.replace('.zh-CN', ''))
    .filter((target) => !path.replace('.zh-CN', '').endsWith(target));
}

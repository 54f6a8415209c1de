import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { userAgentOf } from './config/user-agent.ts';
import {
  type ConfigInput,
  configSchemaJson,
  defaultConfig,
  defineConfig,
  type LoadedConfig,
  loadConfig,
  type Override,
} from './config.ts';
import { UserError } from './errors.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'freshet-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text);
const load = (env: Record<string, string> = {}, overrides: Override[] = []): Promise<LoadedConfig> =>
  loadConfig({ cwd, env, overrides });
const complaint = (loading: Promise<LoadedConfig>): Promise<string> =>
  loading.then(
    () => 'nothing',
    (error: unknown) => {
      if (!(error instanceof UserError) || error.exit !== 'config') throw error;
      return error.message;
    },
  );

describe('defaults', () => {
  test('are those of the requirements, in milliseconds and bytes', () => {
    expect(defaultConfig()).toMatchObject({
      sites: [],
      scope: { maxDepth: 5, maxPages: 10_000, maxBytes: null, maxUrlLength: 2_048 },
      politeness: { delayMs: 1_000, perHost: 2, robotsCacheMs: 86_400_000 },
      limits: {
        connectMs: 10_000,
        maxBodyBytes: 5_242_880,
        maxHeaderBytes: 65_536,
        queueCapacity: 10_000,
        queueWaitMs: 5_000,
      },
      refresh: {
        initialMs: 3_600_000,
        minMs: 1_800_000,
        policy: 'optimal',
        budget: null,
        maxMs: null,
        unchangedFactor: 1.5,
        deleteAfterMissing: 3,
      },
      serve: { host: '127.0.0.1', port: 7_700 },
      security: { allowPrivate: [] },
    });
  });

  test('hold when there is no file; the data folder is beside the user', async () => {
    const { config, file, origins } = await load();
    expect(file).toBeNull();
    expect(origins.size).toBe(0);
    expect(config).toEqual({
      ...defaultConfig(),
      storage: { ...defaultConfig().storage, dir: join(cwd, '.freshet') },
    });
  });
});

describe('files', () => {
  test('YAML, with the line of every rule', async () => {
    write(
      'freshet.yaml',
      `version: 1
name: example
sites:
  - start: [https://docs.example.org/]
    include:
      - /docs/**
    exclude: ["/print/**",
              "*?sort=*"]
    label: 文档
scope: { depth: 3 }
politeness:
  delay: 2s   # gentle
refresh:
`,
    );
    const { config, file, origins } = await load();
    expect(file).toBe(join(cwd, 'freshet.yaml'));
    expect(config.sites).toEqual([
      {
        start: ['https://docs.example.org/'],
        include: [{ pattern: '/docs/**', origin: 'freshet.yaml:6' }],
        exclude: [
          { pattern: '/print/**', origin: 'freshet.yaml:7' },
          { pattern: '*?sort=*', origin: 'freshet.yaml:8' },
        ],
        sitemaps: 'auto',
        label: '文档',
      },
    ]);
    expect(config.politeness).toEqual({ ...defaultConfig().politeness, delayMs: 2_000 });
    expect(config.refresh).toEqual(defaultConfig().refresh);
    expect(origins.get('politeness.delay')).toBe('freshet.yaml:12');
  });

  test('an empty file is a file of defaults', async () => {
    write('freshet.yaml', '# nothing yet\n');
    expect((await load()).config.name).toBe('Freshet');
  });

  test.each(['ts', 'mts', 'js'])('freshet.config.%s', async (extension) => {
    const types = extension === 'js' ? '' : ': number';
    write(
      `freshet.config.${extension}`,
      `const depth${types} = 2;\nexport default { scope: { depth }, sites: [{ start: ['https://a.example/'], exclude: ['/x'] }] };`,
    );
    const { config } = await load();
    expect(config.scope.maxDepth).toBe(2);
    expect(config.sites[0]?.exclude).toEqual([{ pattern: '/x', origin: `freshet.config.${extension}` }]);
  });

  test('a TypeScript file may import from freshet, installed beside it or not', async () => {
    write(
      'freshet.config.ts',
      "import { defineConfig } from 'freshet';\nexport default defineConfig({ name: 'typed' });",
    );
    expect((await load()).config.name).toBe('typed');
  });

  test('is found upward, and the data folder lies beside it', async () => {
    write('freshet.yaml', 'name: up');
    const below = join(cwd, 'a/b');
    mkdirSync(below, { recursive: true });
    const { config, file } = await loadConfig({ cwd: below, env: {} });
    expect(file).toBe(join(cwd, 'freshet.yaml'));
    expect(config.storage.dir).toBe(join(cwd, '.freshet'));
    expect((await loadConfig({ cwd: below, env: { FRESHET_DATA: 'd' } })).config.storage.dir).toBe(
      join(below, 'd'),
    );
  });

  test.each([
    ['freshet.yaml', 'name: [a', /^freshet\.yaml:\d: /],
    ['freshet.yaml', 'a: 1\na: 2\n', /^freshet\.yaml:2: Map keys must be unique/],
    ['freshet.yaml', '- a\n', /^freshet\.yaml:1: must be a block of options/],
    ['freshet.config.ts', 'export default 5;', /the default export must be a configuration object/],
    ['freshet.config.ts', 'throw new Error("boom");', /^freshet\.config\.ts: boom/],
  ])('broken %s %j', async (name, text, expected) => {
    write(name, text);
    expect(await complaint(load())).toMatch(expected);
  });

  test('two files, a missing file and another kind of file are refused', async () => {
    write('freshet.yaml', '');
    write('freshet.config.js', '');
    expect(await complaint(load())).toMatch('has both freshet.yaml and freshet.config.js');
    expect(await complaint(loadConfig({ cwd, env: { FRESHET_CONFIG: 'no.yaml' } }))).toMatch('cannot read');
    expect(await complaint(loadConfig({ cwd, env: {}, file: 'freshet.toml' }))).toMatch(
      'neither YAML nor TypeScript',
    );
  });
});

describe('precedence', () => {
  test('flags over variables over the file over defaults', async () => {
    write(
      'freshet.yaml',
      'scope: { depth: 1, max_params: 1, max_pages: 1 }\nsites: [{ start: [https://a.example/], exclude: [/a, /b] }]',
    );
    const { config, origins } = await load({ FRESHET_SCOPE_DEPTH: '2', FRESHET_SCOPE_MAX_PARAMS: '2' }, [
      { path: 'scope.depth', value: '3', origin: '--depth' },
      { path: 'sites', value: [{ start: ['https://b.example/'] }], origin: 'command line' },
    ]);
    expect(config.scope).toMatchObject({ maxDepth: 3, maxParams: 2, maxPages: 1, maxSegments: 16 });
    expect(config.sites).toHaveLength(1);
    expect(Object.fromEntries(origins)).toMatchObject({
      'scope.depth': '--depth',
      'scope.max_params': 'FRESHET_SCOPE_MAX_PARAMS',
      'scope.max_pages': 'freshet.yaml:1',
      sites: 'command line',
    });
    expect(origins.has('sites.0.exclude.1')).toBe(false);
  });

  test('variables are text read as each option needs it', async () => {
    const { config } = await load({
      FRESHET_NAME: '007',
      FRESHET_POLITENESS_DELAY: '250',
      FRESHET_SCOPE_SUBDOMAINS: 'true',
      FRESHET_SERVE_ALLOWED_HOSTS: 'a.example, b.example',
      FRESHET_CONTENT_SNAPSHOTS_KEEP: '2',
      FRESHET_ORDER: 'best',
      FRESHET_CONTACT: '',
    });
    expect(config.name).toBe('007');
    expect(config.politeness.delayMs).toBe(250);
    expect(config.scope.hasSubdomains).toBe(true);
    expect(config.serve.allowedHosts).toEqual(['a.example', 'b.example']);
    expect(config.content.snapshots.keep).toBe(2);
    expect(config.order).toBe('best');
    expect(config.contact).toBeNull();
  });

  test.each([
    ['0', 'FRESHET_SCOPE_MAX_PAGES: scope.max_pages must be at least 1 (found 0)'],
    ['-1', 'FRESHET_SCOPE_MAX_PAGES: scope.max_pages must be at least 1 (found -1)'],
    ['1.5', 'FRESHET_SCOPE_MAX_PAGES: scope.max_pages must be a whole number (found 1.5)'],
    ['many', 'FRESHET_SCOPE_MAX_PAGES: scope.max_pages must be a number (found "many")'],
  ])('%s where a number of pages is wanted', async (value, problem) => {
    expect(await complaint(load({ FRESHET_SCOPE_MAX_PAGES: value }))).toBe(problem);
  });

  test.each([
    ['politeness.delay', 'is not a duration'],
    ['scope.max_time', 'is not a duration'],
    ['scope.depth', 'must be a number'],
    ['serve.port', 'must be a number'],
    ['archive.file', 'is not a size'],
  ])('a flag that sets %s to nothing is refused, not taken for 0', async (path, problem) => {
    for (const value of ['', ' ']) {
      expect(await complaint(load({}, [{ path, value, origin: '--flag' }]))).toContain(
        `--flag: ${path} ${problem}`,
      );
    }
  });

  test("other programs' variables are left alone, misspelt ones are not", async () => {
    await load({ FRESHET_SERVICE_HOST: '10.0.0.1', FRESHET_PORT: 'tcp://10.0.0.1:80', PATH: '/bin' });
    expect(await complaint(load({ FRESHET_SCOPE_DEPHT: '3' }))).toBe(
      'FRESHET_SCOPE_DEPHT is not an option; did you mean FRESHET_SCOPE_DEPTH?',
    );
    expect(await complaint(load({ FRESHET_POLITNESS_DELAY: '3s' }))).toMatch(
      'did you mean FRESHET_POLITENESS_DELAY?',
    );
  });
});

describe('mistakes are one clear line each', () => {
  test.each([
    ['scope: { depht: 3 }', 'freshet.yaml:1: scope.depht is not an option; did you mean scope.depth?'],
    ['\ndepth: 3', 'freshet.yaml:2: depth is not an option; did you mean scope.depth?'],
    ['politness: {}', 'freshet.yaml:1: politness is not an option; did you mean politeness?'],
    ['spiders: []', 'freshet.yaml:1: spiders is not an option'],
    [
      'sites:\n  - start: [https://a.example]\n    exlude: []',
      'freshet.yaml:3: sites[0].exlude is not an option; did you mean sites[].exclude?',
    ],
    ['? [a]\n: 1', 'freshet.yaml:1: a key must be a word'],
    ['name: up\nscope: { ? { a: 1 } : 1 }', 'freshet.yaml:2: a key must be a word'],
    ['\n~: 1', 'freshet.yaml:2: a key must be a word'],
    ['name: *other', 'freshet.yaml:1: *other is the name of nothing'],
    ['sites: [{ include: [/a] }]', 'freshet.yaml:1: sites[0].start is missing'],
    ['sites: [{ start: [] }]', 'freshet.yaml:1: sites[0].start needs at least one URL (found [])'],
    [
      'sites:\n - start:\n    - ftp://a.example',
      'freshet.yaml:3: sites[0].start[0] is not an http or https URL (found "ftp://a.example")',
    ],
    ['scope:\n  depth: -1', 'freshet.yaml:2: scope.depth must be at least 0 (found -1)'],
    [
      'security:\n  allow_private:\n    - 10.0.0.0/8\n    - 0.0.0.0/0',
      'freshet.yaml:4: security.allow_private[1] is wider than /8, which would switch the address guard off (found "0.0.0.0/0")',
    ],
    ['scope: { depth: many }', 'freshet.yaml:1: scope.depth must be a number (found "many")'],
    ['scope: { depth: 1.5 }', 'freshet.yaml:1: scope.depth must be a whole number (found 1.5)'],
    ['scope: 5', 'freshet.yaml:1: scope must be a block of options (found 5)'],
    ['order: random', 'freshet.yaml:1: order must be breadth or depth or best (found "random")'],
    ['version: 2', 'freshet.yaml:1: version must be 1 (found 2)'],
    ['name: 5', 'freshet.yaml:1: name must be text (found 5)'],
    ['scope: !!set { depth }', 'freshet.yaml:1: scope.depth must be a number (found null)'],
    ['scope: !!omap [depth: 1]', 'freshet.yaml:1: scope must be a block of options (found [{"depth":1}])'],
    ['%YAML 1.1\n---\nscope: !!set { depth }', 'freshet.yaml:3: scope.depth must be a number (found null)'],
    [
      'politeness: { delay: 2x }',
      'freshet.yaml:1: politeness.delay is not a duration: write for example 500ms, 1s, 30m, 12h or 30d (found "2x")',
    ],
    [
      'politeness: { robots_cache: 2d }',
      'freshet.yaml:1: politeness.robots_cache must be at most 24h (RFC 9309, 2.4) (found 172800000)',
    ],
    [
      'limits: { body: [1] }',
      'freshet.yaml:1: limits.body is not a size: write for example 500B, 64KB or 5MB (found [1])',
    ],
    ['refresh:\n  min: 2h\n  max: 1h', 'freshet.yaml:2: refresh.min must not be longer than refresh.max'],
    ['from: nobody', 'freshet.yaml:1: from is not a mail address (found "nobody")'],
    [
      'contact: "a\\r\\nX-Evil: 1"',
      'freshet.yaml:1: contact must be plain ASCII: it is sent in a request header (found "a\\r\\nX-Evil: 1")',
    ],
    [
      'user_agent: "a) evil/1 ("',
      'freshet.yaml:1: user_agent must not contain parentheses or backslashes (found "a) evil/1 (")',
    ],
  ])('%j', async (text, expected) => {
    write('freshet.yaml', text);
    expect(await complaint(load())).toContain(expected);
  });

  test.each([
    ['sequences', '['],
    ['blocks', '{a: '],
    ['lists', '- '],
    ['keys', '? '],
    ['keys and values', '? : '],
    ['empty keys', ': '],
  ])('nesting without end, of %s', async (_, level) => {
    write('freshet.yaml', `a:\n ${level.repeat(20_000)}`);
    expect(await complaint(load())).toBe('freshet.yaml: nested too deep');
  });

  test('what holds itself', async () => {
    write('freshet.yaml', 'name: &self { a: *self }');
    expect(await complaint(load())).toBe('freshet.yaml:1: name must be text (found object)');
  });

  test('aliases that multiply without end', async () => {
    const levels = [1, 2, 3, 4, 5, 6, 7].map((n) => `b${n}: &b${n} [${`*b${n - 1},`.repeat(9)}]`);
    write('freshet.yaml', ['b0: &b0 [x]', ...levels].join('\n'));
    expect(await complaint(load())).toContain('freshet.yaml: too many aliases');
  });

  test('a flag is named as it was typed', async () => {
    const overrides = [{ path: 'politeness.delay', value: 'soon', origin: '--delay' }];
    expect(await complaint(load({}, overrides))).toMatch(/^--delay: politeness\.delay is not a duration/);
  });

  test('any input whatever gives a Config or lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        writeFileSync(join(cwd, 'freshet.yaml'), JSON.stringify(value));
        await complaint(load());
      }),
      { numRuns: 50 },
    );
  });
});

test('the JSON Schema describes what people write', () => {
  const schema = JSON.parse(JSON.stringify(configSchemaJson()));
  expect(schema.additionalProperties).toBe(false);
  expect(schema.properties.politeness.properties.delay).toEqual({
    default: '1s',
    description: expect.stringContaining('Rest between'),
    type: ['string', 'number'],
  });
});

test('docs/configuration.md lists every option with its default', () => {
  const docs = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8');
  const rows = docs
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.replace(/ +/g, ' '));
  expect(rows).toEqual(rowsOf(JSON.parse(JSON.stringify(configSchemaJson())), ''));
});

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly default?: unknown;
  readonly description?: string;
}

function rowsOf(schema: JsonSchema, prefix: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, option]) => {
    if (option.properties) return rowsOf(option, `${prefix}${key}.`);
    if (option.items?.properties) return rowsOf(option.items, `${prefix}${key}[].`);
    const fallback =
      'default' in option ? `\`${JSON.stringify(option.default).replaceAll('"', '')}\`` : 'needed';
    return [`| \`${prefix}${key}\` | ${fallback} | ${option.description} |`];
  });
}

test('defineConfig gives a configuration its types', async () => {
  const input: ConfigInput = defineConfig({ scope: { depth: 2 }, politeness: { delay: '2s' } });
  expect(input.scope?.depth).toBe(2);
});

test('the User-Agent names product, version and contact', () => {
  expect(userAgentOf({ contact: null, userAgent: null }, '1.0')).toBe('freshet/1.0');
  expect(userAgentOf({ contact: 'me@example.org', userAgent: null }, '1.0')).toBe(
    'freshet/1.0 (+me@example.org)',
  );
  expect(userAgentOf({ contact: 'me@example.org', userAgent: 'study; +https://x.example' }, '1.0')).toBe(
    'freshet/1.0 (study; +https://x.example)',
  );
});

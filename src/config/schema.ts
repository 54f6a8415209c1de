/**
 * The one schema of the configuration: names, defaults and rules of every option, and the JSON Schema editors complete
 * YAML with. Files, environment and flags all come through here, so each is refused for the same reasons.
 */
import { z } from 'zod';
import { allowListProblem } from '../url/address.ts';
import type { ConfigInput } from './input.ts';
import type { Config, Rule } from './shape.ts';
import { parseDuration, parseSize } from './units.ts';

/** What is wrong with one option. */
export interface Problem {
  /** `scope.depth`, `sites.0.start`. */
  readonly path: string;
  /** Continues the sentence that begins with the option's name; null: the option does not exist. */
  readonly message: string | null;
  /** The value found; undefined: none. */
  readonly found: unknown;
}

export type Checked = { readonly config: Config } | { readonly problems: readonly Problem[] };

/** Where a value was written, by its path: `sites.0.exclude.1` → `freshet.yaml:23`. */
export type OriginOf = (path: string) => string;

/** Checks a complete input and turns it into a Config. `storage.dir` stays as written. Never throws. */
export function checkConfig(input: unknown, originOf: OriginOf): Checked {
  const result = schema.safeParse(input, { error: describeIssue, reportInput: true });
  if (result.success) return { config: toConfig(result.data, originOf) };
  return { problems: result.error.issues.flatMap(problemsOf) };
}

/** The JSON Schema (2020-12) of a configuration file. */
export function configSchemaJson(): object {
  return z.toJSONSchema(schema, { io: 'input' });
}

/** Paths of all options that hold one value or a list: `name`, `scope.depth`, `serve.allowed_hosts`. */
export function optionPaths(): string[] {
  return [...options.keys()];
}

/** Would the option at `path` take this value? False when there is no such option. */
export function isAccepted(path: string, value: unknown): boolean {
  const type = options.get(path);
  return type !== undefined && z.safeParse(type, value).success;
}

const text = (what: string) => z.string().trim().min(1, 'must not be empty').describe(what);

const optional = <Output, Input>(type: z.ZodType<Output, Input>, what: string) =>
  type.nullable().prefault(null).describe(what);

/** Goes into a request header, so plain ASCII without control characters; parentheses would end the User-Agent's comment. */
const headerText = (what: string) =>
  optional(
    text(what)
      .regex(/^[\x20-\x7e]*$/, 'must be plain ASCII: it is sent in a request header')
      .regex(/^[^()\\]*$/, 'must not contain parentheses or backslashes'),
    what,
  );

const count = (fallback: number, min: number, max: number, what: string) =>
  z.int().min(min).max(max).prefault(fallback).describe(what);

const share = (fallback: number, what: string) => z.number().min(0).max(1).prefault(fallback).describe(what);

const duration = (what: string) =>
  measured(parseDuration, 'is not a duration: write for example 500ms, 1s, 30m, 12h or 30d').describe(what);

const size = (what: string) =>
  measured(parseSize, 'is not a size: write for example 500B, 64KB or 5MB').describe(what);

const measured = (parse: (value: string | number) => number | null, message: string) =>
  z.union([z.string(), z.number()], { error: message }).transform((value, context) => {
    const parsed = parse(value);
    if (parsed !== null) return parsed;
    context.issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  });

const list = (item: z.ZodString, what: string) => z.array(item).prefault([]).describe(what);

const site = z.strictObject({
  start: z
    .array(text('Where crawling begins').refine(isWebUrl, 'is not an http or https URL'))
    .min(1, 'needs at least one URL')
    .describe('URLs to begin with; their hosts are crawled'),
  include: list(text('Glob'), 'Globs on the path of pages to crawl; none: all'),
  exclude: list(text('Glob'), 'Globs on the path of pages to leave out'),
  sitemaps: z
    .union([z.enum(['auto', 'none']), z.array(z.string().refine(isWebUrl, 'is not an http or https URL'))], {
      error: 'must be auto, none or a list of URLs',
    })
    .prefault('auto')
    .describe('Sitemaps and feeds to read: auto, none or a list of URLs'),
  label: optional(text('Name'), 'Name of the site on the search page'),
});

const scope = z.strictObject({
  depth: count(5, 0, 1_000, 'Links away from a start URL'),
  subdomains: z.boolean().prefault(false).describe('Crawl subdomains of the start hosts too'),
  max_pages: count(10_000, 1, 1e9, 'Page requests per run; with --watch, new pages'),
  max_pages_per_host: count(10_000, 1, 1e9, 'Pages per host'),
  max_bytes: optional(size('Size'), 'Bytes received per run'),
  max_time: optional(duration('Time'), 'Time per run'),
  max_url_length: count(2_048, 64, 65_536, 'Characters of a URL'),
  max_params: count(10, 0, 1_000, 'Query parameters of a URL'),
  max_segments: count(16, 1, 1_000, 'Path segments of a URL'),
  strip_params: list(
    text('Parameter name'),
    'Query parameters to leave out, besides known tracking parameters',
  ),
});

const politeness = z.strictObject({
  delay: duration('Rest between two requests to a host; a longer Crawl-delay wins').prefault('1s'),
  per_host: count(2, 1, 64, 'Requests to one host at once'),
  concurrency: count(16, 1, 1_024, 'Requests at once, all hosts together'),
  jitter: share(0.2, 'Share by which a delay may grow at random'),
  robots_cache: duration('Longest time robots.txt is believed')
    .refine((ms) => ms <= 86_400_000, 'must be at most 24h (RFC 9309, 2.4)')
    .prefault('24h'),
  retry_after_max: duration('Longest Retry-After that delays one URL only').prefault('300s'),
});

const limits = z.strictObject({
  connect: duration('Time to connect').prefault('10s'),
  read: duration('Longest silence of a server').prefault('30s'),
  total: duration('Time for one request in all').prefault('120s'),
  body: size('Body after decoding').prefault('5MB'),
  headers: size('Header section').prefault('64KB'),
  redirects: count(5, 0, 20, 'Redirects in a row'),
  retries: count(3, 0, 20, 'Further tries after 429 and 5xx'),
  timeout_retries: count(1, 0, 20, 'Further tries after a timeout'),
  queue: count(10_000, 1, 1e7, 'URLs in the work queue; the rest wait on disk'),
  queue_wait: duration('Longest wait for room in the queue').prefault('5s'),
});

const refresh = z
  .strictObject({
    policy: z
      .enum(['optimal', 'adaptive'])
      .prefault('optimal')
      .describe('optimal: learn and plan within a budget; adaptive: fixed factors'),
    budget: optional(
      z.int().min(1).max(1e9),
      'Visits a day to known pages, on average; none: a fifth of them',
    ),
    initial: duration('First interval between visits (adaptive)').prefault('1h'),
    min: duration('Shortest interval').prefault('30m'),
    max: optional(
      duration('Longest interval'),
      'Longest interval; none: 30d (adaptive), 90d or more (optimal)',
    ),
    unchanged: z
      .number()
      .min(1)
      .max(100)
      .prefault(1.5)
      .describe('Factor on the interval when nothing changed (adaptive)'),
    changed: z
      .number()
      .positive()
      .max(1)
      .prefault(0.5)
      .describe('Factor on the interval when the page changed (adaptive)'),
    missing_recheck: duration('Wait before a page that answered 404 is tried again').prefault('1h'),
    delete_after_404: count(3, 1, 100, '404 answers in a row that remove a page'),
    safety: z
      .strictObject({
        max_removed: share(0.1, 'Share of a host that may be removed within the window'),
        window: duration('Window of the mass-loss brake').prefault('24h'),
      })
      .prefault({}),
    tombstones: duration('How long a removed page can be brought back').prefault('30d'),
    jitter: share(0.1, 'Share by which an interval may move at random'),
  })
  .refine((r) => r.min > 0, { path: ['min'], message: 'must be longer than 0' })
  .refine((r) => r.max === null || r.min <= r.max, {
    path: ['min'],
    message: 'must not be longer than refresh.max',
  });

const serve = z.strictObject({
  host: text('Address to listen on').prefault('127.0.0.1'),
  port: count(7_700, 0, 65_535, 'Port to listen on; 0: any free one'),
  base_url: optional(
    text('URL').refine(isWebUrl, 'is not an http or https URL'),
    'Address people use when a proxy stands in front',
  ),
  allowed_hosts: list(text('Host name'), 'Host header values to answer besides the address served on'),
});

const schema = z.strictObject({
  version: z.literal(1).prefault(1).describe('Version of this format'),
  name: text('Shown on the search page').prefault('Freshet'),
  contact: headerText('Mail address or page for site owners; goes into the User-Agent'),
  user_agent: headerText('Comment of the User-Agent in place of the contact'),
  from: optional(z.email('is not a mail address'), 'Mail address for the From header of requests'),
  sites: z.array(site).prefault([]).describe('What to crawl'),
  scope: scope.prefault({}).describe('How far the crawl goes'),
  politeness: politeness.prefault({}).describe('How gently servers are asked'),
  limits: limits.prefault({}).describe('What one request may cost'),
  refresh: refresh.prefault({}).describe('When pages are visited again'),
  order: z
    .enum(['breadth', 'depth', 'best'])
    .prefault('breadth')
    .describe('Which new pages come first: breadth, depth or best'),
  archive: z
    .strictObject({
      warc: z.boolean().prefault(false).describe('Keep every exchange in WARC files too'),
      file: size('Size of a WARC file, from 1MB on')
        .refine((bytes) => bytes >= 1024 ** 2, 'must be at least 1MB')
        .prefault('1GB'),
    })
    .prefault({}),
  content: z
    .strictObject({
      snapshots: z.strictObject({ keep: count(5, 0, 1_000, 'Versions of a page kept') }).prefault({}),
    })
    .prefault({}),
  search: z.strictObject({ page_size: count(10, 1, 100, 'Results on a page') }).prefault({}),
  serve: serve.prefault({}).describe('The search page'),
  security: z
    .strictObject({
      allow_private: list(
        text('Address').check(({ value, issues }) => {
          const problem = allowListProblem(value);
          if (problem !== null) issues.push({ code: 'custom', message: problem, input: value });
        }),
        'CIDR blocks, host names or host:port to crawl although not public',
      ),
    })
    .prefault({}),
  storage: z
    .strictObject({
      dir: text('Data folder, beside the file that names it').prefault('.freshet'),
      synchronous: z
        .enum(['normal', 'full'])
        .prefault('normal')
        .describe('full: commits survive a power cut as well'),
      cache: size('Page cache of the database').prefault('64MB'),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: z
        .enum(['debug', 'info', 'warn', 'error'])
        .prefault('info')
        .describe('Least important events logged: debug, info, warn or error'),
      format: z
        .enum(['auto', 'pretty', 'json'])
        .prefault('auto')
        .describe('pretty, json, or auto: pretty on a terminal'),
    })
    .prefault({}),
}) satisfies z.ZodType<unknown, ConfigInput>;

/** Options that hold one value or a list, by path. */
const options: ReadonlyMap<string, z.core.$ZodType> = new Map(leaves(schema, ''));

function* leaves(
  object: z.core.$ZodObject,
  prefix: string,
): Generator<[path: string, type: z.core.$ZodType]> {
  for (const [key, type] of Object.entries(object._zod.def.shape)) {
    const inner = type instanceof z.core.$ZodPrefault ? type._zod.def.innerType : type;
    if (inner instanceof z.core.$ZodObject) yield* leaves(inner, `${prefix}${key}.`);
    else yield [prefix + key, type];
  }
}

function isWebUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a block of options',
};

/** The sentence for what zod finds, where the schema has none of its own. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.join(' or ')}`;
    case 'too_small':
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return 'is not valid';
  }
}

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: path.join('.'), message: issue.message, found: issue.input }];
  }
  return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: null, found: undefined }));
}

function toConfig(file: z.output<typeof schema>, originOf: OriginOf): Config {
  const rules = (patterns: readonly string[], path: string): Rule[] =>
    patterns.map((pattern, i) => ({ pattern, origin: originOf(`${path}.${i}`) }));
  return {
    name: file.name,
    contact: file.contact,
    userAgent: file.user_agent,
    from: file.from,
    sites: file.sites.map((site, i) => ({
      ...site,
      include: rules(site.include, `sites.${i}.include`),
      exclude: rules(site.exclude, `sites.${i}.exclude`),
    })),
    scope: toScope(file.scope),
    politeness: {
      delayMs: file.politeness.delay,
      perHost: file.politeness.per_host,
      concurrency: file.politeness.concurrency,
      jitter: file.politeness.jitter,
      robotsCacheMs: file.politeness.robots_cache,
      retryAfterMaxMs: file.politeness.retry_after_max,
    },
    limits: toLimits(file.limits),
    refresh: toRefresh(file.refresh),
    order: file.order,
    archive: { hasWarc: file.archive.warc, maxFileBytes: file.archive.file },
    content: file.content,
    search: { pageSize: file.search.page_size },
    serve: {
      host: file.serve.host,
      port: file.serve.port,
      baseUrl: file.serve.base_url,
      allowedHosts: file.serve.allowed_hosts,
    },
    security: { allowPrivate: file.security.allow_private },
    storage: {
      dir: file.storage.dir,
      synchronous: file.storage.synchronous,
      cacheBytes: file.storage.cache,
    },
    log: file.log,
  };
}

function toScope(block: z.output<typeof scope>): Config['scope'] {
  return {
    maxDepth: block.depth,
    hasSubdomains: block.subdomains,
    maxPages: block.max_pages,
    maxPagesPerHost: block.max_pages_per_host,
    maxBytes: block.max_bytes,
    maxTimeMs: block.max_time,
    maxUrlLength: block.max_url_length,
    maxParams: block.max_params,
    maxSegments: block.max_segments,
    stripParams: block.strip_params,
  };
}

function toLimits(block: z.output<typeof limits>): Config['limits'] {
  return {
    connectMs: block.connect,
    readMs: block.read,
    totalMs: block.total,
    maxBodyBytes: block.body,
    maxHeaderBytes: block.headers,
    maxRedirects: block.redirects,
    maxRetries: block.retries,
    maxTimeoutRetries: block.timeout_retries,
    queueCapacity: block.queue,
    queueWaitMs: block.queue_wait,
  };
}

function toRefresh(block: z.output<typeof refresh>): Config['refresh'] {
  return {
    policy: block.policy,
    budget: block.budget,
    initialMs: block.initial,
    minMs: block.min,
    maxMs: block.max,
    unchangedFactor: block.unchanged,
    changedFactor: block.changed,
    missingRecheckMs: block.missing_recheck,
    deleteAfterMissing: block.delete_after_404,
    safety: { maxRemoved: block.safety.max_removed, windowMs: block.safety.window },
    tombstonesMs: block.tombstones,
    jitter: block.jitter,
  };
}

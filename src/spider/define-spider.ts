/**
 * `defineSpider` checks a definition once, so that whatever runs it has nothing to check again. The types see to it that labels
 * exist and that items fit their schema: a misspelt one does not compile.
 */
import { parseDuration } from '../config/units.ts';
import { UserError } from '../errors.ts';
import { normalizeUrl } from '../url/normalize.ts';
import { type DelayRanges, delayRanges } from './delay.ts';
import type {
  Delays,
  DownloaderName,
  Handler,
  Hooks,
  ItemSchema,
  PipelineStep,
  RequestOptions,
  RunLimits,
  Schedule,
  SpiderScope,
} from './spider.ts';
import { type Stage, stagesOf } from './stage.ts';

/** Where a spider starts: URLs, or requests with options and a label. */
export type Start<Label extends string> =
  | string
  | ({ readonly url: string; readonly label?: Label | 'parse' } & RequestOptions);

export interface SpiderDefinition<Label extends string, In, Out> {
  /** Its name in the data folder, on the command line and in reports: letters, digits, `-`, `_` and `.`. */
  readonly name: string;
  readonly start: readonly Start<NoInfer<Label>>[];
  readonly scope?: SpiderScope;
  readonly delays?: Delays;
  /** Requests under way at once; those of one host are bounded by the data folder's `politeness.per_host` besides. */
  readonly concurrency?: number;
  readonly limits?: RunLimits;
  /** Which request of a host comes first: breadth (default), depth, or best: by priority. */
  readonly order?: 'breadth' | 'depth' | 'best';
  readonly downloader?: DownloaderName;
  /** Header fields of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Keep cookies for the length of a run. */
  readonly cookies?: boolean;
  /** `http://user:password@host:port`, or `env:NAME` of a variable that holds it. */
  readonly proxy?: string;
  /** Statuses other than 2xx whose pages are handed to handlers all the same. */
  readonly accepts?: readonly number[];
  /** Stay when there is nothing to do, and wait for requests to be added. */
  readonly stays?: boolean;
  readonly schedule?: Schedule;
  /** Validates items; anything goes when absent. */
  readonly item?: ItemSchema<In, Out>;
  /** For start URLs and requests without a label. */
  readonly parse?: Handler<NoInfer<Label>, NoInfer<In>>;
  /** For requests by their label. */
  readonly handlers?: { readonly [L in Label]: Handler<NoInfer<Label>, NoInfer<In>> };
  /** What happens to each item, step by step. */
  readonly pipelines?: readonly PipelineStep<NoInfer<Out>>[];
  readonly hooks?: Hooks;
}

/** A spider ready to run. Made by `defineSpider`. */
export interface Spider {
  readonly name: string;
  readonly start: readonly Start<string>[];
  readonly scope: SpiderScope;
  readonly delays: DelayRanges;
  readonly concurrency: number;
  readonly limits: {
    readonly requests: number | null;
    readonly items: number | null;
    readonly bytes: number | null;
    readonly timeMs: number | null;
  };
  readonly order: 'breadth' | 'depth' | 'best';
  readonly downloader: DownloaderName;
  readonly headers: Readonly<Record<string, string>>;
  readonly hasCookies: boolean;
  readonly proxy: string | null;
  readonly accepts: ReadonlySet<number>;
  readonly stays: boolean;
  readonly schedule: Schedule | null;
  readonly schema: ItemSchema<unknown, unknown> | null;
  /** By label; `parse` among them. */
  readonly handlers: ReadonlyMap<string, Handler<string, unknown>>;
  readonly stages: readonly Stage[];
  readonly hooks: Hooks;
}

/** The label of start URLs and of requests that name none. */
export const DEFAULT_LABEL = 'parse';

const DEFAULT_CONCURRENCY = 16;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

/** Checks a definition. Throws UserError('config') that says what is wrong with which field. */
export function defineSpider<Label extends string = never, In = unknown, Out = In>(
  definition: SpiderDefinition<Label, In, Out>,
): Spider {
  const { name } = definition;
  const wrong = (problem: string): UserError => new UserError('config', `spider ${name}: ${problem}`);
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new UserError(
      'config',
      `a spider's name is made of letters, digits, - and _: ${JSON.stringify(name)}`,
    );
  }
  const handlers = handlersOf(definition);
  if (handlers.size === 0) throw wrong('it has no handler: give it parse');
  for (const start of definition.start) checkStart(start, handlers, wrong);
  return {
    name,
    start: definition.start,
    scope: definition.scope ?? {},
    delays: rangesOf(definition.delays, wrong),
    concurrency: countOf('concurrency', definition.concurrency, wrong) ?? DEFAULT_CONCURRENCY,
    limits: limitsOf(definition.limits ?? {}, wrong),
    order: definition.order ?? 'breadth',
    downloader: definition.downloader ?? 'http',
    headers: definition.headers ?? {},
    hasCookies: definition.cookies ?? false,
    proxy: definition.proxy ?? null,
    accepts: new Set(definition.accepts),
    stays: definition.stays ?? false,
    schedule: definition.schedule ?? null,
    schema: (definition.item ?? null) as Spider['schema'],
    handlers,
    stages: stagesOf((definition.pipelines ?? []) as readonly PipelineStep<unknown>[], wrong),
    hooks: definition.hooks ?? {},
  };
}

type Complain = (problem: string) => UserError;

/** Labels are checked where requests are made, so a handler may be given any page. */
function handlersOf(definition: {
  readonly parse?: unknown;
  readonly handlers?: object;
}): Spider['handlers'] {
  const handlers = new Map<string, Handler<string, unknown>>(Object.entries(definition.handlers ?? {}));
  if (definition.parse !== undefined)
    handlers.set(DEFAULT_LABEL, definition.parse as Handler<string, unknown>);
  return handlers;
}

function checkStart(start: Start<string>, handlers: ReadonlyMap<string, unknown>, wrong: Complain): void {
  const { url, label = DEFAULT_LABEL } = typeof start === 'string' ? { url: start } : start;
  if (normalizeUrl(url) === null) throw wrong(`start ${JSON.stringify(url)} is not a web address`);
  if (!handlers.has(label)) throw wrong(`there is no handler ${JSON.stringify(label)} for start ${url}`);
}

function rangesOf(delays: Delays | undefined, wrong: Complain): DelayRanges {
  try {
    return delayRanges(delays);
  } catch (error) {
    if (error instanceof RangeError) throw wrong(error.message);
    throw error;
  }
}

function limitsOf({ requests, items, bytes, time }: RunLimits, wrong: Complain): Spider['limits'] {
  const timeMs = time === undefined ? null : parseDuration(time);
  if (time !== undefined && timeMs === null)
    throw wrong(`limits.time ${JSON.stringify(time)} is no duration`);
  return {
    requests: countOf('limits.requests', requests, wrong),
    items: countOf('limits.items', items, wrong),
    bytes: countOf('limits.bytes', bytes, wrong),
    timeMs,
  };
}

function countOf(field: string, value: number | undefined, wrong: Complain): number | null {
  if (value === undefined) return null;
  if (!Number.isSafeInteger(value) || value < 1) throw wrong(`${field} must be a whole number of 1 or more`);
  return value;
}

/** Is it a spider, whoever made the value? */
export function isSpider(value: unknown): value is Spider {
  return typeof value === 'object' && value !== null && 'handlers' in value && value.handlers instanceof Map;
}

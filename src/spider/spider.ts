/**
 * The words of the spider framework: what a spider is, what its handlers are given, what its pipelines do. Types only;
 * `defineSpider` (define-spider.ts) checks a definition.
 */
import type { CheerioAPI, SelectorType } from 'cheerio';
import type { Log } from '../log.ts';
import type { ReasonCode } from '../reasons.ts';
import type { FetchResult, HeaderList } from '../types.ts';

/** A wait: `500`, `'1.5s'`, or a range to draw from anew each time, `['1s', '3s']`. Numbers are milliseconds. */
export type Delay = number | string | readonly [least: number | string, most: number | string];

/** The four places a request can wait in (R11). None of the waits holds a socket, a thread or another request. */
export interface Delays {
  /** Before the request may be taken up at all, from when it was added. */
  readonly request?: Delay;
  /** Between its turn and the connection. */
  readonly download?: Delay;
  /** Least rest of its host afterwards; the rest of the data folder's configuration holds besides. */
  readonly host?: Delay;
  /** Before each step of the pipeline. */
  readonly pipeline?: Delay;
}

/** How pages are got: plain HTTP, a real browser, or the browser only where HTTP brings an empty shell. */
export type DownloaderName = 'http' | 'browser' | 'auto';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What travels with a request and comes back with its page: any plain JSON. */
export type Extras = Readonly<Record<string, unknown>>;

/** What can be said of a single request. */
export interface RequestOptions {
  /** GET when absent. */
  readonly method?: Method;
  /** Header fields besides ours. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, or as `{ json }` or `{ form }` with the content type that belongs to it. */
  readonly body?:
    | string
    | Uint8Array
    | { readonly json: unknown }
    | { readonly form: Readonly<Record<string, string>> };
  readonly extras?: Extras;
  /** −100 … 100, larger first; 0 when absent. */
  readonly priority?: number;
  readonly downloader?: DownloaderName;
  readonly delays?: Delays;
  /** Ask again although the request is known. */
  readonly force?: boolean;
}

/** Marks requests among what handlers yield; everything else is an item. */
export const requestMark: unique symbol = Symbol('request');

/** A request as a handler makes it. */
export interface NewRequest<Label extends string = string> extends RequestOptions {
  readonly [requestMark]: true;
  readonly url: string;
  readonly label: Label | 'parse';
}

/** A URL, or an element of the page that leads somewhere: `a[href]`, `link[href]`, `img[src]`, `form[action]` … */
export type Target = string | URL | { readonly attribs: Readonly<Record<string, string>> };

/** Makes requests for where a page leads. */
export interface Follow<Label extends string> {
  /** For one target; relative URLs are those of the page. */
  (target: Target, label?: Label | 'parse', options?: RequestOptions): NewRequest<Label>;
  /** For every element a selector finds; none when it finds none. */
  all(selector: string, label?: Label | 'parse', options?: RequestOptions): NewRequest<Label>[];
  /** For a form of the page, sent with its own values and these; throws when there is no such form. */
  form(
    selector: string,
    values: Readonly<Record<string, string>>,
    label?: Label | 'parse',
    options?: RequestOptions,
  ): NewRequest<Label>;
}

/** The answer a page came in. */
export interface PageResponse {
  readonly status: number;
  readonly headers: HeaderList;
  /** The first field of this name, whatever its case; null when there is none. */
  header(name: string): string | null;
  /** The body after content decoding. */
  readonly bytes: Uint8Array;
  /** Encoding its text was decoded with. */
  readonly encoding: string;
}

/** What a handler is given. All of it can be taken apart: `({ $, follow }) => …`. */
export interface Page<Label extends string = string> {
  readonly url: string;
  readonly label: Label | 'parse';
  readonly extras: Extras;
  /** Links between it and a start URL. */
  readonly depth: number;
  readonly response: PageResponse;
  /** The body as text. */
  readonly html: string;
  /** The body for CSS selectors (cheerio), parsed when it is first used. */
  readonly $: CheerioAPI;
  /** Text of the first element found, white space folded; undefined when none is found. */
  text(selector: SelectorType): string | undefined;
  texts(selector: SelectorType): string[];
  attr(selector: SelectorType, name: string): string | undefined;
  /** Absolute URLs that elements lead to, each once; all `a[href]` when no selector is given. */
  links(selector?: SelectorType): string[];
  /** The body as JSON; throws SyntaxError when it is none. */
  json(): unknown;
  /** The page, or the first element found, as Markdown. */
  markdown(selector?: SelectorType): Promise<string>;
  readonly follow: Follow<Label>;
  /** Ends this page as skipped; what was yielded before stands. */
  skip(why?: string): void;
  readonly log: Log;
  /** Aborted when the run is broken off. */
  readonly signal: AbortSignal;
}

export type Yielded<Label extends string, Item> = NewRequest<Label> | Item;

/** Takes a page apart: yields requests and items, or returns them in an array, or nothing. */
export type Handler<Label extends string, Item> = (
  page: Page<Label>,
) =>
  | AsyncIterable<Yielded<Label, Item>>
  | Iterable<Yielded<Label, Item>>
  | Promise<Iterable<Yielded<Label, Item>> | undefined>
  | Promise<void>
  | undefined;

/** What validates items: a schema of zod, valibot, arktype … (Standard Schema 1, standardschema.dev). */
export interface ItemSchema<In, Out> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validation<Out> | Promise<Validation<Out>>;
    readonly types?: { readonly input: In; readonly output: Out } | undefined;
  };
}

export type Validation<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly ValidationIssue[] };

export interface ValidationIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A document for the search index, as a pipeline makes it. */
export interface IndexableItem {
  /** Where it is found; the page's own URL when absent. */
  readonly url?: string;
  readonly title: string;
  readonly text?: string;
  readonly description?: string;
  readonly language?: string | null;
}

/** What a pipeline step is given with each item. */
export interface PipelineContext {
  /** The page the item is from. */
  readonly url: string;
  readonly label: string;
  readonly extras: Extras;
  /** Adds a request to the run. */
  follow(target: string | URL, label?: string, options?: RequestOptions): void;
  /** Puts the item into the search index of the data folder. */
  index(document: IndexableItem): Promise<void>;
  /**
   * One request to a service of yours (a webhook, an API), through the address guard and its limits, but not one of the crawl:
   * no robots.txt, no queue. Never throws for what the other side does.
   */
  send(request: ServiceRequest): Promise<FetchResult>;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Waits without holding anything. */
  sleep(ms: number): Promise<void>;
  now(): number;
}

export interface ServiceRequest {
  readonly url: string;
  readonly method?: Method;
  readonly headers?: HeaderList;
  readonly body?: Uint8Array;
}

/** What a step says of an item: false drops it, an item takes its place, anything else keeps it. */
export type StepResult<Item> = Item | boolean | undefined;

export type PipelineFunction<Item> = (
  item: Item,
  context: PipelineContext,
) => StepResult<Item> | Promise<StepResult<Item>> | Promise<void>;

/** A step with something to open and close, or a delay of its own. */
export interface PipelineStage<Item> {
  /** Shown in reports and errors; `step 2` when absent. */
  readonly name?: string;
  /** Wait before this step, in place of the spider's. */
  readonly delay?: Delay;
  /** Called once before the first item of a run. */
  open?(run: StageRun): void | Promise<void>;
  readonly process: PipelineFunction<Item>;
  /** Called once when the run ends, however it ends, if it was opened. */
  close?(): void | Promise<void>;
}

/** What a stage is told of the run it is opened for. */
export interface StageRun {
  readonly spider: string;
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  /** Folder that relative paths are meant from. */
  readonly cwd: string;
  /** True: an earlier run was broken off and goes on, so what it has written stays. */
  readonly isResumed: boolean;
  readonly log: Log;
}

export type PipelineStep<Item> = PipelineFunction<Item> | PipelineStage<Item>;

/** A request before it is taken up, as a hook sees it. */
export interface HookRequest {
  readonly url: string;
  readonly method: Method;
  readonly label: string;
  readonly extras: Extras;
  readonly depth: number;
}

export interface Hooks {
  /** Before a request is sent; false skips it. */
  beforeRequest?(request: HookRequest): boolean | undefined | Promise<boolean | undefined> | Promise<void>;
  /** After an answer, before its handler; false skips the page. */
  afterResponse?(page: Page): boolean | undefined | Promise<boolean | undefined> | Promise<void>;
  /** When a request has failed for good. */
  onError?(failure: Failure): void | Promise<void>;
}

/** A request that failed for good. */
export interface Failure {
  readonly url: string;
  readonly label: string;
  readonly reason: ReasonCode;
  /** One line; the message of the error when a handler or a pipeline threw. */
  readonly detail: string;
}

/** Bounds of one run; the run ends when one is reached, and says which. */
export interface RunLimits {
  readonly requests?: number;
  readonly items?: number;
  readonly bytes?: number;
  /** `'10m'`, or milliseconds. */
  readonly time?: number | string;
}

/** Where a spider may go. Links out of it are dropped and counted. */
export interface SpiderScope {
  /** Hosts besides those of the start URLs; `example.org`, `example.org:8080`. */
  readonly hosts?: readonly string[];
  /** Are subdomains of all of them included? */
  readonly subdomains?: boolean;
  /** Globs on the path; everything when absent. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Links from a start URL; 5 when absent. */
  readonly depth?: number;
}

/** When a spider runs by itself. */
export interface Schedule {
  /** Five or six fields, as crontab has them; or an ISO date for a single run. */
  readonly cron: string;
  /** IANA name; that of the machine when absent. */
  readonly timezone?: string;
  /** When the run before has not ended: leave this one out (default), or run when it has. */
  readonly overlap?: 'skip' | 'wait';
}

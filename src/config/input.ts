/** The configuration as people write it, in `freshet.yaml` or `freshet.config.ts`. Only types; the rules are in schema.ts. */
import type { LogLevel } from '../log.ts';
import type { CrawlOrder } from './shape.ts';

/** `500ms`, `1s`, `1h30m`, `30d`, or a number of milliseconds. */
export type DurationInput = string | number;
/** `500B`, `64KB`, `5MB`, or a number of bytes. */
export type SizeInput = string | number;

/** Every option may be left out. */
type Some<T> = { readonly [K in keyof T]?: T[K] | undefined };

export interface SiteInput {
  /** At least one http or https URL. */
  readonly start: readonly string[];
  /** Globs on the path, `/docs/**`; none: everything on the hosts of `start`. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** auto: those that robots.txt and pages name, and `/sitemap.xml`. */
  readonly sitemaps?: 'auto' | 'none' | readonly string[] | undefined;
  readonly label?: string | null | undefined;
}

export type ConfigInput = Some<{
  version: 1;
  name: string;
  contact: string | null;
  user_agent: string | null;
  from: string | null;
  sites: readonly SiteInput[];
  scope: Some<{
    depth: number;
    subdomains: boolean;
    max_pages: number;
    max_pages_per_host: number;
    max_bytes: SizeInput | null;
    max_time: DurationInput | null;
    max_url_length: number;
    max_params: number;
    max_segments: number;
    strip_params: readonly string[];
  }>;
  politeness: Some<{
    delay: DurationInput;
    per_host: number;
    concurrency: number;
    jitter: number;
    robots_cache: DurationInput;
    retry_after_max: DurationInput;
  }>;
  limits: Some<{
    connect: DurationInput;
    read: DurationInput;
    total: DurationInput;
    body: SizeInput;
    headers: SizeInput;
    redirects: number;
    retries: number;
    timeout_retries: number;
    queue: number;
    queue_wait: DurationInput;
  }>;
  refresh: Some<{
    policy: 'optimal' | 'adaptive';
    budget: number | null;
    initial: DurationInput;
    min: DurationInput;
    max: DurationInput | null;
    unchanged: number;
    changed: number;
    missing_recheck: DurationInput;
    delete_after_404: number;
    safety: Some<{ max_removed: number; window: DurationInput }>;
    tombstones: DurationInput;
    jitter: number;
  }>;
  order: CrawlOrder;
  archive: Some<{ warc: boolean; file: SizeInput }>;
  content: Some<{ snapshots: Some<{ keep: number }> }>;
  search: Some<{ page_size: number }>;
  serve: Some<{ host: string; port: number; base_url: string | null; allowed_hosts: readonly string[] }>;
  security: Some<{ allow_private: readonly string[] }>;
  storage: Some<{ dir: string; synchronous: 'normal' | 'full'; cache: SizeInput }>;
  log: Some<{ level: LogLevel; format: 'auto' | 'pretty' | 'json' }>;
}>;

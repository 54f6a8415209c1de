/** Crawls a site into a folder and searches it: what `freshet crawl` and `freshet search` do, in code. */
import { type CrawlEnd, loadConfig, openNode, parseQuery, silentLog } from '../src/index.ts'; // yours: from 'freshet'

export interface Found {
  readonly why: CrawlEnd['why'];
  /** URLs, best first. */
  readonly urls: readonly string[];
}

/** `allowPrivate` opens addresses that are not public, as a test on this machine needs. */
export async function crawlAndSearch(
  site: string,
  query: string,
  folder: string,
  allowPrivate: readonly string[] = [],
): Promise<Found> {
  const { config } = await loadConfig({
    cwd: folder,
    env: {},
    overrides: [
      { path: 'sites', value: [{ start: [site] }], origin: 'example' },
      { path: 'security.allow_private', value: allowPrivate, origin: 'example' },
      { path: 'politeness.delay', value: '50ms', origin: 'example' }, // your own site; leave it out for others
    ],
  });
  const node = openNode(config, true, { log: silentLog });
  try {
    await node.seed();
    const never = new AbortController().signal;
    const { why } = await node.crawl({
      concurrency: config.politeness.concurrency,
      budget: { maxPages: 100, maxBytes: null, maxTimeMs: 60_000 },
      isWatching: false,
      stop: never, // abort it to finish what is in flight and leave
      abort: never, // abort it to leave at once
    });
    return { why, urls: node.index.search(parseQuery(query)).hits.map((hit) => hit.url) };
  } finally {
    await node.close();
  }
}

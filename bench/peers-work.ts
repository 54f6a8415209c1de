/** One crawl by another crawler, in its fastest setting: nothing kept, nothing written, no politeness. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface PeerWork {
  readonly startUrls: readonly string[];
  readonly peer: 'HttpCrawler' | 'CheerioCrawler';
  /** Where the peers are installed. */
  readonly folder: string;
}

/** What is used of Crawlee 3. */
interface Crawlee {
  readonly [peer: string]: new (
    options: Readonly<Record<string, unknown>>,
    configuration: unknown,
  ) => { run(urls: readonly string[]): Promise<unknown> };
}
interface CrawleeCore {
  readonly Configuration: new (options: Readonly<Record<string, unknown>>) => unknown;
  readonly log: { setLevel(level: number): void };
}
interface CrawleeContext {
  readonly body: string | Buffer;
  readonly request: { readonly loadedUrl: string };
  addRequests(urls: readonly string[]): Promise<unknown>;
  enqueueLinks(options: Readonly<Record<string, unknown>>): Promise<unknown>;
}

const CONCURRENCY = 32;

export async function work({ startUrls, peer, folder }: PeerWork): Promise<{ pages: number }> {
  const require = createRequire(join(folder, 'package.json'));
  const load = (name: string): Promise<unknown> => import(pathToFileURL(require.resolve(name)).href);
  const isHttp = peer === 'HttpCrawler';
  const crawlee = (await load(isHttp ? '@crawlee/http' : '@crawlee/cheerio')) as Crawlee & CrawleeCore;
  const { Configuration, log } = crawlee;
  log.setLevel(0);
  const hosts = new Set(startUrls.map((url) => new URL(url).host));
  let pages = 0;
  const Crawler = crawlee[peer];
  if (Crawler === undefined) throw new Error(`${folder} has no ${peer}`);
  const crawler = new Crawler(
    {
      minConcurrency: CONCURRENCY,
      maxConcurrency: CONCURRENCY,
      respectRobotsTxtFile: true,
      requestHandler: async (context: CrawleeContext) => {
        pages++;
        if (!isHttp)
          return void (await context.enqueueLinks({
            strategy: 'all',
            transformRequestFunction: inside(hosts),
          }));
        const found = [...String(context.body).matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href ?? '');
        const urls = found.flatMap((href) => resolved(href, context.request.loadedUrl, hosts));
        await context.addRequests([...new Set(urls)]);
      },
    },
    new Configuration({ persistStorage: false, purgeOnStart: true }),
  );
  await crawler.run(startUrls);
  return { pages };
}

function inside(hosts: ReadonlySet<string>): (request: { url: string }) => { url: string } | false {
  return (request) => hosts.has(new URL(request.url).host) && request;
}

function resolved(href: string, base: string, hosts: ReadonlySet<string>): string[] {
  if (!URL.canParse(href, base)) return [];
  const url = new URL(href, base);
  url.hash = '';
  return hosts.has(url.host) ? [url.href] : [];
}

/**
 * The demo web: eight small sites on loopback, served offline and the same every time, with most of what real sites
 * do to crawlers. `freshet demo` crawls it; whole-crawl tests judge themselves by what it expected and what it saw.
 *
 * Real host names cannot be had offline, so each site is 127.0.0.1 with a port of its own.
 */
import { type Clock, systemClock } from '../clock.ts';
import { closedSite, outsideSite } from './closed.ts';
import { docsSite } from './docs.ts';
import { type Expected, expectedOf } from './expected.ts';
import { librarySite } from './library.ts';
import { newsSite } from './news.ts';
import { noticesSite } from './notices.ts';
import { oddSite } from './odd.ts';
import { type DemoSite, type Origins, type SiteName, siteNames } from './page.ts';
import { type DemoRequest, type Peak, SiteServer } from './server.ts';
import { trapsSite } from './traps.ts';

export interface DemoWebOptions {
  readonly clock?: Clock;
  /** First of the consecutive ports, one a site; 0, the default, takes any that are free. */
  readonly firstPort?: number;
  /** How long the slow page takes; default 2,000. */
  readonly slowMs?: number;
}

export interface DemoWeb {
  readonly origins: Origins;
  /** One a site, but for `outside`, which no seed leads to. */
  readonly startUrls: readonly string[];
  readonly expected: Expected;
  /** Every request so far, in the order they came. */
  readonly requests: readonly DemoRequest[];
  /** The most requests and connections one site ever had at once. */
  peak(site: SiteName): Peak;
  /** Moves the web on: pages change, and the first time one appears, one is missing and one is gone. */
  advance(): void;
  close(): Promise<void>;
}

/** Starts all sites; rejects with the system's error when a port is taken. */
export async function startDemoWeb(options: DemoWebOptions = {}): Promise<DemoWeb> {
  const requests: DemoRequest[] = [];
  let edition = 0;
  const world = {
    clock: options.clock ?? systemClock,
    edition: () => edition,
    record: (request: DemoRequest) => void requests.push(request),
  };
  const servers = bySite((site) => new SiteServer(site, world));
  const close = async (): Promise<void> => {
    await Promise.all(siteNames.map((site) => servers[site].close()));
  };
  const origins = await listen(servers, options.firstPort ?? 0).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const sites = makeSites(origins, options.slowMs ?? 2_000);
  for (const site of siteNames) servers[site].show(sites[site]);
  return {
    origins,
    startUrls: siteNames.filter((site) => site !== 'outside').map((site) => `${origins[site]}/`),
    expected: expectedOf(origins, sites),
    requests,
    peak: (site) => servers[site].peak,
    advance: () => void edition++,
    close,
  };
}

function makeSites(origins: Origins, slowMs: number): Record<SiteName, DemoSite> {
  return {
    docs: docsSite(origins),
    news: newsSite(),
    notices: noticesSite(),
    library: librarySite(),
    odd: oddSite(origins, slowMs),
    traps: trapsSite(),
    closed: closedSite(),
    outside: outsideSite(),
  };
}

async function listen(servers: Record<SiteName, SiteServer>, firstPort: number): Promise<Origins> {
  const ports = await Promise.all(
    siteNames.map((site, index) => servers[site].listen(firstPort === 0 ? 0 : firstPort + index)),
  );
  return bySite((_, index) => `http://127.0.0.1:${ports[index]}`);
}

function bySite<T>(make: (site: SiteName, index: number) => T): Record<SiteName, T> {
  return Object.fromEntries(siteNames.map((site, index) => [site, make(site, index)])) as Record<SiteName, T>;
}

/**
 * A day of `--watch` under a virtual clock, whole but for the network: `npm run bench -- soak-simulated`. What the process holds
 * after a full collection must not grow with the number of visits.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { checkConfig } from '../src/config/schema.ts';
import type { Downloader } from '../src/fetch/downloader.ts';
import { silentLog } from '../src/log.ts';
import { openNode } from '../src/node.ts';
import type { FetchResult } from '../src/types.ts';
import { virtualClock } from '../test/support/virtual-clock.ts';
import type { Report } from './report.ts';
import { seededRandom } from './seeded-random.ts';
import { proses } from './synthetic-prose.ts';

const HOURS = 24;
const HOURS_A_ROW = 3;
const HOUR_MS = 3_600_000;
const HOSTS = 10;
const PAGES = 100;
/** Every page changes so often, times 1, 2, 4 … by its number. */
const FASTEST_MS = 600_000;
const PACES = 6;
/** Every so many pages one comes and goes. */
const COMES_AND_GOES = 23;
const LATENCY_MS = 50;
const MB = 1e6;

export async function run(report: Report): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const dir = mkdtempSync(join(tmpdir(), 'freshet-soak-'));
  const clock = virtualClock();
  const web = new Web(clock);
  const node = openNode(configOf(dir), true, {
    ...{ clock, random: seededRandom(1), downloader: web, hasThreads: false, log: silentLog },
  });
  try {
    await clock.until(node.seed());
    const stop = new AbortController();
    const never = new AbortController().signal;
    const budget = { maxPages: null, maxBytes: null, maxTimeMs: null };
    const crawl = node.crawl({ concurrency: 16, budget, isWatching: true, stop: stop.signal, abort: never });
    const hours = report.options.isShort ? HOURS_A_ROW : HOURS;
    for (let hour = HOURS_A_ROW; hour <= hours; hour += HOURS_A_ROW) {
      const before = web.requests;
      await clock.advance(HOURS_A_ROW * HOUR_MS);
      collect();
      const { heapUsed, external } = process.memoryUsage();
      report.row(`${hour} h`, {
        visits: web.requests - before,
        'heap MB': heapUsed / MB,
        'external MB': external / MB,
        documents: node.reports.documents(),
      });
    }
    stop.abort();
    await clock.until(crawl);
  } finally {
    await node.close();
    rmSync(dir, { recursive: true });
  }
}

class Web implements Downloader {
  readonly #clock: ReturnType<typeof virtualClock>;
  readonly #prose = proses(1)[0];
  requests = 0;

  constructor(clock: ReturnType<typeof virtualClock>) {
    this.#clock = clock;
  }

  async fetch({ url }: { readonly url: string }): Promise<FetchResult> {
    const startedAt = this.#clock.now();
    this.requests++;
    await this.#clock.sleep(LATENCY_MS);
    const page = Number(url.slice(url.lastIndexOf('/') + 1));
    const isPage = Number.isInteger(page) && page < PAGES;
    const edition = Math.floor(startedAt / (FASTEST_MS * 2 ** (page % PACES)));
    const isGone = page > 0 && page % COMES_AND_GOES === 0 && edition % 2 === 1;
    const html = isPage && !isGone ? this.#html(page, edition) : '';
    return {
      kind: 'ok',
      head: {
        ...{ url, status: html === '' ? 404 : 200, headers: [['content-type', 'text/html']] },
        ...{ remoteAddress: null, startedAt, durationMs: LATENCY_MS, wireBytes: html.length },
      },
      body: { bytes: Buffer.from(html), received: null },
    };
  }

  async close(): Promise<void> {}

  #html(page: number, edition: number): string {
    const links = Array.from({ length: 10 }, (_, nth) => `<a href="/${page * 10 + nth}">${nth}</a>`).join(
      ' ',
    );
    const text = this.#prose?.words(seededRandom(page, edition), 300);
    return `<title>Page ${page}, edition ${edition}</title><main><p>${text}</main><nav>${links}</nav>`;
  }
}

function configOf(dir: string): Parameters<typeof openNode>[0] {
  const start = Array.from({ length: HOSTS }, (_, host) => `http://h${host}.test/0`);
  const checked = checkConfig(
    {
      ...{ sites: [{ start }], storage: { dir } },
      ...{ refresh: { budget: 20_000, min: '5m' } },
    },
    () => 'bench',
  );
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
  return checked.config;
}

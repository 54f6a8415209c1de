/**
 * `npm run bench -- soak --minutes 30`: the real command line crawls a web that lives, for as long as wanted, while people search:
 * does memory stay flat, are descriptors bounded, is the event loop never held up for long? A row for every tenth of the time.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from './report.ts';
import type { Pulse } from './soak-monitor.ts';

const ROWS = 10;
const SECOND_MS = 1_000;
/** Searches a second, each a page of results and sometimes a stored copy. */
const SEARCHES = 5;
const WORDS = ['page', 'edition', 'part', 'site page', '"page 7"', 'the', 'zzz', 'page -edition'];
const PORT = 7_790;
const MB = 1e6;

/** What was seen of one process since the last row. */
class Watched {
  readonly child: ChildProcess;
  #rss: number[] = [];
  #descriptors = 0;
  #longestDelayMs = 0;
  #heapBytes = 0;

  constructor(args: readonly string[]) {
    const script = new URL('../src/cli/main.js', import.meta.url);
    const monitor = new URL('./soak-monitor.js', import.meta.url).href;
    this.child = fork(script, args, {
      execArgv: ['--import', monitor],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child.on('message', (pulse: Pulse) => {
      this.#longestDelayMs = Math.max(this.#longestDelayMs, pulse.longestDelayMs);
      this.#heapBytes = pulse.heapBytes;
    });
  }

  sample(): void {
    const { pid, exitCode } = this.child;
    if (exitCode !== null) throw new Error(`a process under watch ended with exit code ${exitCode}`);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    this.#rss.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024);
    this.#descriptors = Math.max(this.#descriptors, readdirSync(`/proc/${pid}/fd`).length);
  }

  figures(name: string): Record<string, number> {
    const mean = this.#rss.reduce((sum, bytes) => sum + bytes, 0) / this.#rss.length;
    const figures = {
      [`${name} MB`]: mean / MB,
      [`${name} heap MB`]: this.#heapBytes / MB,
      [`${name} fds`]: this.#descriptors,
      [`${name} held up ms`]: this.#longestDelayMs,
    };
    this.#rss = [];
    this.#descriptors = 0;
    this.#longestDelayMs = 0;
    return figures;
  }
}

export async function run(report: Report): Promise<void> {
  const minutes = report.options.isShort ? 1 : report.options.minutes;
  const folder = mkdtempSync(join(tmpdir(), 'freshet-soak-'));
  const web = fork(new URL('./soak-web.js', import.meta.url));
  const [origins] = await new Promise<[string[]]>((resolve) =>
    web.once('message', (m) => resolve([m as string[]])),
  );
  const config = join(folder, 'freshet.yaml');
  writeFileSync(config, JSON.stringify(configOf(folder, origins)));
  const crawler = new Watched(['crawl', '--watch', '--quiet', '--config', config]);
  const server = new Watched(['serve', '--quiet', '--config', config]);
  const people = new People();
  try {
    for (let row = 1; row <= ROWS; row++) {
      const before = await requestsTo(web);
      const endsAt = Date.now() + (minutes * 60 * SECOND_MS) / ROWS;
      while (Date.now() < endsAt) {
        await people.search();
        crawler.sample();
        server.sample();
        await new Promise((resolve) => setTimeout(resolve, SECOND_MS / SEARCHES));
      }
      const asked = (await requestsTo(web)) - before;
      report.row(`${((minutes * row) / ROWS).toFixed(1)} min`, {
        requests: asked,
        ...crawler.figures('crawl'),
        ...server.figures('serve'),
        ...people.figures(),
      });
    }
  } finally {
    crawler.child.kill('SIGINT');
    server.child.kill('SIGINT');
    web.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Searches, and how long the answers took. */
class People {
  #timesMs: number[] = [];
  #nth = 0;

  async search(): Promise<void> {
    const query = WORDS[this.#nth++ % WORDS.length] ?? '';
    const at = performance.now();
    const answer = await fetch(`http://127.0.0.1:${PORT}/?q=${encodeURIComponent(query)}`).catch(() => null);
    const page = (await answer?.text()) ?? '';
    // The server may still be starting; after that a refusal would be a failure.
    if (answer === null && this.#timesMs.length === 0) return;
    if (answer?.status !== 200) throw new Error(`a search was answered with ${answer?.status ?? 'nothing'}`);
    this.#timesMs.push(performance.now() - at);
    const copy = /\/cache\/\d+/.exec(page)?.[0];
    if (copy !== undefined)
      await fetch(`http://127.0.0.1:${PORT}${copy}`).then((response) => response.text());
  }

  figures(): Record<string, number> {
    const sorted = this.#timesMs.toSorted((a, b) => a - b);
    this.#timesMs = [];
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
    return { 'search p50 ms': at(0.5), 'p99 ms': at(0.99), 'max ms': sorted.at(-1) ?? 0 };
  }
}

/** The defaults, but for a budget and a rest that keep a small web busy. */
function configOf(folder: string, origins: readonly string[]): unknown {
  return {
    sites: [{ start: origins.map((origin) => `${origin}/0`) }],
    politeness: { delay: '200ms' },
    refresh: { budget: 1_000_000, min: '1m' },
    security: { allow_private: ['127.0.0.1'] },
    serve: { port: PORT },
    storage: { dir: join(folder, 'data') },
  };
}

async function requestsTo(web: ChildProcess): Promise<number> {
  web.send('count');
  return new Promise((resolve) => web.once('message', (count) => resolve(count as number)));
}

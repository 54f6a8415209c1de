/**
 * The built command line, killed by SIGKILL at steps of its commits and at random instants, again and again. After each
 * death the folder must be sound, and no page that was committed may be asked for again; in the end everything must be as in
 * a crawl that nobody disturbed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type DemoWeb, startDemoWeb } from '../../src/demo/site.ts';
import type { SearchResult } from '../../src/search/search-index.ts';
import type { UrlRow } from '../../src/store/reports.ts';
import { type CliEnd, runCli, startCli } from '../support/cli.ts';
import { seededRandom } from '../support/random.ts';

/** Tables in the order in which a commit writes them, and its end. */
export const steps = [
  'capture',
  'body',
  'document',
  'chunk',
  'document_fts',
  'robots',
  'page',
  'url',
  'host',
  'counter',
  'page_links',
  'COMMIT',
] as const;

export interface Matrix {
  /** Deaths, by the step they came at, or `any instant`. */
  readonly deaths: ReadonlyMap<string, number>;
  /** Crawls brought to their end. */
  readonly crawls: number;
  readonly problems: readonly string[];
}

/** What a crawl comes to. */
interface State {
  readonly urls: readonly UrlRow[];
  readonly found: readonly (readonly string[])[];
}

interface Death {
  readonly name: string;
  /** Flags of Node that bring it; none when it comes from outside. */
  readonly flags: readonly string[];
  /** Real time from the start to a signal from outside; null: none comes. */
  readonly afterMs: number | null;
}

/** From the root of the repository, where the command line is looked for too; this file may have been compiled. */
const DEATH = pathToFileURL('test/crash/death.mjs').href;
/** A crawl takes about a second; it starts to write after 0.3 s. */
const LONGEST_LIFE_MS = 900;
/** A crawl of some sixty pages meets most statements more often. */
const MOST_NTH = 16;
const WORDS = ['rain gauge', '停水'];

/** Half of the deaths come at steps, in turn, half at any instant. */
export async function playMatrix(kills: number, seed: number): Promise<Matrix> {
  const web = await startDemoWeb();
  const root = mkdtempSync(join(tmpdir(), 'freshet-crash-'));
  try {
    return await new Player(web, root, seed).play(kills);
  } finally {
    await web.close();
    rmSync(root, { recursive: true });
  }
}

class Player {
  readonly #web: DemoWeb;
  readonly #root: string;
  readonly #random: () => number;
  readonly #deaths = new Map<string, number>();
  readonly #problems: string[] = [];
  #killed = 0;
  #drawn = 0;

  constructor(web: DemoWeb, root: string, seed: number) {
    this.#web = web;
    this.#root = root;
    this.#random = seededRandom(seed);
  }

  async play(kills: number): Promise<Matrix> {
    const undisturbed = join(this.#root, 'undisturbed');
    await this.#toTheEnd(undisturbed);
    const expected = await this.#state(undisturbed);
    let crawls = 0;
    while (this.#killed < kills) {
      const data = join(this.#root, `crawl-${++crawls}`);
      await this.#dieOften(data, kills);
      const state = await this.#state(data);
      if (!isDeepStrictEqual(state, expected)) this.#problems.push(`crawl ${crawls} came to something else`);
      rmSync(data, { recursive: true });
    }
    return { deaths: this.#deaths, crawls, problems: this.#problems };
  }

  /** Lives and deaths of one folder until a crawl reaches its end. */
  async #dieOften(data: string, kills: number): Promise<void> {
    const committed = new Set<string>();
    for (;;) {
      const seen = this.#web.requests.length;
      const death = this.#killed < kills ? this.#draw() : null;
      const name = death?.name ?? 'nothing';
      const end = await this.#live(data, death);
      for (const { site, target } of this.#web.requests.slice(seen)) {
        const url = this.#web.origins[site] + target;
        if (committed.has(url)) this.#problems.push(`${url} asked for again, though its visit was kept`);
      }
      if (end.code !== null) {
        if (end.code !== 0) this.#problems.push(`exit ${end.code}: ${end.stderr}`);
        return;
      }
      this.#killed++;
      this.#deaths.set(name, (this.#deaths.get(name) ?? 0) + 1);
      for (const url of await this.#committedIn(data, name)) committed.add(url);
    }
  }

  #draw(): Death {
    const afterMs = this.#random() * LONGEST_LIFE_MS;
    if (this.#drawn++ % 2 === 1) return { name: 'any instant', flags: [], afterMs };
    const at = steps[(this.#drawn >> 1) % steps.length];
    const when = this.#random() < 0.5 ? 'before' : 'after';
    const nth = at === 'robots' ? 1 : 1 + Math.floor(this.#random() * MOST_NTH);
    const flags = ['--import', `${DEATH}?at=${at}&nth=${nth}&when=${when}`];
    return { name: `${when} ${at}`, flags, afterMs: null };
  }

  async #live(data: string, death: Death | null): Promise<CliEnd> {
    const run = startCli(this.#crawl(data), death?.flags);
    const afterMs = death?.afterMs ?? null;
    const timer = afterMs === null ? undefined : setTimeout(() => run.process.kill('SIGKILL'), afterMs);
    const end = await run.end;
    clearTimeout(timer);
    return end;
  }

  /** URLs with a visit that is kept; says what is wrong with the folder. A folder may not have been begun. */
  async #committedIn(data: string, death: string): Promise<readonly string[]> {
    const check = await runCli(['check', '--data', data]);
    if (check.stderr.includes(`no data in ${data} yet`)) return [];
    if (check.code !== 0) {
      this.#problems.push(`after death ${death}: exit ${check.code}: ${check.stdout}${check.stderr}`);
      return [];
    }
    const rows = await rowsOf(data);
    return rows.filter(({ visits }) => visits > 0).map(({ url }) => url);
  }

  async #toTheEnd(data: string): Promise<void> {
    const { code, stderr } = await runCli(this.#crawl(data));
    if (code !== 0) throw new Error(`the crawl that nobody disturbs fails: ${code} ${stderr}`);
  }

  async #state(data: string): Promise<State> {
    const rows = await rowsOf(data);
    const urls = rows.map(({ url, state, reason, status, title, depth, redirectTo }) => ({
      url,
      state,
      reason,
      status,
      title,
      depth,
      redirectTo,
    }));
    const found = await Promise.all(WORDS.map((words) => hitsOf(words, data)));
    return { urls: urls.sort((a, b) => (a.url < b.url ? -1 : 1)) as UrlRow[], found };
  }

  #crawl(data: string): string[] {
    const { docs, news, notices } = this.#web.origins;
    const sites = [docs, news, notices].map((origin) => `${origin}/`);
    return ['crawl', ...sites, '--data', data, '--allow-private', '127.0.0.1', '--delay', '10ms', '--quiet'];
  }
}

async function rowsOf(data: string): Promise<UrlRow[]> {
  const { stdout } = await runCli(['urls', '--json', '--data', data]);
  return JSON.parse(stdout) as UrlRow[];
}

async function hitsOf(words: string, data: string): Promise<string[]> {
  const { stdout } = await runCli(['search', words, '--json', '--limit', '50', '--data', data]);
  return (JSON.parse(stdout) as SearchResult).hits.map(({ url }) => url).sort();
}

/**
 * Pages of the synthetic web, the same for the same seed: sizes, links, encodings and codings as measured on real
 * sites (median 30 KB, mean 44 KB, 58 links, 60 % gzip, a quarter in legacy encodings). Pure.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { seededRandom } from './seeded-random.ts';
import { type Prose, proses } from './synthetic-prose.ts';

export interface WebShape {
  readonly pages: number;
  readonly hosts: number;
  readonly seed: number;
  /** Adds an endless calendar and endless relative links to every tenth page. */
  readonly hasTraps: boolean;
}

/** A response ready to be written: head and parts of the body, shared between pages where they are the same. */
export interface Rendered {
  readonly chunks: readonly Uint8Array[];
  readonly etag: string;
}

/** Median of the log-normal page size, bytes before compression. */
const MEDIAN_BYTES = 30_000;
/** Spread that makes the mean 44 KB: √(2 ln(44/30)). */
const SIGMA = 0.875;
const LARGEST_BYTES = 1_000_000;
/** Share of text in the room between head and foot: 18–28 % of a page was measured on three manuals (bench/real-docs.sh). */
const TEXT_SHARE = 0.3;
/** The rest is markup without text, as of highlighted code and widgets, and scripts and styles, half and half. */
const MARKUP_SHARE = 0.35;
const GZIP_SHARE = 0.6;
/** What nginx does unless told otherwise. */
const GZIP_LEVEL = 1;
/** Children of a page in the tree that makes every page reachable: depth 5 holds 37,449 pages a host. */
const CHILDREN = 8;
const NAVIGATION_LINKS = 10;
const CROSS_LINKS = 5;
/** Other links to pages of the same host, so that a page has about 58. */
const NEAR_LINKS = 39;
const SECTIONS = ['guide', 'news', 'people', 'archive', 'products', 'research', 'events', 'help'];

export class SyntheticPages {
  readonly #shape: WebShape;
  readonly #origins: readonly string[];
  readonly #proses: readonly Prose[];

  /** `origins` has one entry a host. */
  constructor(shape: WebShape, origins: readonly string[]) {
    this.#shape = shape;
    this.#origins = origins;
    this.#proses = proses(shape.seed);
  }

  /** Pages of one host; all of them are reachable from its first, `/`. */
  count(host: number): number {
    const { pages, hosts } = this.#shape;
    return Math.floor(pages / hosts) + (host < pages % hosts ? 1 : 0);
  }

  /** Path of the host's page with this index. */
  path(host: number, index: number): string {
    if (index === 0) return '/';
    const random = seededRandom(this.#shape.seed, host, index, 1);
    return `/${SECTIONS[index % SECTIONS.length]}/${word(random)}-${word(random)}-${index}.html`;
  }

  /** Index of the page at a path, null when there is none. */
  indexOf(host: number, path: string): number | null {
    const index = path === '/' ? 0 : Number(/-(\d+)\.html$/.exec(path)?.[1] ?? Number.NaN);
    return index < this.count(host) && this.path(host, index) === path ? index : null;
  }

  render(host: number, index: number): Rendered {
    const random = seededRandom(this.#shape.seed, host, index, 2);
    const prose = this.#proseOf(random());
    const isDeclaredInHeader = random() < 0.5;
    const size = Math.min(LARGEST_BYTES, Math.round(MEDIAN_BYTES * Math.exp(SIGMA * normal(random))));
    const isPacked = random() < GZIP_SHARE;
    const parts = this.#parts(host, index, prose, isDeclaredInHeader, random);
    const room = size - parts.before.length - parts.after.length;
    const markup = repeated(MARKUP, room * MARKUP_SHARE);
    const script = Buffer.from(
      `<script>${repeated(SCRIPT, room * (1 - TEXT_SHARE - MARKUP_SHARE))}</script>\n`,
    );
    const body = [parts.before, prose.passage(random(), room * TEXT_SHARE), markup, script, parts.after];
    const packed = isPacked ? [gzipSync(Buffer.concat(body), { level: GZIP_LEVEL })] : body;
    return response(packed, {
      'Content-Type': `text/html${isDeclaredInHeader ? `; charset=${prose.encoding}` : ''}`,
      ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}),
    });
  }

  /** What stands before and after the prose; all links are there. */
  #parts(host: number, index: number, prose: Prose, isInHeader: boolean, random: () => number): Parts {
    const title = `${prose.words(random, 5)} ${host}-${index}`;
    const meta = isInHeader ? '' : `<meta charset="${prose.encoding}">`;
    const navigation = this.#links(host, range(1, NAVIGATION_LINKS), prose, random);
    const children = this.#links(host, range(index * CHILDREN + 1, CHILDREN), prose, random);
    const near = Array.from({ length: NEAR_LINKS }, () => Math.floor(random() * this.count(host)));
    const before = `<!DOCTYPE html>
<html lang="${prose.language}"><head>${meta}<title>${title}</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css">
<script>var page = { host: ${host}, index: ${index}, ready: function () { return "<a href='/not-a-link'>"; } };</script>
</head><body><header><nav><ul>${navigation}</ul></nav></header>
<main><h1>${title}</h1><p class="lead">${prose.words(random, 20)}</p><ul class="children">${children}</ul>
`;
    const after = `</main>
<aside><h2>${prose.words(random, 2)}</h2><ul>${this.#links(host, near, prose, random)}</ul></aside>
<footer>${this.#odds(index)}<ul>${this.#crossLinks(prose, random)}</ul><p>${prose.words(random, 12)}</p></footer>
</body></html>
`;
    return { before: prose.encode(before), after: prose.encode(after) };
  }

  #links(host: number, indexes: readonly number[], prose: Prose, random: () => number): string {
    return indexes
      .filter((index) => index < this.count(host))
      .map((index) => `<li><a href="${this.path(host, index)}">${prose.words(random, 3)}</a></li>\n`)
      .join('');
  }

  #crossLinks(prose: Prose, random: () => number): string {
    return Array.from({ length: CROSS_LINKS }, () => {
      const host = Math.floor(random() * this.#shape.hosts);
      const href = (this.#origins[host] ?? '') + this.path(host, Math.floor(random() * this.count(host)));
      return `<li><a href="${href}">${prose.words(random, 3)}</a></li>\n`;
    }).join('');
  }

  /** Links that are not to be followed, and traps. */
  #odds(index: number): string {
    const refused = `<a href="/private/${index}.html">p</a> <a href="mailto:a@example.org">m</a> <a href="#top">t</a>`;
    if (!this.#shape.hasTraps || index % 10 !== 0) return refused;
    return `${refused} <a href="/calendar?month=2026-01">c</a> <a href="/deeper/">d</a>`;
  }

  /** Legacy encodings take a quarter together, Chinese in UTF-8 a fifth. */
  #proseOf(share: number): Prose {
    let sum = 0;
    const found = this.#proses.find((prose) => {
      sum += prose.share;
      return share < sum;
    });
    const last = this.#proses.at(-1);
    if (last === undefined) throw new RangeError('there is no prose');
    return found ?? last;
  }
}

const MARKUP = Buffer.from(
  '<div class="row" id="r"><span class="cell num" data-sort="7"></span><i class="icon icon-arrow" aria-hidden="true"></i><br></div>\n',
);
const SCRIPT = Buffer.from(
  'window.queue = (window.queue || []).concat({ kind: "view", at: 1700000000, tags: ["a<b", "c"] });\n',
);

/** Whole copies of a line up to a size in bytes. */
function repeated(line: Buffer, bytes: number): Buffer {
  return Buffer.concat(Array.from({ length: Math.max(0, Math.floor(bytes / line.length)) }, () => line));
}

interface Parts {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** A 200 answer with validators and length. */
export function response(body: readonly Uint8Array[], headers: Readonly<Record<string, string>>): Rendered {
  const hash = createHash('sha1');
  for (const chunk of body) hash.update(chunk);
  const etag = `"${hash.digest('hex').slice(0, 16)}"`;
  const length = body.reduce((sum, chunk) => sum + chunk.length, 0);
  const fields = { ...headers, ETag: etag, 'Content-Length': String(length) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return { chunks: [Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`), ...body], etag };
}

/** Standard normal deviate (Box–Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function word(random: () => number): string {
  return Math.floor(random() * 36 ** 5).toString(36);
}

function range(from: number, length: number): number[] {
  return Array.from({ length }, (_, offset) => from + offset);
}

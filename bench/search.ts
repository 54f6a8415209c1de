/**
 * What search costs with 100,000 pages indexed: writing, bytes on disk, and queries of every class on a connection of
 * its own; then how well it ranks, where real documentation is installed (search-quality.ts).
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQuery } from '../src/search/query.ts';
import { SqliteSearchIndex } from '../src/search/sqlite.ts';
import { DATABASE_FILE, openDatabase } from '../src/store/database.ts';
import type { VisitOutcome } from '../src/types.ts';
import { page, put } from '../test/support/documents.ts';
import type { Report } from './report.ts';
import { measureQuality } from './search-quality.ts';
import { seededRandom } from './seeded-random.ts';

const PAGES = 100_000;
/** A smoke run has so many. */
const SHORT_PAGES = 1_000;
/** Pages committed together. */
const GROUP = 50;
const HOSTS = 100;
/** One page in so many is Chinese. */
const CHINESE = 4;
/** Words of a page, between these. */
const WORDS: readonly [number, number] = [100, 1_500];
const VOCABULARY = 40_000;
const SYLLABLES = 'ka to mi re su no la vi de po ran tel mon sar ing er ox ul en ab'.split(' ');
/** Queries of each class. */
const QUERIES = 200;

type Random = () => number;

export async function run(report: Report): Promise<void> {
  const pages = report.options.isShort ? SHORT_PAGES : PAGES;
  const folder = mkdtempSync(join(tmpdir(), 'freshet-bench-'));
  try {
    fill(folder, pages, report);
    ask(folder, pages, report);
  } finally {
    rmSync(folder, { recursive: true });
  }
  measureQuality(report);
}

function fill(folder: string, pages: number, report: Report): void {
  const db = openDatabase(folder);
  const index = new SqliteSearchIndex(db);
  let textBytes = 0;
  let busyMs = 0;
  for (let first = 1; first <= pages; first += GROUP) {
    const outcomes: VisitOutcome[] = [];
    for (let id = first; id < first + GROUP && id <= pages; id++) {
      const text = textOf(id);
      textBytes += Buffer.byteLength(text);
      const url = `https://h${id % HOSTS}.example/${wordOf(id, seededRandom(id, 1))}/${id}`;
      const title = sentenceOf(id, seededRandom(id, 2), 4);
      outcomes.push(
        put(page(id, url), text, {
          title,
          headings: [sentenceOf(id, seededRandom(id, 3), 3)],
          contentHash: String(id),
        }),
      );
    }
    const startedAt = performance.now();
    index.write(outcomes);
    busyMs += performance.now() - startedAt;
  }
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  const bytes = statSync(join(folder, DATABASE_FILE)).size;
  const rate = (pages / busyMs) * 1000;
  report.note(
    `${pages.toLocaleString('en')} pages, ${(textBytes / 1e6).toFixed(0)} MB of text: ${rate.toFixed(0)} pages/s written in groups of ${GROUP}, ` +
      `${((bytes / textBytes) * 100).toFixed(0)} % of the text on disk, the text included`,
  );
}

function ask(folder: string, pages: number, report: Report): void {
  const db = openDatabase(folder, { isReadOnly: true });
  const index = new SqliteSearchIndex(db);
  const random = seededRandom(7);
  for (const [name, write] of Object.entries(classes)) {
    const times: number[] = [];
    let matches = 0;
    for (let query = 0; query < QUERIES; query++) {
      const input = write(1 + Math.floor(random() * pages), random);
      const startedAt = performance.now();
      matches += index.search(parseQuery(input)).total;
      times.push(performance.now() - startedAt);
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.floor(share * times.length)] ?? Number.NaN;
    report.row(name, {
      'p50 ms': at(0.5),
      'p95 ms': at(0.95),
      'max ms': at(0.999),
      'mean matches': matches / QUERIES,
    });
  }
  db.close();
}

/** Queries are words of a page, each as likely as the others: rare ones mostly, and common ones. */
const classes: Readonly<Record<string, (id: number, random: Random) => string>> = {
  'one word': (id, random) => pick(english(id), random),
  'two words': (id, random) => `${pick(english(id), random)} ${pick(english(id), random)}`,
  'three words': (id, random) => [1, 2, 3].map(() => pick(english(id), random)).join(' '),
  'three with OR': (id, random) => [1, 2, 3].map(() => pick(english(id), random)).join(' OR '),
  phrase: (id, random) => {
    const words = english(id);
    const at = Math.floor(random() * (words.length - 1));
    return `"${words[at]} ${words[at + 1]}"`;
  },
  'a word of a site': (id, random) => `${pick(english(id), random)} site:h${id % HOSTS}.example`,
  'one without another': (id, random) => `${pick(english(id), random)} -${pick(english(id), random)}`,
  'one missing': (id, random) => `${pick(english(id), random)} ${pick(english(id), random)} qqqq`,
  'Chinese, 1 character': (id, random) => cut(chinese(id), random, 1),
  'Chinese, 2 characters': (id, random) => cut(chinese(id), random, 2),
  'Chinese, 4 characters': (id, random) => cut(chinese(id), random, 4),
};

function english(id: number): string[] {
  const other = id % CHINESE === 0 ? id - 1 : id;
  return [...new Set(textOf(other).split(/[\s.]+/))].filter((word) => word.length > 1);
}

function chinese(id: number): string[] {
  return textOf(Math.max(CHINESE, id - (id % CHINESE)))
    .split(/[，\n]/)
    .filter((part) => part.length > 4);
}

function pick(values: readonly string[], random: Random): string {
  return values[Math.floor(random() * values.length)] ?? '';
}

function cut(parts: readonly string[], random: Random, length: number): string {
  const part = pick(parts, random);
  const at = Math.floor(random() * (part.length - length + 1));
  return part.slice(at, at + length);
}

/** The text of a page, the same whenever it is asked for. */
function textOf(id: number): string {
  const random = seededRandom(id);
  const [least, most] = WORDS;
  const length = least + Math.floor((most - least) * random() ** 2);
  const paragraphs: string[] = [];
  for (let words = 0; words < length; words += 60) {
    paragraphs.push([1, 2, 3, 4, 5].map(() => sentenceOf(id, random, 12)).join(isChinese(id) ? '，' : '. '));
  }
  return paragraphs.join('\n');
}

function sentenceOf(id: number, random: Random, words: number): string {
  return Array.from({ length: words }, () => wordOf(id, random)).join(isChinese(id) ? '' : ' ');
}

/** A word, the n-th most frequent with a probability of about 1/n (Zipf's law). */
function wordOf(id: number, random: Random): string {
  const rank = Math.floor(VOCABULARY ** random());
  if (!isChinese(id)) return spell(rank + 6, SYLLABLES);
  const character = seededRandom(rank);
  const length = rank % 7 === 0 ? 3 : 2;
  return Array.from({ length }, () => String.fromCodePoint(0x4e00 + Math.floor(3_500 ** character()))).join(
    '',
  );
}

function isChinese(id: number): boolean {
  return id % CHINESE === 0;
}

function spell(number: number, digits: readonly string[]): string {
  const rest = Math.floor(number / digits.length);
  return (rest > 0 ? spell(rest, digits) : '') + (digits[number % digits.length] ?? '');
}

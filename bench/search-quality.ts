/**
 * How well search ranks on real documentation (Debian's python3.11-doc, sqlite3-doc and debian-reference-zh-cn): known
 * items. A query is one of a page's headings, its title, or three words of one of its sentences; right is that page.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePage } from '../src/parse/page.ts';
import { parseQuery } from '../src/search/query.ts';
import { SqliteSearchIndex } from '../src/search/sqlite.ts';
import { openMemoryDatabase } from '../src/store/database.ts';
import type { ParsedPage } from '../src/types.ts';
import { page, put } from '../test/support/documents.ts';
import type { Report } from './report.ts';
import { seededRandom } from './seeded-random.ts';

const FOLDERS = ['/usr/share/doc/python3.11/html', '/usr/share/doc/sqlite3', '/usr/share/debian-reference'];
/** Pages that list all others are the right answer to nothing. */
const LISTS = /genindex|search|contents|changelog|keyword_index/;
const SHORT_PAGES = 200;

interface KnownItem {
  readonly query: string;
  readonly id: number;
}

export function measureQuality(report: Report): void {
  const folders = FOLDERS.filter(existsSync);
  if (folders.length === 0) {
    report.note(
      'ranking was not measured: none of the documentation packages is installed (bench/real-docs.sh)',
    );
    return;
  }
  const files = folders.flatMap(htmlFiles).slice(0, report.options.isShort ? SHORT_PAGES : undefined);
  const pages = files.map((file) =>
    parsePage(
      readFileSync(file),
      { url: `https://docs.example${file}`, contentType: 'text/html', robotsHeaders: [], receivedAt: 0 },
      'freshet',
    ),
  );
  const index = new SqliteSearchIndex(openMemoryDatabase());
  index.write(
    pages.map((parsed, id) => put(page(id, parsed.url), parsed.text, { ...parsed, canonical: null })),
  );
  const random = seededRandom(5);
  const items = pages.flatMap((parsed, id) => queriesFor(parsed, random).map((query) => ({ query, id })));
  report.note(`ranking, ${pages.length} pages, ${items.length} known items: ${summary(index, items)}`);
}

function summary(index: SqliteSearchIndex, items: readonly KnownItem[]): string {
  const ranks = items.map(({ query, id }) => {
    const { hits } = index.search(parseQuery(query), { limit: 20 });
    return hits.findIndex((hit) => hit.id === id) + 1;
  });
  const share = (is: (rank: number) => boolean): string =>
    (ranks.filter(is).length / ranks.length).toFixed(3);
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length;
  return `mean reciprocal rank ${reciprocal.toFixed(3)}, first ${share((rank) => rank === 1)}, in the first ten ${share((rank) => rank > 0 && rank <= 10)}`;
}

function queriesFor({ title, headings, text }: ParsedPage, random: () => number): string[] {
  const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
  const usable = headings
    .slice(1)
    .map((heading) => heading.replace(/[¶#]|^[\d.]+/g, '').trim())
    .filter((heading) => /^\S+(?: \S+){1,5}$|\p{sc=Han}{3}/u.test(heading) && heading.length < 60);
  const name = title.split(/ [—–-] /)[0] ?? '';
  const sentences = text.split(/[.\n]/).map((sentence) => sentence.match(/[A-Za-z_]{5,}/g) ?? []);
  const sentence = pick(sentences.filter((words) => words.length >= 6));
  const words = sentence === undefined ? '' : `${sentence[1]} ${sentence[3]} ${sentence[5]}`;
  return [pick(usable) ?? '', name.toLowerCase(), words].filter((query) => query !== '');
}

function htmlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.html?$/.test(name) && !LISTS.test(name))
    .sort()
    .map((name) => join(folder, name));
}

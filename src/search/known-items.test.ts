/**
 * Known-item search: queries whose one right page is known, among pages that say the same words more often. The
 * weights in rank.ts were chosen on a larger set of the same kind (docs/decisions/0004-tokens.md); this one fails when
 * titles, headings, addresses or words side by side stop counting.
 */
import { expect, test } from 'vitest';
import { page, put } from '../../test/support/documents.ts';
import { openMemoryDatabase } from '../store/database.ts';
import { parseQuery } from './query.ts';
import { SqliteSearchIndex } from './sqlite.ts';

interface Item {
  readonly path: string;
  readonly title: string;
  readonly headings?: readonly string[];
  readonly text: string;
}

const repeat = (text: string): string => `${text} `.repeat(8);

const items: readonly Item[] = [
  {
    path: 'install',
    title: 'Installing on Debian',
    headings: ['Packages', 'From source'],
    text: 'Get the package and unpack it. Then start the service.',
  },
  {
    path: 'changes',
    title: 'Changelog',
    text: repeat(
      'Installing on Debian works again. The event loop is faster. Fixed the time zone of log files.',
    ),
  },
  {
    path: 'loop',
    title: 'Event loop',
    headings: ['Running a loop', 'Callbacks'],
    text: 'Everything asynchronous is run by it, in one thread.',
  },
  {
    path: 'threads',
    title: 'Threads',
    headings: ['Locks', 'Thread pools'],
    text: repeat('A loop in a thread can wait for an event; an event wakes the loop.'),
  },
  {
    path: 'log',
    title: 'Logging',
    headings: ['Rotating files', 'Time zones'],
    text: 'Lines have a date. Files are kept for a week.',
  },
  {
    path: 'time',
    title: 'Dates and times',
    text: repeat('A zone has an offset, the time in a zone is what the clock shows, files have a time.'),
  },
  {
    path: 'api/read-file',
    title: 'fs',
    headings: ['readFile', 'readFileSync'],
    text: 'Reads a file into memory.',
  },
  {
    path: 'guide/streams',
    title: 'Streams',
    text: repeat('Do not call readFileSync for a large file, read the file as a stream.'),
  },
  {
    path: 'glossary',
    title: 'Glossary',
    text: 'backpressure: a slow reader holds up the writer. loop: see event. lock: see thread.',
  },
  {
    path: 'city',
    title: 'Travelling',
    text: 'A new train to York leaves every hour. The York line is new. New in York.',
  },
  { path: 'ny', title: 'Travelling far', text: 'Flights to New York leave in the morning.' },
  {
    path: 'zh/install',
    title: '安装与配置',
    headings: ['下载', '编译'],
    text: '下载软件包，然后运行安装程序。',
  },
  {
    path: 'zh/faq',
    title: '常见问题',
    text: repeat('如果安装失败，请检查配置。安装之后可以修改配置文件。数据库连接失败时请重试。'),
  },
  {
    path: 'zh/db',
    title: '数据库',
    headings: ['连接', '备份'],
    text: '数据保存在一个文件里，连接之前要先打开。',
  },
  { path: 'zh/country', title: '中华人民共和国', text: '成立于1949年，首都北京。' },
  { path: 'zh/news', title: '人民日报', text: repeat('人民的报纸。共和国的新闻，人民共同关心。') },
  {
    path: 'sql/with',
    title: 'The WITH Clause',
    text: 'Common table expressions act like temporary views that exist for one statement.',
  },
  {
    path: 'sql/returning',
    title: 'RETURNING',
    headings: ['The returning clause', 'Clause of an insert'],
    text: repeat('A clause at the end of a statement. Each clause may return rows.'),
  },
  { path: 'sql/clause', title: 'Clause', text: repeat('A clause is a part of a statement.') },
  { path: 'cpp', title: 'C++', text: 'A language with templates.' },
  { path: 'c', title: 'C', text: repeat('Unlike C++ it has no templates; C++ has.') },
];

const queries: readonly (readonly [query: string, path: string])[] = [
  ['installing on debian', 'install'],
  ['install debian package', 'install'],
  ['event loop', 'loop'],
  ['thread lock', 'threads'],
  ['log time zone', 'log'],
  ['rotating files', 'log'],
  ['readFileSync', 'api/read-file'],
  ['read file', 'api/read-file'],
  ['streams', 'guide/streams'],
  ['backpressure', 'glossary'],
  ['new york', 'ny'],
  ['安装配置', 'zh/install'],
  ['安装', 'zh/install'],
  ['编译', 'zh/install'],
  ['数据库连接', 'zh/db'],
  ['人民共和国', 'zh/country'],
  ['人民的报纸', 'zh/news'],
  ['安装失败怎么办', 'zh/faq'],
  ['the with clause', 'sql/with'],
  ['c++', 'cpp'],
  ['c++ templates', 'cpp'],
];

test('the page that is meant comes first or nearly so', () => {
  const index = new SqliteSearchIndex(openMemoryDatabase());
  index.write(
    items.map(({ path, title, headings = [], text }, id) =>
      put(page(id, `https://docs.test/${path}`), text, { title, headings }),
    ),
  );
  const ranks = queries.map(([query, path]) => {
    const { hits } = index.search(parseQuery(query));
    return { query, rank: hits.findIndex(({ url }) => url === `https://docs.test/${path}`) + 1 };
  });
  expect(ranks.filter(({ rank }) => rank === 0 || rank > 2)).toEqual([]);
  const sum = ranks.reduce((total, { rank }) => total + 1 / rank, 0);
  expect(sum / ranks.length, 'mean reciprocal rank').toBeGreaterThan(0.95);
});

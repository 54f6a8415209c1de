/** Pages that are whole answers, and nasty by what is in them; statuses that ask for patience; sites without end. */
import { answer, type Script } from '../support/raw-server.ts';
import { HTML, html, type Row, story } from './row.ts';

const filler = 'x'.repeat(1_000_000);

function indexed(name: string, body: string | Uint8Array, headers = ''): Row {
  return { name, page: html(body, headers), fetched: 'ok', crawled: 'indexed' };
}

/** A site that answers every path with a page that leads to others. */
function endless(name: string, linksOf: (target: string) => string[], mostRequests: number): Row {
  const page: Script = (head) => {
    const target = / (\S+) /.exec(head)?.[1] ?? '';
    const links = linksOf(target).map((href) => `<a href="${href}">on</a>`);
    return html(story(`place ${target} of a site without end`) + links.join(' '));
  };
  return { name, page, more: { '*': page }, fetched: 'ok', crawled: 'indexed', mostRequests };
}

const contents: readonly Row[] = [
  indexed('a hundred thousand links', story('links') + '<a href=x>'.repeat(100_000)),
  indexed('ten thousand elements in each other', story('depth') + '<div><b>'.repeat(10_000)),
  indexed('ten thousand formatting elements left open', story('format') + '<p><a><b><i>'.repeat(10_000)),
  indexed('ten thousand tables in each other', story('tables') + '<table><tr><td>'.repeat(10_000)),
  indexed('an attribute of a megabyte', `${story('attributes')}<p title="${filler}">and on`),
  indexed('a tag of a megabyte that never ends', `${story('tags')}<p ${filler}`),
  indexed(
    'a hundred thousand attributes',
    `${story('many')}<p ${Array.from({ length: 100_000 }, (_, n) => `a${n}`).join(' ')}>`,
  ),
  indexed('a comment that never ends', `${story('comments')}<!-- ${filler}`),
  indexed('a script that never ends', `${story('scripts')}<script>${'<!--<script>'.repeat(50_000)}`),
  indexed('a title of a megabyte', `<title>${'long title '.repeat(90_000)}</title>${story('titles')}`),
  indexed('one word of a megabyte', `${story('words')}<p>${filler}`),
  indexed('a hundred thousand entities', `${story('entities')}<p>${'&amp;&#x1F600;&notit;'.repeat(45_000)}`),
  indexed('NUL and control bytes', `${story('controls')}<p>a\0b\x01\x02\x1b[2J\x07\x7f`),
  indexed(
    'bytes that are no UTF-8',
    Buffer.concat([Buffer.from(story('bytes')), Buffer.alloc(5000, '\xc0\xff\xed\xa0\x80\x80', 'latin1')]),
  ),
  indexed('a charset nobody knows', `<meta charset="klingon">${story('charsets')}`),
  indexed('a charset that is another', `<meta charset="utf-16">${story('labels')}`),
  indexed('a thousand marks on one letter', `${story('marks')}<p>Z${'\u0301'.repeat(1000)}`),
  {
    name: 'a page that is an archive',
    page: html(Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(1000, '\x01\x02\x03')])),
    fetched: 'ok',
    crawled: 'blocked content.type',
  },
  {
    name: 'a Content-Type of forty thousand parameters',
    page: [
      { send: HTML.replace('text/html', `text/html${';a=b'.repeat(10_000)}`) },
      { send: `Content-Length: ${story('types').length}\r\n\r\n${story('types')}` },
    ],
    fetched: 'ok',
    crawled: 'indexed',
  },
];

/** Retry-After in every form: short ones, those that are past or cannot be read, and those for which all of the host is left alone. */
const waits = ['0', '1', '-1', '1e3', '1.5', 'soon', '', 'Wed, 21 Oct 2015 07:28:00 GMT'];
const longWaits = ['3600', '99999999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'];

const patience: readonly Row[] = [
  ...[...waits, ...longWaits].map(
    (wait): Row => ({
      name: `503, come back after "${wait}"`,
      page: answer('503 Busy', { 'Retry-After': wait }),
      fetched: 'http-error',
      crawled: longWaits.includes(wait) ? 'waiting http.5xx' : 'failed http.5xx',
    }),
  ),
  { name: '429', page: answer('429 Slow', {}), fetched: 'http-error', crawled: 'failed http.429' },
  {
    name: '429 with an endless body',
    page: [{ send: 'HTTP/1.1 429 Slow\r\n\r\n' }, { flood: 'no. '.repeat(100) }],
    fetched: 'http-error',
    crawled: 'failed http.429',
  },
];

const sites: readonly Row[] = [
  endless(
    'a calendar without end',
    (target) => {
      const [year = 2026, month = 1] = (/(\d+)\/(\d+)/.exec(target) ?? []).slice(1).map(Number);
      return [`/calendar/${year + 1}/${month}`, `/calendar/${year - 1}/${month}`];
    },
    60,
  ),
  endless(
    'a session in every URL',
    (target) => [
      `/page?PHPSESSID=${target.length}a`,
      `/page?sid=${target.length}b`,
      `/page?jsessionid=${target.length}c`,
    ],
    60,
  ),
  endless('a relative link that adds a segment', () => ['on/'], 60),
  endless(
    'a filter that combines freely',
    (target) =>
      Array.from({ length: 20 }, (_, n) => {
        const filters = new URLSearchParams(target.split('?')[1]);
        filters.set('abcde'.charAt(n % 5), String(Math.floor(n / 5)));
        return `/page?${filters.toString().replaceAll('&', '&amp;')}`;
      }),
    // Of the 3,124 there are: 20, and 10 for each value of a filter (src/crawl/variants.ts).
    250,
  ),
  endless(
    'one page by many spellings',
    () => ['/PAGE', '/Page', '/p%61ge', '/./page', '/x/../page', '/page#a', '//page'],
    12,
  ),
];

export const pages: readonly Row[] = [...contents, ...patience, ...sites];

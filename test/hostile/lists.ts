/** robots.txt and sitemaps that are hostile, beside a page that is not. */
import { gzipSync } from 'node:zlib';
import { answer, type Script } from '../support/raw-server.ts';
import { CHUNKED, html, OK, type Row, story } from './row.ts';

const MiB = 1024 * 1024;

function beside(name: string, more: Record<string, Script>, mostRequests = 12): Row {
  return { name, more, page: html(story('the neighbour')), fetched: 'ok', crawled: 'indexed', mostRequests };
}

/** A sitemap index that names sitemaps. */
function index(...paths: string[]): Script {
  return (head) => {
    const host = /\r\nHost: (\S+)/i.exec(head)?.[1];
    const entries = paths.map((path) => `<sitemap><loc>http://${host}${path}</loc></sitemap>`);
    return answer('200 OK', {}, `<sitemapindex>${entries.join('')}</sitemapindex>`);
  };
}

export const lists: readonly Row[] = [
  beside('a robots.txt without end', { '/robots.txt': [{ send: `${OK}\r\n` }, { flood: 'Disallow: /x\n' }] }),
  beside('a robots.txt of one line without end', {
    '/robots.txt': [{ send: `${OK}\r\n` }, { flood: 'Disallow' }],
  }),
  beside('a robots.txt of patterns that explode', {
    '/robots.txt': answer('200 OK', {}, `User-agent: *\n${`Disallow: /${'*a'.repeat(500)}$\n`.repeat(400)}`),
  }),
  beside('a robots.txt of bytes', {
    '/robots.txt': answer('200 OK', {}, Buffer.alloc(MiB, '\0\xff\n', 'latin1')),
  }),
  beside(
    'a robots.txt that names ten thousand sitemaps',
    {
      '/robots.txt': (head) =>
        answer(
          '200 OK',
          {},
          Array.from(
            { length: 10_000 },
            (_, n) => `Sitemap: http://${/\r\nHost: (\S+)/i.exec(head)?.[1]}/map${n}.xml`,
          ).join('\n'),
        ),
    },
    // As many lists of a host are read as 1,000; then there are its pages.
    1_010,
  ),
  beside('a sitemap that names itself', { '/sitemap.xml': index('/sitemap.xml') }),
  beside('sitemaps in a circle', { '/sitemap.xml': index('/b.xml'), '/b.xml': index('/sitemap.xml') }),
  beside(
    'sitemaps without end',
    { '/sitemap.xml': index('/1.xml', '/2.xml'), '*': index('/3.xml', '/4.xml', '/5.xml') },
    20,
  ),
  beside('a sitemap without end', { '/sitemap.xml': [{ send: CHUNKED }, { flood: `6\r\n<url>\n\r\n` }] }),
  beside('a sitemap that is a bomb', {
    '/sitemap.xml': answer('200 OK', {}, gzipSync(Buffer.alloc(200 * MiB, '<urlset>'))),
  }),
];

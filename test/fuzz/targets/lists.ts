/** Sitemaps and feeds, packed or not: the bytes of a file. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { MAX_SITEMAP_ENTRIES, parseSitemap } from '../../../src/parse/sitemap.ts';
import { caseInputs, demoAnswers } from '../corpus.ts';
import { bytesOf, octets, type Target } from '../target.ts';

const URL_OF_LIST = 'http://a.test/dir/sitemap.xml';

export function listsTarget(): Target {
  const bodies = caseInputs('sitemaps', 'cases', ['body'], ({ body }) => octets(body));
  const packed = caseInputs('sitemaps', 'cases', ['body_b64'], (one) =>
    Buffer.from(one.body_b64, 'base64').toString('latin1'),
  );
  const demo = demoAnswers().filter(({ headers }) => /xml/.test(headers['content-type'] ?? ''));
  return {
    corpus: [
      ...bodies,
      ...packed,
      ...demo.map(({ body }) => Buffer.from(body).toString('latin1')),
      ...bodies.slice(0, 5).map((body) => gzipSync(bytesOf(body)).toString('latin1')),
      '{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","url":"/a","date_published":"2026-01-01T00:00:00Z"}]}',
    ],
    words: [
      ...[
        '<',
        '>',
        '</',
        '/>',
        '&',
        '&#x',
        ';',
        ']]>',
        '<![CDATA[',
        '<!--',
        '-->',
        '<?xml version="1.0"?>',
        '<!DOCTYPE x [<!ENTITY a "b">]>',
      ],
      ...[
        '<urlset>',
        '<url>',
        '<loc>',
        '/a',
        '</loc>',
        '</url>',
        '</urlset>',
        '<lastmod>2026-01-01</lastmod>',
        '<sitemapindex>',
        '<sitemap>',
      ],
      ...[
        '<rss>',
        '<item>',
        '<link>',
        '<guid isPermaLink="false">',
        '</item>',
        '<feed>',
        '<entry>',
        '<link href="/a" rel="self"/>',
        '</entry>',
      ],
      ...[
        ' xml:base="http://b.test/"',
        'http://a.test/x\n',
        '\x1f\x8b\x08\0',
        '{"items":[',
        '{"url":"/a"},',
        ']}',
        '\xff\xfe',
        '\xef\xbb\xbf',
      ],
    ],
    run(input) {
      const body = bytesOf(input);
      const list = parseSitemap(body, URL_OF_LIST, null);
      return () => {
        assert.ok(list.urls.length + list.sitemaps.length <= MAX_SITEMAP_ENTRIES, 'a list has a bound');
        for (const { url, lastmod } of list.urls) {
          assertPage(url);
          assert.ok(lastmod === null || Number.isSafeInteger(lastmod), 'a date is an instant');
        }
        for (const url of list.sitemaps) assertPage(url);
        assert.equal(new Set(list.sitemaps).size, list.sitemaps.length, 'further sitemaps come once');
        assert.ok(!list.sitemaps.includes(URL_OF_LIST), 'an index does not name itself');
        if (!input.startsWith('\x1f\x8b'))
          assert.deepEqual(parseSitemap(gzipSync(body), URL_OF_LIST, null), list, 'packed, it says the same');
      };
    },
  };
}

function assertPage(url: string): void {
  assert.ok(
    /^https?:\/\//.test(url) && new URL(url).href === url && !url.includes('#'),
    'a listed URL is one, without fragment',
  );
}

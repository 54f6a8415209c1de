import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../test/support/random.ts';
import { MAX_SITEMAP_BYTES, MAX_SITEMAP_ENTRIES, parseSitemap, type Sitemap } from './sitemap.ts';

interface Listed {
  readonly loc: string;
  readonly lastmod?: string | null;
}
interface Case {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly content_type: string | null;
  readonly level: string;
  readonly body?: string;
  readonly body_b64?: string;
  readonly expect: {
    readonly urls?: readonly Listed[];
    readonly urls_contain?: readonly string[];
    readonly urls_are_prefix_of?: readonly string[];
    readonly sitemaps?: readonly Listed[];
    readonly sitemaps_contain?: readonly string[];
    readonly text_never_contains?: string;
    readonly time_ms_max?: number;
  };
}
const cases: { cases: readonly Case[] } = JSON.parse(
  readFileSync('test/fixtures/cases/sitemaps.json', 'utf8'),
);

const URL_ = 'http://a.test/sitemap.xml';

function parse(body: string | Uint8Array, contentType: string | null = 'application/xml'): Sitemap {
  return parseSitemap(typeof body === 'string' ? Buffer.from(body) : body, URL_, contentType);
}
function urlsOf(body: string | Uint8Array): string[] {
  return parse(body).urls.map((entry) => entry.url);
}
function urlset(paths: readonly string[]): string {
  return `<urlset>${paths.map((path) => `<url><loc>http://a.test${path}</loc></url>`).join('')}</urlset>`;
}

// 068 and 072 also speak of requests that follow: those are the crawl's, as entries pass its scope and depth.
describe('conformance cases', () => {
  test.each(cases.cases.filter((item) => item.level !== 'policy'))('$id $name', (item) => {
    const body =
      item.body_b64 === undefined ? Buffer.from(item.body ?? '') : Buffer.from(item.body_b64, 'base64');
    const started = performance.now();
    const sitemap = parseSitemap(body, item.url, item.content_type);
    const tookMs = performance.now() - started;

    const { expect: wanted } = item;
    const urls = sitemap.urls.map((entry) => entry.url);
    if (wanted.urls !== undefined) {
      expect(urls).toEqual(wanted.urls.map((entry) => entry.loc));
      for (const [i, { lastmod }] of wanted.urls.entries()) {
        if (lastmod !== undefined) {
          expect(sitemap.urls[i]?.lastmod).toBe(lastmod === null ? null : Date.parse(lastmod));
        }
      }
    }
    if (wanted.sitemaps !== undefined)
      expect(sitemap.sitemaps).toEqual(wanted.sitemaps.map((entry) => entry.loc));
    expect(urls).toEqual(expect.arrayContaining([...(wanted.urls_contain ?? [])]));
    expect(sitemap.sitemaps).toEqual(expect.arrayContaining([...(wanted.sitemaps_contain ?? [])]));
    for (const [i, url] of (wanted.urls_are_prefix_of ?? []).entries()) {
      if (i < urls.length) expect(urls[i]).toBe(url);
    }
    if (wanted.text_never_contains !== undefined)
      expect(urls.join()).not.toContain(wanted.text_never_contains);
    expect(tookMs).toBeLessThan(wanted.time_ms_max ?? 1000);
  });
});

describe('faults others had', () => {
  test('bug-087 names of sitemaps with a query, or without an ending', () => {
    const locs = [
      'http://a.test/sm.xml?from=1&amp;to=2',
      'http://a.test/sitemap',
      'http://a.test/sm.php?id=3',
    ];
    const index = `<sitemapindex>${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`;
    expect(parse(index).sitemaps).toEqual(locs.map((loc) => loc.replace('&amp;', '&')));
  });
  test('bug-088 no namespace, another prefix, a relative loc', () => {
    expect(urlsOf('<urlset><url><loc>/a</loc></url></urlset>')).toEqual(['http://a.test/a']);
    const prefixed =
      "<s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9'><s:url><s:loc> http://a.test/b\n</s:loc></s:url></s:urlset>";
    expect(urlsOf(prefixed)).toEqual(['http://a.test/b']);
  });
  test('bug-091 each sitemap once, the index itself never', () => {
    const locs = ['s1.xml', 's1.xml', 'sitemap.xml', 'S1.xml#f'];
    const index = `<sitemapindex>${locs.map((loc) => `<sitemap><loc>/${loc}</loc></sitemap>`).join('')}</sitemapindex>`;
    expect(parse(index).sitemaps).toEqual(['http://a.test/s1.xml', 'http://a.test/S1.xml']);
  });
});

describe('gzip (bug-072, bug-093)', () => {
  const paths = Array.from({ length: 5000 }, (_, i) => `/${i}/${(i * 7919) % 10_007}`);
  const urls = paths.map((path) => `http://a.test${path}`);
  const packed = gzipSync(urlset(paths));

  const random = seededRandom(72);
  const noise = Uint8Array.from({ length: 500 }, () => random() * 256);
  const whole: Sitemap = { urls: urls.map((url) => ({ url, lastmod: null })), sitemaps: [], problems: [] };

  test.each(['text/xml', 'application/octet-stream', 'application/x-gzip', null])(
    'is told by its first bytes, called %s',
    (contentType) => expect(parse(packed, contentType)).toEqual(whole),
  );
  test.each(['application/gzip', 'application/x-gzip', 'application/octet-stream'])(
    'is not told by a name that ends in .gz, or by a type: plain XML called %s is read',
    (contentType) => {
      expect(parseSitemap(Buffer.from(urlset(paths)), `${URL_}.gz`, contentType)).toEqual(whole);
    },
  );
  test.each([
    ['random bytes after its magic number', Buffer.concat([packed.subarray(0, 3), noise])],
    ['random bytes', noise],
    ['its first 50 bytes', gzipSync(urlset(['/only'])).subarray(0, 50)],
  ])('%s gives no URL, and a problem', (_what, bytes) => {
    const sitemap = parse(bytes);
    expect(sitemap.urls).toEqual([]);
    expect(sitemap.problems).not.toEqual([]);
  });
  test('cut short gives the part before the cut', () => {
    const part = parse(packed.subarray(0, packed.length >> 1));
    expect(part.urls.length).toBeGreaterThan(1000);
    expect(part.urls.map((entry) => entry.url)).toEqual(urls.slice(0, part.urls.length));
    expect(part.problems).toHaveLength(1);
  });
  test('cut short, a text sitemap does not end in half a URL', () => {
    const part = parse(gzipSync(urls.join('\n')).subarray(0, 2000));
    expect(part.urls.length).toBeGreaterThan(100);
    expect(part.urls.map((entry) => entry.url)).toEqual(urls.slice(0, part.urls.length));
  });
  test('a wrong checksum is told', () => {
    const wrong = Buffer.from(packed);
    wrong.writeUInt32LE(1, packed.length - 8);
    const sitemap = parse(wrong);
    expect(sitemap.urls).toHaveLength(urls.length);
    expect(sitemap.problems).toHaveLength(1);
  });
  test('data that stops making sense gives what came before', () => {
    const broken = Buffer.concat([packed.subarray(0, packed.length >> 1), Buffer.alloc(1000, 0xff)]);
    const part = parse(broken);
    expect(part.urls.length).toBeGreaterThan(1000);
    expect(part.urls.slice(0, 1000).map((entry) => entry.url)).toEqual(urls.slice(0, 1000));
    expect(part.problems).not.toEqual([]);
  });
  test('a bomb gives at most the limit', () => {
    const lines = Buffer.alloc(MAX_SITEMAP_BYTES + 1_000_000, 'x\n');
    lines.write('http://a.test/1\n');
    const started = performance.now();
    const sitemap = parse(gzipSync(gzipSync(lines, { level: 1 })));
    expect(sitemap.urls).toEqual([{ url: 'http://a.test/1', lastmod: null }]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('limits', () => {
  test('50,000 entries are read', () => {
    const paths = Array.from({ length: MAX_SITEMAP_ENTRIES }, (_, i) => `/${i}`);
    expect(parse(urlset(paths))).toMatchObject({ problems: [] });
    const more = parse(urlset([...paths, '/one-more']));
    expect(more.urls).toHaveLength(MAX_SITEMAP_ENTRIES);
    expect(more.problems).toHaveLength(1);
  });
  test.each([
    ['<urlset>', '<a>'],
    [`<urlset>${'<a>'.repeat(190)}`, '</b>'],
    ['<urlset><url>', '<loc>:</loc>'],
    ['<urlset>', '<url/>'],
    ['<urlset><url><loc>', '&'],
    ['<urlset><url><loc><![CDATA[', ']'],
    ['<urlset><!--', '-'],
    ['', '<'],
    ['', 'x\r\n'],
    ['{"items":', '['],
  ])('a million bytes of %s%s … are read in bounded time', (start, part) => {
    const started = performance.now();
    parse(start + part.repeat(1_000_000 / part.length));
    expect(performance.now() - started).toBeLessThan(2000);
  });
  test('anything can be parsed, and gives http(s) URLs only', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<urlset>',
        '<url>',
        '<loc>',
        '</loc>',
        '</url>',
        '<rss>',
        '<item>',
        '<link>',
        '<![CDATA[',
        ']]>',
        '&#0;',
        '/x',
      ),
    );
    const text = fc.array(piece).map((pieces) => Buffer.from(pieces.join('')));
    const packed = text
      .map((bytes) => gzipSync(bytes))
      .chain((bytes) => fc.nat(bytes.length).map((n) => bytes.subarray(0, n)));
    fc.assert(
      fc.property(fc.oneof(text, packed, fc.uint8Array()), (body) => {
        for (const { url } of parse(body).urls) expect(url).toMatch(/^https?:\/\//);
      }),
    );
  });
});

describe('text', () => {
  test('what stands before an XML sitemap does not matter', () => {
    expect(urlsOf(`Warning: x in y on line 1\n${urlset(['/a'])}`)).toEqual(['http://a.test/a']);
  });
  test('problems are told', () => {
    expect(parse('<html>').problems).toEqual(['It is neither a sitemap nor a feed.']);
    expect(
      parse('<urlset><url><loc/></url><url><loc>/a</loc><lastmod>soon</lastmod></url></urlset>').problems,
    ).toEqual(['Entries without a usable URL: 1.', 'Dates that cannot be read: 1.']);
  });
});

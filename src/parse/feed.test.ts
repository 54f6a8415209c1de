import { describe, expect, test } from 'vitest';
import { parseJsonFeed } from './feed.ts';
import { parseSitemap } from './sitemap.ts';

/** `url @ date` of each entry. */
function listed(text: string): string[] {
  const { urls } = parseSitemap(Buffer.from(text), 'http://a.test/feed/', null);
  return urls.map(({ url, lastmod }) =>
    lastmod === null ? url : `${url} @ ${new Date(lastmod).toISOString()}`,
  );
}
const rss = (items: string): string[] =>
  listed(`<rss version="2.0"><channel><link>/no</link>${items}</channel></rss>`);
const atom = (entries: string): string[] =>
  listed(`<feed xmlns="http://www.w3.org/2005/Atom"><link href="/no"/>${entries}</feed>`);

describe('RSS', () => {
  test.each([
    ['<item><link> /a </link></item>', ['http://a.test/a']],
    ['<item><guid>http://a.test/g</guid></item>', ['http://a.test/g']],
    ['<item><guid>12345</guid></item>', []],
    ['<item><guid isPermaLink="False">http://a.test/g</guid></item>', []],
    ['<item><link>/a</link><guid>http://a.test/g</guid></item>', ['http://a.test/a']],
    ['<item><link/><guid>http://a.test/g</guid></item>', ['http://a.test/g']],
    ['<item><atom:link rel="self" href="/self"/><link>/a</link></item>', ['http://a.test/a']],
    ['<item><source><link>/elsewhere</link></source></item>', []],
    [
      '<item><link>/a</link><dc:date>2020-01-02</dc:date></item>',
      ['http://a.test/a @ 2020-01-02T00:00:00.000Z'],
    ],
    ['<image><url>/logo.png</url><link>/x</link></image>', []],
    ['<item><link>mailto:x@a.test</link></item>', []],
  ])('%s', (items, expected) => {
    expect(rss(items)).toEqual(expected);
  });
});

describe('Atom', () => {
  test.each([
    ['<entry><link href="/a"/></entry>', ['http://a.test/a']],
    ['<entry><link rel="edit" href="/e"/><link rel="alternate" href="/a"/></entry>', ['http://a.test/a']],
    ['<entry xml:base="/b/"><link href="a"/></entry>', ['http://a.test/b/a']],
    [
      '<entry xml:base="/b/"><link xml:base="c/" href="a"/></entry><entry><link href="a"/></entry>',
      ['http://a.test/b/c/a', 'http://a.test/feed/a'],
    ],
    ['<entry><id>http://a.test/id</id></entry>', []],
    [
      '<entry><link href="/a"/><published>2020-01-01</published><updated>2020-02-01T00:00:00Z</updated></entry>',
      ['http://a.test/a @ 2020-02-01T00:00:00.000Z'],
    ],
    ['<atom:entry><atom:link href="/a"/></atom:entry>', ['http://a.test/a']],
  ])('%s', (entries, expected) => {
    expect(atom(entries)).toEqual(expected);
  });
});

describe('JSON Feed', () => {
  test('url, external_url, dates', () => {
    const feed = {
      version: 'https://jsonfeed.org/version/1.1',
      items: [
        { id: '1', url: '/a', date_published: '2020-01-01T00:00:00Z' },
        {
          id: '2',
          external_url: 'http://b.test/',
          date_published: '2020-01-01',
          date_modified: '2020-01-02',
        },
        { id: '3' },
        null,
        { url: 7 },
      ],
    };
    expect(listed(JSON.stringify(feed))).toEqual([
      'http://a.test/a @ 2020-01-01T00:00:00.000Z',
      'http://b.test/ @ 2020-01-02T00:00:00.000Z',
    ]);
  });
  test.each(['', '{', '[]', '{}', '{"items":{}}', 'null'])('%s is none', (text) => {
    expect(parseJsonFeed(text, 'http://a.test/')).toBeNull();
  });
});

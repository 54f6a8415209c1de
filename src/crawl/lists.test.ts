import { describe, expect, test } from 'vitest';
import { newRecord } from '../../test/support/records.ts';
import type { SiteInput } from '../config/input.ts';
import { checkConfig } from '../config/schema.ts';
import type { Gate } from './gate.ts';
import { isNamedAsList, listedLinks, sitemapsOf } from './lists.ts';
import { gateOf } from './sites.ts';
import { QueryVariants } from './variants.ts';

const NOW = Date.UTC(2026, 0, 1);
const record = newRecord({ id: 7, url: 'https://a.test/', host: 'a.test' });

function gate(site: Partial<SiteInput> = {}): Gate {
  const checked = checkConfig({ sites: [{ start: ['https://a.test/'], ...site }] }, () => 'test');
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
  return gateOf(checked.config, checked.config.sites);
}

describe('sitemaps of an origin', () => {
  const urls = (named: string[], site?: Partial<SiteInput>, url = 'https://a.test/x'): string[] =>
    sitemapsOf(newRecord({ url }), named, gate(site)).links.map((link) => link.url);

  test.each([
    [
      'named ones, each once',
      ['https://a.test/m.xml', 'https://a.test/m.xml#x'],
      {},
      ['https://a.test/m.xml'],
    ],
    ['the usual one when none is named', [], {}, ['https://a.test/sitemap.xml']],
    ['none when none are wanted', ['https://a.test/m.xml'], { sitemaps: 'none' }, []],
    ['none when others are', ['https://a.test/m.xml'], { sitemaps: ['https://a.test/o.xml'] }, []],
    [
      'whatever the rules for pages',
      ['https://a.test/m.xml.gz'],
      { include: ['/docs/**'] },
      ['https://a.test/m.xml.gz'],
    ],
    ['not of other hosts', ['https://b.test/m.xml', 'http://127.0.0.1/m.xml'], {}, []],
  ] as const)('%s', (_, named, site, expected) => expect(urls([...named], site)).toEqual(expected));

  test('the usual one only of start hosts, whatever the scheme', () => {
    expect(urls([], {}, 'http://a.test/x')).toEqual(['http://a.test/sitemap.xml']);
    expect(urls([], {}, 'https://b.test/x')).toEqual([]);
  });
});

describe('entries', () => {
  const list = {
    urls: [
      { url: 'https://a.test/old', lastmod: NOW - 1 },
      { url: 'https://a.test/future', lastmod: NOW + 1 },
      { url: 'https://a.test/old', lastmod: null },
      { url: 'https://b.test/', lastmod: null },
      { url: 'https://a.test/a.zip', lastmod: null },
    ],
    sitemaps: ['https://a.test/more.xml', 'https://b.test/more.xml'],
    problems: [],
  };
  const linksOf = (changes: Parameters<typeof newRecord>[0]) =>
    listedLinks(list, { ...record, ...changes }, gate(), new QueryVariants(), NOW);

  test('of a sitemap: one link from a start page, with dates that have come; the rest refused by reason', () => {
    const { links, refused } = linksOf({ kind: 'sitemap' });
    expect(
      links.map(({ url, kind, depth, priority, lastmodAt }) => [url, kind, depth, priority, lastmodAt]),
    ).toEqual([
      ['https://a.test/old', undefined, 1, 0, NOW - 1],
      ['https://a.test/future', undefined, 1, 0, null],
      ['https://a.test/more.xml', 'sitemap', 1, 0, undefined],
    ]);
    expect(refused).toEqual({ 'scope.host': 2, 'scope.extension': 1 });
  });

  test('of a feed: one link further than the page that names it, and first', () => {
    const [first] = linksOf({ kind: 'feed', depth: 2 }).links;
    expect(first).toMatchObject({ depth: 3, priority: 50, referrerId: 7 });
  });

  test('indexes lead three deep', () => {
    const { links, refused } = linksOf({ kind: 'sitemap', depth: 3 });
    expect(links.filter(({ kind }) => kind === 'sitemap')).toEqual([]);
    expect(refused).toMatchObject({ 'scope.depth': 1 });
  });
});

test.each([
  ['https://a.test/sitemap.xml', true],
  ['https://a.test/sm.XML.gz?x=1', true],
  ['https://a.test/feed/', false],
  ['https://a.test/sitemap', false],
  ['https://a.test/?file=a.xml', false],
])('%s is named as a list: %s', (url, expected) => expect(isNamedAsList(url)).toBe(expected));

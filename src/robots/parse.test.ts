import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clipRobots, MAX_ROBOTS_BYTES, parseRobots, productTokenOf } from './parse.ts';

interface Case {
  readonly id: string;
  readonly robots?: string;
  readonly robots_hex?: string;
}
interface Cases {
  readonly match: readonly (Case & { ua: string; url: string; allowed: boolean; level: string })[];
  readonly crawl_delay: readonly (Case & { ua: string; crawl_delay_s: number | null })[];
  readonly sitemap_lines: readonly (Case & { robots_url: string; sitemaps: string[] })[];
}
const cases: Cases = JSON.parse(readFileSync('test/fixtures/cases/robots.json', 'utf8'));

function bodyOf(item: Case): string | Uint8Array {
  return item.robots ?? Buffer.from(item.robots_hex ?? '', 'hex');
}

function disallowed(robots: string | Uint8Array, agent: string, paths: readonly string[]): string[] {
  const rules = parseRobots(robots, agent);
  return paths.filter((path) => !rules.isAllowed(`http://a.test${path}`));
}

describe('conformance cases', () => {
  test.each(cases.match.filter((item) => item.level !== 'impl'))('$id', (item) => {
    expect(parseRobots(bodyOf(item), item.ua).isAllowed(item.url)).toBe(item.allowed);
  });
  test.each(cases.crawl_delay)('$id', (item) => {
    const seconds = item.crawl_delay_s;
    expect(parseRobots(bodyOf(item), item.ua).crawlDelayMs).toBe(seconds === null ? null : seconds * 1000);
  });
  test.each(cases.sitemap_lines)('$id', (item) => {
    expect(parseRobots(bodyOf(item), 'x', item.robots_url).sitemaps).toEqual(item.sitemaps);
  });
});

describe('faults others had', () => {
  test('bug-007 a group of `*` without a Disallow does not borrow the next one', () => {
    const robots =
      'User-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /\n\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: Other\nDisallow: /tmp/';
    const paths = ['/', '/page', '/tmp/x'];
    expect(disallowed(robots, 'MyCrawler', paths)).toEqual([]);
    expect(disallowed(robots, 'BadBot', paths)).toEqual(paths);
    expect(disallowed(robots, 'Other', paths)).toEqual(['/tmp/x']);
  });
  test('bug-010 raw and encoded letters are the same', () => {
    const robots = 'User-agent: *\nDisallow: /bücher/\nDisallow: /%E6%90%9C%E7%B4%A2';
    const paths = ['/b%C3%BCcher/1', '/b%c3%bccher/1', '/搜索?q=1', '/buch'];
    expect(disallowed(robots, 'x', paths)).toEqual(paths.slice(0, 3));
  });
  test.each(['/bücher/', '/b%C3%BCcher/', '/b%c3%bccher/', '/B%C3%BCcher/'])(
    'bug-010 the rule %s matches each spelling of its letters, and no other letters',
    (rule) => {
      const spellings = [
        '/bücher/1',
        '/b%C3%BCcher/1',
        '/b%c3%bccher/1',
        '/b%C3%bCcher/1',
        '/%62%C3%BCcher/1',
      ];
      const isSame = !rule.startsWith('/B'); // the case of letters counts, that of hexadecimal digits does not
      expect(disallowed(`User-agent: *\nDisallow: ${rule}`, 'x', spellings)).toEqual(isSame ? spellings : []);
      const others = ['/buecher/1', '/b%FCcher/1', '/b%25C3%25BCcher/1', '/buch'];
      expect(disallowed(`User-agent: *\nDisallow: ${rule}`, 'x', others)).toEqual([]);
    },
  );
  test('bug-011 rules are not regular expressions', () => {
    const robots = 'User-agent: *\nDisallow: /*.print?\nDisallow: /a+b(';
    const paths = ['/x.print?y=1', '/x.prin', '/xZprint?y', '/a+b(c', '/aab'];
    expect(disallowed(robots, 'x', paths)).toEqual(['/x.print?y=1', '/a+b(c']);
  });
  test('bug-012 comments and blank lines do not part user-agent lines', () => {
    const robots = 'User-agent: one # first\n# note\n\nUser-agent: MyCrawler\nDisallow: /p\n';
    expect(disallowed(robots, 'MyCrawler', ['/p/1', '/q'])).toEqual(['/p/1']);
    expect(disallowed(robots, 'one', ['/p/1', '/q'])).toEqual(['/p/1']);
  });
  test('bug-014 our own group frees us from `*`', () => {
    const robots = 'User-agent: MyCrawler\nAllow: /\n\nUser-agent: *\nDisallow: /';
    expect(disallowed(robots, 'MyCrawler/1.0 (+http://x)', ['/any'])).toEqual([]);
  });
  test('bug-016 `*` alone is everything', () => {
    expect(disallowed('User-agent: *\nDisallow: *', 'x', ['/', '/a'])).toEqual(['/', '/a']);
  });
  test("bug-017 the delay of another bot's group is not ours", () => {
    const robots = 'User-agent: AhrefsBot\nCrawl-delay: 10\n\nUser-agent: *\nDisallow: /x';
    expect(parseRobots(robots, 'MyCrawler').crawlDelayMs).toBeNull();
    expect(parseRobots(robots, 'AhrefsBot').crawlDelayMs).toBe(10_000);
  });
  test('bug-018 our own group counts, also after `*`', () => {
    const robots = 'User-agent: *\nDisallow: /\n\nUser-agent: MyCrawler\nAllow: /';
    expect(disallowed(robots, 'MyCrawler', ['/a'])).toEqual([]);
    expect(disallowed(robots, 'x', ['/a'])).toEqual(['/a']);
  });
  test('bug-086 unusable Sitemap lines are left out', () => {
    const robots =
      'Sitemap: /sm.xml\nSitemap: //a.test/sm2.xml\nSitemap:\nSitemap: http://[bad\nSitemap: ftp://a.test/x';
    const { sitemaps } = parseRobots(robots, 'x', 'http://a.test/robots.txt');
    expect(sitemaps).toEqual(['http://a.test/sm.xml', 'http://a.test/sm2.xml']);
    expect(parseRobots(robots, 'x').sitemaps).toEqual([]);
  });
});

describe('groups', () => {
  test('other records do not end a group (RFC 9309 2.2.4), and a delay belongs to the agents above it', () => {
    const robots = 'User-agent: a\nCrawl-delay: 1\nSitemap: http://s/\nUser-agent: b\nDisallow: /x';
    expect(disallowed(robots, 'a', ['/x'])).toEqual(['/x']);
    expect(parseRobots(robots, 'a').crawlDelayMs).toBe(1000);
    expect(parseRobots(robots, 'b').crawlDelayMs).toBeNull();
  });
  test('an agent named twice in one group has each rule once', () => {
    const robots = 'User-agent: a\nUser-agent: A/2\nDisallow: /x';
    expect(disallowed(robots, 'a', ['/x'])).toEqual(['/x']);
  });
  test('the largest of several delays counts', () => {
    expect(parseRobots('User-agent: *\nCrawl-delay: 9\nCrawl-delay: 2', 'x').crawlDelayMs).toBe(9000);
  });
  test('a delay of absurd length stays a number', () => {
    const rules = parseRobots(`User-agent: *\nCrawl-delay: ${'9'.repeat(400)}`, 'x');
    expect(rules.crawlDelayMs).toBe(Number.MAX_SAFE_INTEGER);
  });
  test('`*` with more on the line is still everybody', () => {
    expect(disallowed('User-agent: * all of you\nDisallow: /', 'x', ['/'])).toEqual(['/']);
  });
  test.each(['dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw'])('%s means disallow', (word) => {
    expect(disallowed(`Useragent: *\n${word}: /x`, 'x', ['/x', '/y'])).toEqual(['/x']);
  });
  test('white space may stand for the colon between exactly two words', () => {
    expect(disallowed('user-agent x\ndisallow /y\ndisallow /z now', 'x', ['/y', '/z'])).toEqual(['/y']);
  });
});

describe('product tokens', () => {
  test.each([
    ['FooBot', 'foobot'],
    ['FooBot/1.0 (+https://foo.test)', 'foobot'],
    ['Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.test)', 'foobot'],
    ['Mozilla/5.0 (X11; Linux x86_64) Firefox/120', 'mozilla'],
    ['archive.org_bot 2', 'archive.org_bot'],
    ['*', ''],
    ['', ''],
  ])('%s is %s', (agent, token) => {
    expect(productTokenOf(agent)).toBe(token);
  });
});

describe('rules', () => {
  const rules = parseRobots('# top\r\nUser-agent: *\r\n  Disallow: /ü # why\r\nAllow: /ü/ok\r\n', 'x');
  test('the deciding line is named', () => {
    expect(rules.matchingRule('http://a.test/%C3%BC/1')).toEqual({
      line: 3,
      text: 'Disallow: /ü # why',
      allow: false,
    });
    expect(rules.matchingRule('http://a.test/ü/ok')).toEqual({ line: 4, text: 'Allow: /ü/ok', allow: true });
    expect(rules.matchingRule('http://a.test/')).toBeNull();
  });
  test('robots.txt is always allowed, what is no URL never', () => {
    const all = parseRobots('User-agent: *\nDisallow: /', 'x');
    expect(all.isAllowed('http://a.test/robots.txt')).toBe(true);
    expect(parseRobots('', 'x').isAllowed('http://[bad')).toBe(false);
  });
});

describe('bytes', () => {
  test('bytes that are not UTF-8 match the URL that has them', () => {
    const robots = Buffer.from('User-agent: *\nDisallow: /b\xfccher\nDisallow: /ok', 'latin1');
    expect(disallowed(robots, 'x', ['/b%FCcher', '/b%C3%BCcher', '/ok'])).toEqual(['/b%FCcher', '/ok']);
  });
  test('a letter ending in the byte of a non-breaking space is not cut', () => {
    expect(disallowed('User-agent: *\nDisallow: /à', 'x', ['/à', '/á'])).toEqual(['/à']);
  });
  test('UTF-16 with its mark is read', () => {
    const robots = Buffer.from('\ufeffUser-agent: *\nDisallow: /ü', 'utf16le');
    expect(disallowed(robots, 'x', ['/ü', '/x'])).toEqual(['/ü']);
  });
  test('500 KiB are read, then the line the limit cuts is dropped', () => {
    const robots = `User-agent: *\nDisallow: /first\n${'# x\n'.repeat(MAX_ROBOTS_BYTES / 4 - 10)}Disallow: /last-of-all`;
    const clipped = clipRobots(Buffer.from(robots));
    expect(clipped.length).toBeLessThanOrEqual(MAX_ROBOTS_BYTES);
    expect(clipped.at(-1)).toBe(0x0a);
    expect(disallowed(robots, 'x', ['/first', '/last-of-all', '/'])).toEqual(['/first']);
    expect(disallowed(`User-agent: *\nDisallow: /${'x'.repeat(MAX_ROBOTS_BYTES)}`, 'x', ['/'])).toEqual([]);
  });
});

test('anything can be parsed and asked', () => {
  const line = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom('User-agent', 'Disallow', 'Allow', 'Sitemap', 'Crawl-delay'), fc.string())
      .map((p) => p.join(':')),
  );
  fc.assert(
    fc.property(fc.array(line), fc.uint8Array(), fc.string(), fc.webUrl(), (lines, bytes, agent, url) => {
      for (const body of [lines.join('\n'), bytes]) {
        const rules = parseRobots(body, agent, url);
        expect(rules.isAllowed(url)).toBe(rules.matchingRule(url)?.allow ?? true);
        expect(typeof rules.isAllowed(agent)).toBe('boolean');
      }
    }),
  );
});

test.each([
  ['white space', `User-agent: *\nDisallow: ${' '.repeat(400_000)}x${' '.repeat(100_000)}y`],
  ['short rules', `User-agent: *\n${'Disallow: /\n'.repeat(40_000)}`],
  ['agents', `${'User-agent: *\n'.repeat(30_000)}Disallow: /`],
  ['line ends', '\r'.repeat(500_000)],
])('the largest file of nothing but %s is read in bounded time', (_name, robots) => {
  const started = performance.now();
  parseRobots(robots, 'x').isAllowed('http://a.test/');
  expect(performance.now() - started).toBeLessThan(1500);
});

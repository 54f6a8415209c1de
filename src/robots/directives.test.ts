import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { robotsDirectives } from './directives.ts';

interface Case {
  readonly id: string;
  readonly name: string;
  readonly level: string;
  readonly html?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly bot?: string;
  readonly steps?: readonly string[];
  readonly expect: { index?: boolean; follow?: boolean };
}
const cases: { robots_meta: readonly Case[] } = JSON.parse(
  readFileSync('test/fixtures/cases/robots-meta.json', 'utf8'),
);

/** Contents of the robots metas of a page that concern `bot`. */
function metaValues(html: string, bot: string): string[] {
  const values: string[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node && node.tagName === 'meta') {
      const attribute = (name: string) => node.attrs.find((attr) => attr.name === name)?.value ?? '';
      if (['robots', bot.toLowerCase()].includes(attribute('name').toLowerCase()))
        values.push(attribute('content'));
    }
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parse(html));
  return values;
}

describe('conformance cases', () => {
  // Left to the visit: 042 and 043 are about what is stored between visits, 046 about robots.txt.
  const APART = new Set(['robots-meta-042', 'robots-meta-043', 'robots-meta-046']);
  const pure = cases.robots_meta.filter((item) => item.level !== 'policy' && !APART.has(item.id));

  test.each(pure)('$id $name', (item) => {
    const bot = item.bot ?? 'ExampleBot';
    const headers = (item.headers ?? [])
      .filter(([name]) => name === 'X-Robots-Tag')
      .map(([, value]) => value);
    const { index, follow } = robotsDirectives([...headers, ...metaValues(item.html ?? '', bot)], bot);
    expect({ index, follow }).toEqual({ index: item.expect.index, follow: item.expect.follow });
  });
});

describe('directives', () => {
  const denied = (...values: string[]) =>
    Object.entries(robotsDirectives(values, 'FooBot/1.0', Date.UTC(2026, 6, 1)))
      .filter(([, isPermitted]) => !isPermitted)
      .map(([name]) => name)
      .join(' ');

  test.each([
    ['', ''],
    ['all', ''],
    ['none', 'index follow'],
    ['noarchive', 'archive'],
    ['nocache', 'archive'],
    ['nosnippet', 'snippet'],
    ['max-snippet:0', 'snippet'],
    ['max-snippet : 0 , nofollow', 'follow snippet'],
    ['max-snippet:-1, max-image-preview:none, max-video-preview:0', ''],
    ['max-snippet:50', ''],
    ['noindex;nofollow', 'index follow'],
    ['NoIndex,NOFOLLOW', 'index follow'],
    ['noindexing', ''],
    // Agents
    ['foobot: noindex', 'index'],
    ['FooBot : noindex', 'index'],
    ['*: noindex', 'index'],
    ['robots: noindex', 'index'],
    ['foobot-image: noindex', ''],
    ['otherbot: noindex, nofollow', ''],
    ['noarchive, otherbot: noindex, foobot: nofollow', 'follow archive'],
    ['otherbot: max-snippet:0', ''],
    ['foobot: max-snippet:0', 'snippet'],
    // Dates
    ['unavailable_after: 2026-06-30', 'index'],
    ['unavailable_after: 2026-07-02', ''],
    ['unavailable_after: 2026-06-30T10:00:00+02:00, nofollow', 'index follow'],
    ['unavailable_after: 25 Jun 2010 15:00:00 PST', 'index'],
    ['unavailable_after: Wednesday, 25-Jun-08 15:00:00 GMT', 'index'],
    ['unavailable_after: Fri, 25 Jun 2032 15:00:00 GMT, noarchive', 'archive'],
    ['otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST', ''],
    ['unavailable_after: soon, nofollow', 'follow'],
    ['unavailable_after', ''],
  ])('%s denies: %s', (value, expected) => {
    expect(denied(value)).toBe(expected);
  });

  test('an agent binds only its own value', () => {
    expect(denied('otherbot: noindex', 'nofollow')).toBe('follow');
  });
});

test('never throws, and more values never permit more', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('noindex', 'unavailable_after:', 'x:', ':', ',', ' ', '2020-01-01'),
  );
  const value = fc.array(word).map((words) => words.join(''));
  fc.assert(
    fc.property(fc.array(value), value, (values, more) => {
      const before = robotsDirectives(values, 'FooBot');
      const after = robotsDirectives([...values, more], 'FooBot');
      for (const key of ['index', 'follow', 'archive', 'snippet'] as const) {
        expect(before[key] || !after[key]).toBe(true);
      }
    }),
  );
});

test.each([':', ' ', ', ', ': ', 'x:', 'unavailable_after:1 '])(
  'an endless value of %j is read in bounded time',
  (part) => {
    const started = performance.now();
    robotsDirectives([part.repeat(1_000_000)], 'FooBot');
    expect(performance.now() - started).toBeLessThan(500);
  },
);

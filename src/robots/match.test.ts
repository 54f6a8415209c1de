import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern, matchesPattern, pathToMatch } from './match.ts';

function matches(pattern: string, url: string): boolean {
  const compiled = compilePattern(pattern);
  const path = pathToMatch(url);
  return compiled !== null && path !== null && matchesPattern(compiled, path);
}

describe('patterns', () => {
  test.each([
    ['/a', '/a', true],
    ['/a', '/ab?c', true],
    ['/a', '/', false],
    ['/a', '/A', false],
    ['a', '/a', false],
    ['', '/', false],
    ['/a$', '/a', true],
    ['/a$', '/ab', false],
    ['/a$', '/a?b', false],
    ['$', '/', false],
    ['*', '/', true],
    ['*$', '/x', true],
    ['/***b', '/aab', true],
    ['/a*b*c', '/abxc', true],
    ['/a*b*c', '/acb', false],
    // The end must not reuse what an earlier piece took.
    ['/ab*ba$', '/aba', false],
    ['/ab*ba$', '/abba', true],
    ['/*aa*aa$', '/aaa', false],
    // The last occurrence counts for an anchored end.
    ['/*.php$', '/a.php/b.php', true],
    // `$` is the end only at the end.
    ['/a$b', '/a$bc', true],
    ['/a$b', '/a', false],
  ])('%s on %s: %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });
});

describe('spelling', () => {
  test.each([
    // Unreserved octets, either way round.
    ['/%7Ejoe', '/~joe'],
    ['/~joe', '/%7ejoe'],
    ['/%62%61%7A', '/baz'],
    // Letters, as bytes of UTF-8, in any case of the hexadecimal digits.
    ['/b\xc3\xbccher', '/bücher'],
    ['/b%c3%bccher', '/bücher'],
    ['/b\xc3\xbccher', '/b%c3%bccher'],
    // Characters that a URL parser encodes.
    ['/a b', '/a%20b'],
    ['/a<b>"c"', '/a<b>"c"'],
    ['/{id}|^', '/{id}|^'],
    ["/s?q='x'", "/s?q='x'"],
    // The special characters of patterns, encoded, are ordinary.
    ['/a-%2A', '/a-*'],
    ['/a-%2A', '/a-%2a'],
    ['/a-%24', '/a-$'],
    // Reserved characters that separate nothing.
    ['/talk%3Ax', '/talk:x'],
    ['/talk:x', '/talk%3ax'],
    // A broken escape is itself.
    ['/100%', '/100%'],
  ])('%s is %s', (pattern, path) => {
    expect(matches(`${pattern}$`, path)).toBe(true);
  });

  test.each([
    ['/a%2fb', '/a/b'],
    ['/a/b', '/a%2Fb'],
    ['/a%3fb', '/a?b'],
    ['/s?a%26b', '/s?a&b'],
    ['/x%2Ax', '/xabcx'],
    ['/%25', '/%'],
  ])('%s is not %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(false);
  });
});

describe('paths', () => {
  test.each([
    ['http://h.test', '/'],
    ['http://h.test?q', '/?q'],
    ['http://u:p@h.test:81/a;b?c=/d#e?f', '/a;b?c=/d'],
    ['http://h.test/a/../secret', '/secret'],
    ['http://h.test/a?', '/a?'],
    ['/a#b', '/a'],
    ['//a/b', '//a/b'],
    ['not a url', null],
    ['', null],
    ['http://[bad', null],
  ])('%s gives %s', (url, path) => {
    expect(pathToMatch(url)).toBe(path);
  });
});

test('a match agrees with its definition as a regular expression', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '$'), maxLength: 10 });
  fc.assert(
    fc.property(text, text, (rest, path) => {
      const pattern = `/${rest}`;
      const source = pattern.replace(/\$(?!$)/g, '\\$').replace(/\*/g, '.*');
      const literal = `/${path}`.replaceAll('*', 'b');
      expect(matches(pattern, literal)).toBe(new RegExp(`^${source}`).test(literal));
    }),
    { numRuns: 2000 },
  );
});

test('no pattern makes matching slow', () => {
  const path = `/${'a'.repeat(100_000)}`;
  const pattern = compilePattern(`/${'*a'.repeat(50_000)}*b`);
  const started = performance.now();
  expect(pattern !== null && matchesPattern(pattern, path)).toBe(false);
  expect(performance.now() - started).toBeLessThan(1000);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeUrl } from '../url/normalize.ts';
import { compileGlob } from './glob.ts';

test.each([
  ['/docs/**', '/docs/ /docs/a /docs/a/b.html?x=1', '/docs /docsx/a /a/docs/b /Docs/a'],
  ['/docs/', '/docs/ /docs/a/b', '/docs /docs-old/a'],
  ['/', '/ /a/b', ''],
  ['/docs', '/docs /docs?x=1', '/docs/ /docs/a /docsx'],
  ['/docs*', '/docs /docsx /docs-old?x=/y', '/docs/ /docs/a'],
  ['/a/*/c', '/a/b/c /a//c', '/a/c /a/b/b/c /a/b/c/'],
  ['/a/**/c', '/a/c /a/b/c /a/b/b/c', '/ac /a/bc /a/b/cc'],
  ['/**/c', '/c /a/b/c', '/bc /c/d'],
  ['/a**/c', '/a/c /ax/y/c', '/b/a/c'],
  ['**', '/ /a/b?c=d', ''],
  ['*.pdf', '/a.pdf /b/c.pdf?x=1', '/a.pdf/b /a.pdfx /a?x=b.pdf'],
  ['print/**', '/print/a /b/print/c/d', '/blueprint/a /print'],
  ['*?sort=*', '/a?sort=x /b/?a=1&sort= /b/c?sort=x/y', '/a /a?resort=x /a?x=sort=1 /sort=1'],
  ['/a?b=1&c', '/a?b=1&c=2 /a?c&b=1 /a?a=0&b=1&c=', '/a?b=1 /a?b=12&c=1 /a?b=1&cc=1'],
  ['/a?utm*', '/a?utmx=1&z=1', '/a?x=utm'],
  ['*?*', '/a?b', '/a'],
  ['/a?', '/a /a?b', '/b'],
  ['/文档/**', '/%E6%96%87%E6%A1%A3/a /文档/b', '/文'],
  ['/%7euser/[x]', '/~user/%5Bx%5D', ''],
  ['/a%2fb', '/a%2Fb', '/a/b'],
  ['//a.test/x', 'http://a.test/x https://a.test/x', 'http://b.test/x http://a.test:81/x'],
  ['https://*.A.test', 'https://w.a.test/ https://x.y.a.test/z', 'http://w.a.test/ https://a.test/'],
  ['*://a.test:81/**', 'http://a.test:81/x', 'http://a.test/x'],
  ['http://bücher.de/', 'http://bücher.de/x', 'http://buecher.de/x'],
  ['/a.b', '/a.b', '/axb'],
  ['http://[2001:db8::1]/x', 'http://[2001:db8::1]/x', 'http://[2001:db8::2]/x'],
  ['//[2001:db8::*/**', 'http://[2001:db8::1]/x https://[2001:db8::2]/', 'http://[2001:db9::1]/x'],
])('%s', (pattern, matching, others) => {
  const glob = compileGlob(pattern);
  const key = (text: string) => normalizeUrl(new URL(text, 'http://a.test').href) ?? '';
  const list = (text: string) => text.split(' ').filter((item) => item !== '');
  expect(list(matching).filter((item) => !glob(key(item)))).toEqual([]);
  expect(list(others).filter((item) => glob(key(item)))).toEqual([]);
});

describe('properties', () => {
  const pathText = fc
    .array(fc.constantFrom('a', 'b', '/', '/a/'), { maxLength: 12 })
    .map((parts) => `/a${parts.join('')}`);
  const patternText = fc
    .array(fc.constantFrom('a', 'b', '/', '*', '**', '/**/', '/*/'), { maxLength: 8 })
    .map((parts) => `/a${parts.join('')}x`.replace(/\*{3,}/g, '**'));

  test('agrees with the same pattern as a regular expression', () => {
    fc.assert(
      fc.property(patternText, pathText, (pattern, path) => {
        const source = pattern.replace(/(?<=\/)\*\*\/|\*\*|\*/g, (wildcard) =>
          wildcard === '**/' ? '(?:.*/)?' : wildcard === '**' ? '.*' : '[^/]*',
        );
        expect(compileGlob(pattern)(`http://a.test${path}x`)).toBe(
          new RegExp(`^${source}$`).test(`${path}x`),
        );
      }),
      { numRuns: 5000 },
    );
  });

  test('any text is a pattern', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (pattern) => {
        compileGlob(pattern)('http://a.test/a/b?c=d');
      }),
    );
  });

  test('a pattern may be longer than the stack of a call is deep', () => {
    expect(compileGlob(`/*${'a'.repeat(500_000)}`)('http://a.test/b')).toBe(false);
  });

  test.each(['*a'.repeat(100), '**a'.repeat(100), `${'/**/*a'.repeat(60)}/z`, `*?${'*a'.repeat(100)}`])(
    'no pattern is slow: %#',
    (pattern) => {
      const text = 'a'.repeat(2_000);
      const start = performance.now();
      for (let i = 0; i < 10; i++) compileGlob(`${pattern}b`)(`http://a.test/${text}?${text}`);
      expect((performance.now() - start) / 10).toBeLessThan(200);
    },
  );
});

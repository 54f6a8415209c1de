import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeUrl } from './normalize.ts';
import { joinUrl, queueKey, registrableDomain, splitUrl } from './site.ts';

test.each([
  ['docs.example.co.uk', 'example.co.uk'],
  ['Example.com.', 'example.com'],
  ['a.github.io', 'a.github.io'],
  ['x.a.github.io', 'a.github.io'],
  ['github.io', null],
  ['co.uk', null],
  ['www.gov.cn', 'www.gov.cn'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['a.b.test', 'b.test'],
  ['www.ck', 'www.ck'],
  ['localhost', null],
  ['192.168.1.1', null],
  ['[::1]', null],
  ['::1', null],
  ['', null],
  ['a..b', null],
  ['.example.com', null],
])('registrable domain of %j', (host, expected) => {
  expect(registrableDomain(host)).toBe(expected);
});

describe('parts', () => {
  test.each([
    ['https://a.test/x?y=1', { isSecure: true, host: 'a.test', path: '/x?y=1' }],
    ['http://[::1]:8080/', { isSecure: false, host: '[::1]:8080', path: '/' }],
  ])('%s', (url, parts) => {
    expect(splitUrl(url)).toEqual(parts);
    expect(joinUrl(parts)).toBe(url);
    expect(queueKey(url)).toBe(parts.host);
  });

  test('are put together exactly', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (text) => {
        const url = normalizeUrl(text);
        if (url !== null) expect(joinUrl(splitUrl(url))).toBe(url);
      }),
    );
  });

  test.each(['ftp://a.test/', 'http://a.test', ''])('only of normalised URLs, not %j', (url) => {
    expect(() => splitUrl(url)).toThrow(RangeError);
    expect(() => queueKey(url)).toThrow(RangeError);
  });
});

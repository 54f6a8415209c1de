import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UserError } from '../errors.ts';
import { allowsAddress, allowsHost, checkUrl, classifyAddress, parseAllowList } from './address.ts';

interface Case {
  readonly id: string;
  readonly level: string;
}
interface AddressCase extends Case {
  readonly ip: string;
  readonly blocked: boolean;
}
interface UrlCase extends Case {
  readonly url: string;
  readonly expect: string;
}

function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(`test/fixtures/cases/${name}`, 'utf8')) as T;
}

const ssrf = fixture<{
  addresses: AddressCase[];
  urls: UrlCase[];
  ipv4_forms: Record<string, string | null>;
}>('ssrf.json');

describe('conformance: addresses', () => {
  // All levels, `policy` included: every choice offered there is the one taken.
  test.each(ssrf.addresses)('$id $ip', ({ ip, blocked }) => {
    expect(classifyAddress(ip) !== 'public').toBe(blocked);
  });
});

describe('conformance: URLs', () => {
  const cases = ssrf.urls.filter(({ level }) => level === 'must' || level === 'should');
  test.each(cases)('$id $url', ({ url, expect: expected }) => {
    const outcome = checkUrl(url);
    if (expected === 'invalid-or-resolves-example.com') {
      expect(outcome).toEqual({ ok: true, url: 'http://example.com/' });
    } else {
      expect(outcome.ok).toBe(expected === 'allowed');
    }
  });
});

describe('conformance: IPv4 forms', () => {
  test.each(Object.entries(ssrf.ipv4_forms))('%s is %s', (form, address) => {
    const outcome = checkUrl(`http://${form}/`);
    if (address === null) {
      expect(outcome).toEqual({ ok: false, reason: 'safety.host' });
    } else if (classifyAddress(address) === 'public') {
      expect(outcome).toEqual({ ok: true, url: `http://${address}/` });
    } else {
      expect(outcome).toEqual({ ok: false, reason: 'safety.private' });
    }
  });
});

describe('conformance: bug-109, IPv4 inside IPv6', () => {
  const bug = fixture<{ id: string; input: { urls: string[] } }[]>('bugs-fetch.json').find(
    ({ id }) => id === 'bug-109',
  );
  test.each(bug?.input.urls ?? [])('%s', (url) => {
    expect(checkUrl(url)).toEqual({ ok: false, reason: 'safety.private' });
  });
});

describe('classifyAddress', () => {
  test.each([
    ['8.8.8.8', 'public'],
    ['127.0.0.1', 'loopback'],
    ['0.1.2.3', 'unspecified'],
    ['10.1.2.3', 'private'],
    ['100.64.0.1', 'cgnat'],
    ['169.254.1.1', 'link-local'],
    ['169.254.169.254', 'metadata'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4-relay'],
    ['198.19.0.1', 'benchmarking'],
    ['224.0.0.1', 'multicast'],
    ['250.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::ffff:10.0.0.1', 'mapped-private'],
    ['::ffff:169.254.169.254', 'mapped-metadata'],
    ['64:ff9b::7f00:1', 'nat64-loopback'],
    ['64:ff9b::8.8.8.8', 'public'],
    ['::8.8.8.8', 'ipv4-compatible'],
    ['fd00:ec2::254', 'metadata'],
    ['fd00::1', 'unique-local'],
    ['fe80::1%eth0', 'link-local'],
    ['[fe80::1%25eth0]', 'link-local'],
    ['2001:0:1::', 'teredo'],
    ['2002:808:808::', '6to4'],
    ['2001:4:112::1', 'ietf-protocol'],
    ['4000::1', 'reserved'],
    ['1::1', 'reserved'],
    ['[2606:4700::1111]', 'public'],
    ['', 'invalid'],
    ['127.1', 'invalid'],
    ['0x7f000001', 'invalid'],
    ['example.com', 'invalid'],
    ['8.8.8.8%1', 'link-local'],
  ])('%s is %s', (ip, kind) => {
    expect(classifyAddress(ip)).toBe(kind);
  });

  test('never throws, and nothing but an address is public', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(classifyAddress(text)).not.toBe('public');
      }),
    );
  });

  test('an IPv4 address is judged the same when mapped into IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const kind = classifyAddress(ip);
        expect(classifyAddress(`::ffff:${ip}`)).toBe(kind === 'public' ? 'public' : `mapped-${kind}`);
      }),
    );
  });
});

describe('checkUrl', () => {
  test.each([
    ['https://example.com/a?b#c', { ok: true, url: 'https://example.com/a?b' }],
    ['http://user:secret@example.com/', { ok: true, url: 'http://example.com/' }],
    ['http://example.com./', { ok: true, url: 'http://example.com./' }],
    ['http://example.com:8443/', { ok: true, url: 'http://example.com:8443/' }],
    ['http://localhost./', { ok: false, reason: 'safety.private' }],
    ['http://LOCALHOST/', { ok: false, reason: 'safety.private' }],
    ['http://a.b.localhost./', { ok: false, reason: 'safety.private' }],
    ['http://notlocalhost/', { ok: false, reason: 'safety.host' }],
    ['http://a..b/', { ok: false, reason: 'safety.host' }],
    ['http://printer.local/', { ok: false, reason: 'safety.host' }],
    ['http://metadata.google.internal/', { ok: false, reason: 'safety.host' }],
    ['http://local.example.com/', { ok: true, url: 'http://local.example.com/' }],
    ['http://example.com:22/', { ok: false, reason: 'safety.port' }],
    ['http://example.com:0/', { ok: false, reason: 'safety.port' }],
    ['file:///etc/passwd', { ok: false, reason: 'safety.scheme' }],
    ['gopher://127.0.0.1/', { ok: false, reason: 'safety.scheme' }],
    ['//example.com/', { ok: false, reason: 'safety.host' }],
    ['', { ok: false, reason: 'safety.host' }],
  ])('%j', (url, expected) => {
    expect(checkUrl(url)).toEqual(expected);
  });

  test('is idempotent and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()),
        (url) => {
          const once = checkUrl(url);
          if (once.ok) expect(checkUrl(once.url)).toEqual(once);
        },
      ),
    );
  });
});

describe('the allow list opens exactly what it names', () => {
  const allow = parseAllowList([
    '127.0.0.1:8080',
    ' 10.1.0.0/16 ',
    '10.3.0.0/16:8080',
    '[::1]:9000',
    'fd00::/8',
    'Wiki.Corp',
    'cache.corp:6379',
    'bücher.test',
  ]);

  test.each([
    ['http://127.0.0.1:8080/', true],
    ['http://2130706433:8080/', true],
    ['http://127.0.0.1:8081/', false],
    ['http://127.0.0.1/', false],
    ['http://127.0.0.2:8080/', false],
    ['http://10.1.2.3/', true],
    ['http://10.2.0.1/', false],
    ['http://10.3.0.1:8080/', true],
    ['http://10.3.0.1/', false],
    ['http://[::1]:9000/', true],
    ['http://[::1]/', false],
    ['http://[fdab::1]/', true],
    ['http://[::ffff:10.1.2.3]/', false],
    ['http://wiki.corp/', true],
    ['http://WIKI.corp.:81/', true],
    ['http://a.wiki.corp/', false],
    ['http://wiki.corp:6379/', false],
    ['http://cache.corp:6379/', true],
    ['http://cache.corp/', false],
    ['http://10.1.2.3:6379/', false],
    ['http://localhost:8080/', false],
    ['http://xn--bcher-kva.test/', true],
    ['ftp://wiki.corp/', false],
  ])('%s: %s', (url, expected) => {
    expect(checkUrl(url, allow).ok).toBe(expected);
  });

  test('by address and by host', () => {
    expect(allowsAddress(allow, '10.1.255.255', 443)).toBe(true);
    expect(allowsAddress(allow, 'wiki.corp', 443)).toBe(false);
    expect(allowsHost(allow, 'wiki.corp.', 443)).toBe(true);
    expect(allowsHost(allow, '10.1.0.0', 443)).toBe(false);
  });

  test.each([
    ['0.0.0.0/0', 'switch the address guard off'],
    ['::/0', 'switch the address guard off'],
    ['10.0.0.0/7', 'switch the address guard off'],
    ['10.0.0.1/8', 'is not an address'],
    ['10.0.0.0/8:x', 'is not an address'],
    ['127.1', 'must be written as 127.0.0.1'],
    ['0x7f000001', 'must be written as 127.0.0.1'],
    ['*.corp', 'is not an address'],
    ['http://wiki.corp/', 'is not an address'],
    ['wiki.corp:99999', 'is not an address'],
    ['user@wiki.corp', 'is not an address'],
    ['', 'is not an address'],
  ])('%j is refused', (entry, problem) => {
    const parse = (): unknown => parseAllowList([entry]);
    expect(parse).toThrow(UserError);
    expect(parse).toThrow(problem);
  });
});

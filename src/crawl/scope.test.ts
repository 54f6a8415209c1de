import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { normalizeUrl } from '../url/normalize.ts';
import {
  compileScope,
  defaultSkipExtensions,
  hostsOf,
  refusal,
  type ScopePolicy,
  type ScopeStrategy,
} from './scope.ts';

interface ScopeCase {
  id: string;
  strategy: string;
  target: string;
  origin: string;
  in_scope: boolean;
}
const cases = JSON.parse(
  readFileSync(new URL('../../test/fixtures/cases/links.json', import.meta.url), 'utf8'),
) as {
  scope: ScopeCase[];
};

/** Scope of a crawl from one start URL. */
function scopeFrom(start: string, changes: Partial<ScopePolicy> = {}) {
  const strategy = changes.strategy ?? 'same-host';
  const policy: ScopePolicy = {
    hosts: hostsOf([normalizeUrl(start) ?? ''], strategy),
    strategy,
    include: [],
    exclude: [],
    maxDepth: 5,
    skipExtensions: defaultSkipExtensions,
    ...changes,
  };
  const scope = compileScope(policy);
  return (url: string, depth = 1) => refusal(scope, normalizeUrl(new URL(url, start).href) ?? '', depth);
}

describe('cases', () => {
  test.each(cases.scope.map((c) => [c.id, c.strategy, c] as const))('%s %s', (_id, _strategy, c) => {
    const [strategy = '', prefix] = c.strategy.split(' ');
    const ask =
      prefix === undefined
        ? scopeFrom(c.origin, { strategy: strategy as ScopeStrategy })
        : scopeFrom(c.origin, { include: [`${prefix}**`] });
    expect(ask(c.target) === null).toBe(c.in_scope);
  });
});

describe('hosts', () => {
  test.each<[ScopeStrategy, string, string, boolean]>([
    ['same-host', 'http://a.test/', 'https://a.test/x', true],
    ['same-host', 'http://a.test/', 'http://a.test:8080/x', false],
    ['same-host', 'http://a.test:8080/', 'http://a.test:8080/x', true],
    ['subdomains', 'http://a.test/', 'http://w.a.test/', true],
    ['subdomains', 'http://a.test/', 'http://w.a.test:8080/', false],
    ['subdomains', 'http://a.test/', 'http://aa.test/', false],
    ['subdomains', 'http://w.a.test/', 'http://a.test/', false],
    ['same-domain', 'http://w.a.test/', 'http://a.test/', true],
    ['same-domain', 'http://w.a.test/', 'http://x.a.test:8080/', true],
    ['same-domain', 'http://localhost:81/', 'http://localhost:81/x', true],
    ['same-domain', 'http://localhost:81/', 'http://localhost:82/x', false],
    ['same-domain', 'http://[::1]/', 'http://[::1]/x', true],
    ['same-domain', 'http://[::1]/', 'http://[::2]/x', false],
    ['same-origin', 'https://a.test/', 'https://a.test/x', true],
    ['same-origin', 'https://a.test/', 'http://a.test/x', false],
  ])('%s from %s: %s %s', (strategy, start, url, isInScope) => {
    expect(scopeFrom(start, { strategy })(url)).toEqual(isInScope ? null : { reason: 'scope.host' });
  });
});

describe('rules', () => {
  test('a start URL with a path opens the whole host', () => {
    expect(scopeFrom('http://a.test/docs/')('/other')).toBeNull();
  });

  test('an include does not open another host (bug-039)', () => {
    const ask = scopeFrom('http://a.test/', { include: ['/docs/', '//b.test/docs/'] });
    expect(ask('/docs/1')).toBeNull();
    expect(ask('/x')).toEqual({ reason: 'scope.rule', rule: 'include: no rule matches' });
    expect(ask('http://b.test/docs/1')).toEqual({ reason: 'scope.host' });
  });

  test('excludes come first and are named', () => {
    const ask = scopeFrom('http://a.test/', { include: ['/**'], exclude: ['/print/**', '*?sort=*'] });
    expect(ask('/print/a')).toEqual({ reason: 'scope.rule', rule: 'exclude: /print/**' });
    expect(ask('/list?page=2&sort=up')).toEqual({ reason: 'scope.rule', rule: 'exclude: *?sort=*' });
    expect(ask('/blueprint/a')).toBeNull();
  });

  test('depth', () => {
    const ask = scopeFrom('http://a.test/', { maxDepth: 2 });
    expect(ask('/x', 2)).toBeNull();
    expect(ask('/x', 3)).toEqual({ reason: 'scope.depth' });
  });
});

// bug-040, and what else looks like an extension.
test.each([
  ['/app.js?ver=1', true],
  ['/style.css#x', true],
  ['/logo.PNG', true],
  ['/a.tar.gz', true],
  ['/page?file=a.pdf', false],
  ['/page?file=a.png', false],
  ['/page?x=/a.png', false],
  ['/dir.js/index', false],
  ['/dir.js/', false],
  ['/paper.pdf', false],
  ['/index.html', false],
  ['/.png', false],
  ['/v1.2', false],
  ['/', false],
])('extension of %s', (url, isSkipped) => {
  expect(scopeFrom('http://example.zip/')(url)?.reason).toBe(isSkipped ? 'scope.extension' : undefined);
});

import { expect, test } from 'vitest';
import type { RobotsRecord } from '../types.ts';
import { RobotsRulesCache } from './rules-cache.ts';

function record(origin: string, body: string, fetchedAt = 0): RobotsRecord {
  return {
    origin,
    state: 'rules',
    status: 200,
    reason: null,
    body: Buffer.from(body),
    headers: [],
    next: null,
    hops: 0,
    fetchedAt,
    expiresAt: 1,
    confirmedAt: fetchedAt,
    failures: 0,
  };
}

test('a record is parsed once, and again when it was fetched again', () => {
  const cache = new RobotsRulesCache('FooBot');
  const first = cache.rulesFor(record('http://a.test', 'User-agent: foobot\nDisallow: /\nSitemap: /s'));
  expect(first.isAllowed('http://a.test/x')).toBe(false);
  expect(first.sitemaps).toEqual(['http://a.test/s']);
  expect(cache.rulesFor(record('http://a.test', ''))).toBe(first);
  expect(cache.rulesFor(record('http://a.test', '', 1)).isAllowed('http://a.test/x')).toBe(true);
});

test('the least recently used leave when there is no room', () => {
  const cache = new RobotsRulesCache('x', 2_000);
  const [a, b, c] = ['http://a.test', 'http://b.test', 'http://c.test'].map((origin) =>
    record(origin, '#'.repeat(400)),
  );
  if (a === undefined || b === undefined || c === undefined) throw new Error('unreachable');
  const rulesOfA = cache.rulesFor(a);
  const rulesOfB = cache.rulesFor(b);
  cache.rulesFor(a);
  cache.rulesFor(c);
  expect(cache.rulesFor(a)).toBe(rulesOfA);
  expect(cache.rulesFor(b)).not.toBe(rulesOfB);
});

test('one file larger than all the room is still served', () => {
  const cache = new RobotsRulesCache('x', 10);
  const big = record('http://a.test', 'User-agent: *\nDisallow: /');
  expect(cache.rulesFor(big)).toBe(cache.rulesFor(big));
});

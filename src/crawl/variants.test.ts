import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeUrl } from '../url/normalize.ts';
import { defaultVariantLimits, QueryVariants } from './variants.ts';

const admitted = (variants: QueryVariants, urls: readonly string[]) =>
  urls.filter((url) => variants.admits(normalizeUrl(`http://a.test${url}`) ?? '')).length;

/** All products of parameter values, as queries. */
function combinations(path: string, parameters: readonly (readonly string[])[]): string[] {
  const queries = parameters.reduce<string[]>(
    (made, choices) => made.flatMap((q) => choices.map((c) => `${q}&${c}`)),
    [''],
  );
  return queries.map((query) => `${path}?${query}`);
}
const numbers = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}=${i}`);

describe('filters that combine freely are bounded', () => {
  const switches = Array.from({ length: 12 }, (_, i) => ['', `f${i}=on`]);
  test.each([
    ['switches', combinations('/shop', switches), 31],
    [
      'five values each',
      combinations(
        '/shop',
        ['a', 'b', 'c', 'd', 'e'].map((name) => numbers(name, 5)),
      ),
      70,
    ],
    [
      'one parameter many times',
      combinations(
        '/shop',
        numbers('f', 9).map((pair) => ['', pair]),
      ),
      31,
    ],
  ])('%s', (_name, urls, bound) => {
    expect(urls.length).toBeGreaterThan(300);
    expect(admitted(new QueryVariants(), urls)).toBeLessThanOrEqual(bound);
  });

  test('a budget of 150 is enough for a shop with 20 filters and 50 documents (bug-115)', () => {
    const variants = new QueryVariants();
    const docs = Array.from({ length: 50 }, (_, i) => `/docs/${i}`);
    // Every shop page links to itself with one filter more.
    const filtered = (page: string) =>
      Array.from({ length: 20 }, (_, i) => `${page}${page.includes('?') ? '&' : '?'}f${i}=1`);
    const linksOf = (page: string) =>
      page === '/' ? ['/shop', ...docs] : page.startsWith('/shop') ? filtered(page) : [];
    const found = new Set(['/']);
    // A Set is walked in order of insertion, additions included.
    for (const page of found) {
      for (const link of linksOf(page)) if (admitted(variants, [link]) === 1) found.add(link);
    }
    expect(docs.every((doc) => found.has(doc))).toBe(true);
    expect(found.size).toBeLessThan(150);
  });
});

describe('content is not', () => {
  test.each([
    ['ids', numbers('id', 5_000).map((pair) => `/show?${pair}`)],
    [
      'ids with constant parameters',
      numbers('tid', 5_000).map((pair) => `/forum.php?mod=view&extra=1&${pair}`),
    ],
    ['categories × pages', combinations('/list', [numbers('cat', 10), numbers('page', 50)])],
    ['pages without a query', Array.from({ length: 1_000 }, (_, i) => `/p/${i}`)],
  ])('%s', (_name, urls) => {
    expect(admitted(new QueryVariants(), urls)).toBe(urls.length);
  });

  test('ids found after filters open the path again', () => {
    const variants = new QueryVariants();
    admitted(
      variants,
      combinations(
        '/x',
        numbers('f', 8).map((pair) => ['', pair.replace('=', '')]),
      ),
    );
    const ids = numbers('id', 1_000).map((pair) => `/x?${pair}`);
    expect(admitted(variants, ids)).toBeGreaterThan(980);
    expect(admitted(variants, ids)).toBe(1_000);
  });
});

test('what was let in is let in again, and paths do not disturb each other', () => {
  const variants = new QueryVariants();
  const urls = combinations(
    '/shop',
    numbers('f', 8).map((pair) => ['', pair.replace('=', '')]),
  );
  const first = urls.filter((url) => admitted(variants, [url]) === 1);
  expect(first.length).toBeLessThan(urls.length);
  expect(urls.filter((url) => admitted(variants, [url]) === 1)).toEqual(first);
  expect(admitted(variants, ['/other?a=1', '/shop'])).toBe(2);
});

test('known URLs count after a restart, over the limit or not', () => {
  const variants = new QueryVariants();
  const urls = combinations(
    '/shop',
    numbers('f', 8).map((pair) => ['', pair.replace('=', '')]),
  );
  for (const url of urls.slice(0, 100)) variants.remember(normalizeUrl(`http://a.test${url}`) ?? '');
  expect(admitted(variants, urls)).toBe(100);
});

test('memory is bounded: old paths are forgotten, and nothing goes wrong', () => {
  const variants = new QueryVariants({ ...defaultVariantLimits, capacity: 50 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(3), fc.nat(30)), { maxLength: 200 }), (steps) => {
      for (const [path, name, value] of steps)
        variants.admits(`http://a.test/${path}?n${name}=${value}&m=${value % 3}`);
    }),
    { numRuns: 50 },
  );
  // Every path was forgotten before its limit: all fresh ones are welcome.
  expect(
    admitted(
      variants,
      numbers('f', 20).map((pair) => `/shop?${pair.replace('=', '')}`),
    ),
  ).toBe(20);
});

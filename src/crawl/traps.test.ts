import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeUrl, resolveLink } from '../url/normalize.ts';
import { defaultTrapLimits, trapOf } from './traps.ts';

const NOW = Date.UTC(2026, 10, 30);
const trap = (path: string) => trapOf(normalizeUrl(`http://a.test${path}`) ?? '', defaultTrapLimits, NOW);

test.each([
  ['length', `/${'x'.repeat(2_048 - 'http://a.test/'.length)}`, null],
  ['length', `/${'x'.repeat(2_049 - 'http://a.test/'.length)}`, 'scope.length'],
  ['segments', '/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/', null],
  ['segments', '/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q', 'scope.segments'],
  ['parameters', '/?a&b&c&d&e&f&g&h&i&j', null],
  ['parameters', '/?a&b&c&d&e&f&g&h&i&j&k', 'scope.params'],

  ['repeat', '/a/a/', null],
  ['repeat', '/a/a/a/', 'trap.repeat'],
  ['repeat', '/x/a/b/a/b', null],
  ['repeat', '/x/a/b/a/b/a/b/y', 'trap.repeat'],
  ['repeat', '/a/b/a/c/a/d/a/e/a', 'trap.repeat'],
  ['repeat', '/a/b/a/c/a/d/a', null],
  ['repeat', '////x', 'trap.repeat'],
  ['repeat', '/11/11/11/article', null],
  ['repeat', '/1/1/1/1/1/', 'trap.repeat'],

  ['nesting', '/login?next=/page', null],
  ['nesting', '/login?next=%2Fpage%3Fx%3D1', null],
  ['nesting', '/login?next=https%3A%2F%2Fb.test%2Fa%3Fb%3Dc', null],
  ['nesting', '/login?next=/login?next=/page', 'trap.nesting'],
  ['nesting', '/login?next=%2Flogin%3Fnext%3D%252Fpage', 'trap.nesting'],
  ['nesting', '/login?a=1&return=login%3Freturn%3Dlogin%253Freturn%253Dx', 'trap.nesting'],
  ['nesting', '/?q=what+is+this%3F', null],
  ['nesting', '/?q=a/b&r=/', null],

  ['calendar', '/calendar/2027/11/', null],
  ['calendar', '/calendar/2028/1', 'trap.calendar'],
  ['calendar', '/calendar/2028-01-05.html', 'trap.calendar'],
  ['calendar', '/events/20280105', 'trap.calendar'],
  ['calendar', '/events/2019/05/', 'trap.calendar'],
  ['calendar', '/events/2019/05/12/the-concert', null],
  ['calendar', '/events/1234', null],
  ['calendar', '/events/123456', null],
  ['calendar', '/2009/05/12/', null],
  ['calendar', '/2031/05/12/', 'trap.calendar'],
  ['calendar', '/2031/05/12/title', null],
  ['calendar', '/board/2345/10', null],
  ['calendar', '/vision/2050', null],
  ['calendar', '/?month=2031-02', 'trap.calendar'],
  ['calendar', '/?month=2&year=2031', 'trap.calendar'],
  ['calendar', '/?month=2&year=2026', null],
  ['calendar', '/?date=20310205', 'trap.calendar'],
  ['calendar', '/?date=2031-02-05T10:00', 'trap.calendar'],
  ['calendar', '/?date=02%2F05%2F2031', 'trap.calendar'],
  ['calendar', '/?date=2010-02-05', null],
  ['calendar', '/?date=1910-02-05', 'trap.calendar'],
  ['calendar', '/?tribe-bar-date=2019-02-05', 'trap.calendar'],
  ['calendar', '/?id=203102', null],
])('%s: %s → %s', (_kind, path, reason) => {
  expect(trap(path)).toBe(reason);
});

describe('links that grow the path end', () => {
  // A server that answers every path with the same page (bug-112, bug-113, bug-117).
  test.each(['www.a.test/p', 'a/', 'x/y', '../x/y/z', './', 'a/b/c/'])('%s', (href) => {
    let url = 'http://a.test/';
    const seen = new Set<string>();
    while (!seen.has(url) && trapOf(url, defaultTrapLimits, NOW) === null) {
      seen.add(url);
      url = normalizeUrl(resolveLink(href, url) ?? '') ?? '';
    }
    expect(seen.size).toBeLessThan(20);
  });
});

describe('properties', () => {
  test('every normalised URL is judged', () => {
    const part = fc.constantFrom(
      '/',
      'a',
      '2031',
      '-',
      '05',
      '?',
      '&',
      '=',
      'next',
      '%3F',
      '%',
      'date',
      'calendar',
      '.',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        trap(`/${parts.join('')}`);
      }),
    );
  });

  test.each([
    `/?${'a=%2F%3F'.repeat(200)}`,
    `/${'a/b/'.repeat(500)}`,
    `/?x=${'/?a='.repeat(500)}`,
    `/?date=${'t1'.repeat(900)}`,
  ])('takes no time: %#', (path) => {
    const limits = { ...defaultTrapLimits, maxSegments: 2_000, maxNesting: 1_000 };
    const url = normalizeUrl(`http://a.test${path}`) ?? '';
    const start = performance.now();
    trapOf(url, limits, NOW);
    expect(performance.now() - start).toBeLessThan(200);
  });
});

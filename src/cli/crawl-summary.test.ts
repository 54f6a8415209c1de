import { expect, test } from 'vitest';
import { failed, fetched } from '../../test/support/outcomes.ts';
import { loanOf, newRecord } from '../../test/support/records.ts';
import type { Refusal } from '../store/reports.ts';
import type { VisitOutcome } from '../types.ts';
import { counted, noCounts, pages, type RunCounts, refusedSince, summaryLines } from './crawl-summary.ts';

const loan = loanOf(newRecord());
const indexedLoan = loanOf(newRecord({ contentHash: 'abc', fetchedAt: 1 }));
const count = (...outcomes: VisitOutcome[]): RunCounts => outcomes.reduce(counted, noCounts);

test('a page is new the first time and changed later', () => {
  const counts = count(fetched(loan, 1), fetched(indexedLoan, 2));
  expect(counts.outcomes.UPDATED).toBe(2);
  expect(counts.newPages).toBe(1);
});

test('what errs is failed, what is kept out on purpose is not', () => {
  const blocked = fetched(loan, 1, { outcome: 'BLOCKED', reason: 'robots.disallow' });
  const counts = count(failed(loan, 1, 2), blocked, blocked);
  expect(counts.failed).toEqual({ 'http.5xx': 1 });
  expect(counts.notIndexed).toEqual({ 'robots.disallow': 2 });
});

test('nothing sent is no request', () => {
  const counts = count(fetched(loan, 1), fetched(loan, 1, { hostEffect: { requestedAt: null } }));
  expect(counts.requests).toBe(1);
});

test('links not taken are those of this run', () => {
  const refusal = (reason: Refusal['reason'], count: number): Refusal => ({ reason, count, samples: [] });
  const before = [refusal('scope.host', 2), refusal('scope.depth', 1)];
  const after = [refusal('limit.host', 7), refusal('scope.host', 5), refusal('scope.depth', 1)];
  expect(refusedSince(before, after)).toEqual({ 'limit.host': 7, 'scope.host': 3 });
});

test('the summary aligns its labels and leaves out what did not happen', () => {
  const queue = {
    capacity: 10,
    depth: 0,
    waiting: 0,
    waited: 0,
    longestWaitMs: 0,
    spilled: 0,
    refilled: 0,
  };
  const end = {
    why: 'limit',
    limit: 'limit.pages',
    spent: { pages: 1, bytes: 0 },
    elapsedMs: 1_500,
  } as const;
  expect(summaryLines(count(failed(loan, 1, 2)), end, queue, 1)).toEqual([
    'Stopped by a limit: The page budget of the crawl is spent.  (1.5 s)',
    '  Pages       0 new · 0 changed · 0 unchanged · 0 redirected',
    '  Fetched     1 requests · 0 B',
    '  Failed      http.5xx 1',
    '  Searchable  1 page',
  ]);
});

test.each([
  [0, '0 pages'],
  [1, '1 page'],
  [1_204, '1,204 pages'],
])('%d is %s', (n, text) => expect(pages(n)).toBe(text));

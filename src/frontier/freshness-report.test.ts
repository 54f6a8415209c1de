import { expect, test } from 'vitest';
import { fetched, link } from '../../test/support/outcomes.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { openMemoryDatabase } from '../store/database.ts';
import { FreshnessReport } from './freshness-report.ts';
import { defaultFrontierPolicy } from './policy.ts';
import { SqliteFrontier } from './sqlite.ts';

const DAY_MS = 86_400_000;

async function crawled(count: number) {
  const db = openMemoryDatabase();
  const clock = virtualClock();
  const frontier = new SqliteFrontier(db, { clock, policy: { delayMs: 0, perHost: count } });
  await frontier.add(Array.from({ length: count }, (_, n) => link(`http://a.test/${n}`)));
  const now = clock.now();
  frontier.finish(
    frontier.lease(count).map((request, n) => {
      const outcome = fetched(request, now, { nextVisitAt: now + 3 * DAY_MS });
      const evidence = { changes: n % 9, days: 30 };
      const seen = { contentHash: 'a', lookedAt: now, intervalMs: 3 * DAY_MS, evidence };
      return { ...outcome, record: { ...outcome.record, ...seen } };
    }),
  );
  await clock.advance(2 * DAY_MS);
  return { clock, frontier, report: new FreshnessReport(db, defaultFrontierPolicy) };
}

test('nothing is said of an empty index', () => {
  const report = new FreshnessReport(openMemoryDatabase(), defaultFrontierPolicy);
  expect(report.read(0)).toMatchObject({ pages: 0, expectedCurrent: null, meanAgeMs: null, curve: [] });
});

test.each([40, 1_500])(
  'of %i pages it is told how fresh they are and what budgets would buy',
  async (count) => {
    const { clock, report } = await crawled(count);
    const { expectedCurrent, budget, curve, ...rest } = report.read(clock.now());
    expect(rest).toMatchObject({ pages: count, meanAgeMs: 2 * DAY_MS, looks: count, wasted: 0 });
    expect(rest.planned).toBeCloseTo(count / 3, 6);
    expect(expectedCurrent).toBeGreaterThan(0.5);
    expect(expectedCurrent).toBeLessThan(0.95);
    expect(curve.map(({ visitsPerDay }) => visitsPerDay / (budget ?? 0))).toEqual([0.25, 0.5, 1, 2, 4]);
    const shares = curve.map(({ freshness }) => freshness);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  },
);

test('pages that were not found at the last look do not count as current', async () => {
  const { clock, frontier, report } = await crawled(4);
  const now = clock.now();
  const before = report.read(now).expectedCurrent ?? 0;
  await clock.advance(90 * DAY_MS);
  const lost = frontier.lease(1).map((request) => {
    const outcome = fetched(request, clock.now(), { outcome: 'NOT_FOUND', reason: 'http.404' });
    return { ...outcome, record: { ...request.record, missing: 1 } };
  });
  frontier.finish(lost);
  expect(lost).toHaveLength(1);
  expect(report.read(now).expectedCurrent).toBeLessThan(before - 0.1);
});

test('a look that brings a whole body with nothing new is counted as wasted, a 304 is not', async () => {
  const { clock, frontier, report } = await crawled(2);
  await clock.advance(90 * DAY_MS);
  const outcomes = frontier
    .lease(2)
    .map((request, n) =>
      fetched(request, clock.now(), { outcome: 'NOT_MODIFIED', bytes: n === 0 ? 5_000 : 0 }),
    );
  frontier.finish(outcomes);
  expect(outcomes).toHaveLength(2);
  expect(report.read(clock.now())).toMatchObject({ looks: 4, wasted: 1 });
});

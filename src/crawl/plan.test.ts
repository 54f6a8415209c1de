import { describe, expect, test } from 'vitest';
import { newRecord, unknownWorld } from '../../test/support/records.ts';
import type { PageRecord, Surroundings } from '../types.ts';
import { planOf } from './plan.ts';

const DAY_MS = 86_400_000;
const NOW = 1_000 * DAY_MS;
const seen = (changes: Partial<PageRecord> = {}): PageRecord =>
  newRecord({
    state: 'indexed',
    contentHash: 'a',
    fetchedAt: NOW - DAY_MS,
    lookedAt: NOW - DAY_MS,
    intervalMs: 3 * DAY_MS,
    visits: 9,
    changes: 3,
    evidence: { changes: 3, days: 30 },
    ...changes,
  });
const why = (changes: Partial<PageRecord> = {}, dueIn = 2, around: Surroundings = unknownWorld): string =>
  planOf(seen(changes), NOW + dueIn * DAY_MS, around, 'optimal', NOW)?.why ?? '';

describe('why a page is visited when it is', () => {
  test('says what is expected of it and what it has shown', () => {
    expect(why()).toBe(
      '3 d after the last look, when a visit is worth its price: one change in 10 d is expected, its record is 3 changes in 30 d',
    );
    expect(why({ evidence: { changes: 0, days: 0 } })).toContain('as of a usual page of its host');
  });

  test('says that a page is volatile or suspected to be', () => {
    expect(why({ volatility: 'volatile' })).toContain('it is volatile');
    expect(why({ volatility: 'suspect', changesInRow: 3 })).toContain('changed 3 times in a row');
  });

  test('names the bounds, and a signal with whether it is believed', () => {
    const { leastMs, mostMs } = unknownWorld.bounds;
    const planned = (intervalMs: number): string => why({ intervalMs }, intervalMs / DAY_MS - 1);
    expect(planned(mostMs)).toContain('as rarely as allowed');
    expect(planned(leastMs)).toContain('as often as allowed');
    const signals = { changed: 90, changedSignalled: 85, unchanged: 90, unchangedSignalled: 4 };
    const frank = { ...unknownWorld, host: { ...unknownWorld.host, signals } };
    expect(why({ signalledAt: NOW })).toContain('changed on 1972-09-27, which is not believed');
    expect(why({ signalledAt: NOW }, 2, frank)).toContain('which is believed');
  });

  test.each([
    [{ failures: 1 }, 'tried again after an error'],
    [{ missing: 1 }, 'looked at again'],
    [{}, 'visited out of turn'],
  ])('a page that is due for another reason says which: %o', (changes, reason) => {
    expect(why(changes, 0.1)).toMatch(new RegExp(`^${reason}.*; by plan 3 d after`));
  });

  test('the adaptive rule has its own words', () => {
    const plan = planOf(seen({ unchanged: 2 }), NOW, unknownWorld, 'adaptive', NOW);
    expect(plan).toMatchObject({ isOffPlan: false, policy: 'adaptive' });
    expect(plan?.why).toContain('9 looks, 3 changes; 2 unchanged looks in a row');
  });
});

test('the copy of a page that was not found is not believed current', () => {
  expect(planOf(seen(), NOW, unknownWorld, 'optimal', NOW)?.chanceFresh).toBeGreaterThan(0.5);
  expect(planOf(seen({ missing: 1 }), NOW, unknownWorld, 'optimal', NOW)?.chanceFresh).toBe(0);
});

test('the curve rises with time and has the planned interval in it; what was never looked at has no plan', () => {
  const plan = planOf(seen(), null, unknownWorld, 'optimal', NOW);
  const chances = plan?.curve.map(({ chanceChanged }) => chanceChanged) ?? [];
  expect(chances).toEqual(chances.toSorted((a, b) => a - b));
  expect(plan?.curve.map(({ afterMs }) => afterMs)).toContain(plan?.intervalMs);
  expect(planOf(seen({ contentHash: null }), null, unknownWorld, 'optimal', NOW)).toBeNull();
  expect(planOf(newRecord(), null, unknownWorld, 'optimal', NOW)).toBeNull();
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CrawlMemory, HostMemory } from '../../types.ts';
import { defaultRefreshPolicy } from '../policy.ts';
import { newCrawl, newHost, newPage, type PageMemory } from './memory.ts';
import { type Look, type NextVisit, nextVisit, replan, type SchedulePolicy } from './next-visit.ts';
import { DAY_MS, isWorthwhile, worthAt } from './worth.ts';

const NOW = 1_000 * DAY_MS;
const bounds = { leastMs: DAY_MS / 48, mostMs: 90 * DAY_MS };
const optimal: SchedulePolicy = { kind: 'optimal', bounds };
const adaptive: SchedulePolicy = { kind: 'adaptive', refresh: { ...defaultRefreshPolicy, jitter: 0 } };
const crawl: CrawlMemory = { ...newCrawl, logPrice: -2 };
/** A host whose signals have announced nearly every change. */
const frank: HostMemory = {
  ...newHost,
  signals: { changed: 200, changedSignalled: 180, unchanged: 200, unchangedSignalled: 10 },
};
const middle = (): number => 0.5;

/** Looks at a page, each so many days after the one before. */
function life(
  looks: readonly (readonly [days: number, change: Look['change'], lastModifiedAt?: number])[],
  policy = optimal,
  host = newHost,
  page = newPage(1),
): NextVisit[] {
  let at = NOW;
  let memory = page;
  return looks.map(([days, change, lastModifiedAt]) => {
    at += days * DAY_MS;
    const next = nextVisit(
      memory,
      { at, change, lastModifiedAt: lastModifiedAt ?? null },
      host,
      crawl,
      policy,
      middle,
    );
    memory = next.page;
    return next;
  });
}
const last = (steps: readonly NextVisit[]): NextVisit => steps.at(-1) as NextVisit;

describe('adaptive', () => {
  test("the brief's timeline: 1 h, 1.5 h, 2.25 h, then 1.125 h after a change", () => {
    const steps = life(
      [
        [0, 'first'],
        [1, 'unchanged'],
        [1, 'unchanged'],
        [1, 'changed'],
      ],
      adaptive,
    );
    expect(steps.map(({ page }) => page.intervalMs / 3_600_000)).toEqual([1, 1.5, 2.25, 1.125]);
    expect(steps.map(({ page, dueAt }) => dueAt - page.lookedAt)).toEqual(
      steps.map(({ page }) => page.intervalMs),
    );
  });

  test('learns as optimal does, so that the policy can be changed any day', () => {
    const looks = [
      [0, 'first'],
      [3, 'changed'],
      [1, 'unchanged'],
      [2, 'changed'],
    ] as const;
    expect(last(life(looks, adaptive)).page.evidence).toEqual(last(life(looks)).page.evidence);
  });

  test('its plan stands when plans are made anew', () => {
    const { page, dueAt } = last(
      life(
        [
          [0, 'first'],
          [1, 'unchanged'],
        ],
        adaptive,
      ),
    );
    expect(replan(page, newHost, { ...crawl, logPrice: 9 }, adaptive)).toEqual({ page, dueAt });
  });
});

describe('optimal', () => {
  test('comes back to a page that never changes later and later, within the bounds', () => {
    const steps = life([[0, 'first'], ...Array.from({ length: 40 }, () => [20, 'unchanged'] as const)]);
    const intervals = steps.map(({ page }) => page.intervalMs);
    expect(intervals).toEqual(intervals.toSorted((a, b) => a - b));
    expect(last(steps).page.intervalMs).toBeGreaterThan(4 * (intervals[0] as number));
  });

  test('gives up chasing a light page that changes all the time, not a heavy one', () => {
    const looks = [[0, 'first'], ...Array.from({ length: 40 }, () => [0.02, 'changed'] as const)] as const;
    const intervalOf = (weight: number): number =>
      last(life(looks, optimal, newHost, { ...newPage(weight), volatility: 'steady' })).page.intervalMs;
    expect(intervalOf(1)).toBe(bounds.mostMs);
    expect(intervalOf(1_000)).toBeLessThan(DAY_MS);
  });

  test('a page is due when it is worth the price', () => {
    const { page, dueAt } = last(
      life([
        [0, 'first'],
        [5, 'changed'],
        [5, 'unchanged'],
      ]),
    );
    expect(worthAt(page, newHost, crawl, dueAt)).toBeCloseTo(Math.exp(-2), 2);
    expect(isWorthwhile(page, newHost, crawl, dueAt)).toBe(true);
    expect(isWorthwhile(page, newHost, { ...crawl, logPrice: -1 }, dueAt)).toBe(false);
    expect(isWorthwhile(page, { ...newHost, logFactor: 1 }, crawl, dueAt)).toBe(false);
  });

  test('looks again at once at a page that was found changed three times in a row', () => {
    const steps = life([
      [0, 'first'],
      [2, 'changed'],
      [2, 'changed'],
      [2, 'changed'],
    ]);
    expect(last(steps).page).toMatchObject({ volatility: 'suspect', intervalMs: bounds.leastMs });
    const again = life([
      [0, 'first'],
      [2, 'changed'],
      [2, 'changed'],
      [2, 'changed'],
      [0.02, 'changed'],
    ]);
    expect(last(again).page.volatility).toBe('volatile');
    expect(last(again).page.intervalMs).toBeGreaterThan(DAY_MS);
  });
});

describe('dates', () => {
  test('a first look with Last-Modified knows the age of the page', () => {
    expect(last(life([[0, 'first', NOW - 40 * DAY_MS]])).page.evidence).toEqual({ changes: 1, days: 40 });
  });

  test('a change is dated when its date lies between the looks', () => {
    const { evidence } = last(
      life([
        [0, 'first'],
        [10, 'changed', NOW + 7 * DAY_MS],
      ]),
    ).page;
    expect(evidence).toEqual({ changes: 1, days: 3 });
  });

  test.each([
    ['the time of the answer', NOW + 10 * DAY_MS],
    ['the future', NOW + 11 * DAY_MS],
    ['before the last look', NOW - DAY_MS],
  ])('a date that is %s is not believed', (_, date) => {
    const dated = last(
      life([
        [0, 'first'],
        [10, 'changed', date],
      ]),
    ).page.evidence;
    expect(dated).toEqual(
      last(
        life([
          [0, 'first'],
          [10, 'changed'],
        ]),
      ).page.evidence,
    );
  });

  test('a first look dated now says nothing', () => {
    expect(last(life([[0, 'first', NOW]])).page.evidence).toEqual({ changes: 0, days: 0 });
  });
});

describe('signals', () => {
  const { page } = last(
    life(
      [
        [0, 'first'],
        [10, 'unchanged'],
        [10, 'changed'],
      ],
      optimal,
      frank,
    ),
  );
  const signalled: PageMemory = { ...page, signalledAt: page.lookedAt + DAY_MS / 2 };

  test('a trusted signal makes a page due much sooner, one without trust changes nothing', () => {
    expect(replan(signalled, frank, crawl, optimal).page.intervalMs).toBeLessThan(page.intervalMs / 3);
    expect(replan(signalled, newHost, crawl, optimal).page.intervalMs).toBe(
      replan(page, newHost, crawl, optimal).page.intervalMs,
    );
  });

  test('where signals are trusted, a page without one can wait longer', () => {
    expect(replan(page, frank, crawl, optimal).page.intervalMs).toBeGreaterThan(
      replan(page, newHost, crawl, optimal).page.intervalMs,
    );
  });

  test('a look answers the signal: it dates the change, and is over', () => {
    const at = page.lookedAt + 5 * DAY_MS;
    const next = nextVisit(
      signalled,
      { at, change: 'changed', lastModifiedAt: null },
      frank,
      crawl,
      optimal,
      middle,
    );
    expect(next.page.signalledAt).toBeNull();
    expect(next.page.evidence.changes).toBeCloseTo(page.evidence.changes + 1, 9);
    expect(next.page.evidence.days).toBeCloseTo(page.evidence.days + 4.5, 9);
  });
});

test('plans are whole milliseconds within the bounds, however a page came to them', () => {
  const changes = fc.constantFrom<Look['change']>('changed', 'unchanged');
  const steps = fc.array(fc.tuple(fc.double({ min: 0, max: 400, noNaN: true }), changes, fc.boolean()));
  fc.assert(
    fc.property(
      steps,
      fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
      fc.double({ min: -30, max: 30, noNaN: true }),
      (steps, weight, logPrice) => {
        const dear = { ...crawl, logPrice };
        let at = NOW;
        let next = nextVisit(
          newPage(weight),
          { at, change: 'first', lastModifiedAt: null },
          frank,
          dear,
          optimal,
          middle,
        );
        for (const [days, change, isReplanned] of steps) {
          at += Math.round(days * DAY_MS);
          next = nextVisit(next.page, { at, change, lastModifiedAt: null }, frank, dear, optimal, middle);
          if (isReplanned) {
            const plan = replan({ ...next.page, signalledAt: at }, frank, dear, optimal);
            next = plan;
          }
          expect(Number.isSafeInteger(next.dueAt)).toBe(true);
          expect(Number.isSafeInteger(next.page.intervalMs)).toBe(true);
          expect(next.page.intervalMs >= bounds.leastMs && next.page.intervalMs <= bounds.mostMs).toBe(true);
        }
      },
    ),
    { numRuns: 200 },
  );
});

import { describe, expect, test } from 'vitest';
import type { CrawlMemory } from '../../types.ts';
import { importance } from './importance.ts';
import { newCrawl, newHost, newPage, type PageOfHost } from './memory.ts';
import { budgetCurve, freshnessAt, freshnessFor } from './outlook.ts';
import { pollInterval } from './poll.ts';
import { DAY_MS, worthOfNew } from './worth.ts';

const NOW = 1_000 * DAY_MS;
const bounds = { leastMs: DAY_MS / 48, mostMs: 90 * DAY_MS };
const crawl: CrawlMemory = { ...newCrawl, logPrice: -2 };
const page = (weight: number, changes: number, ageDays: number): PageOfHost => ({
  page: {
    ...newPage(weight),
    evidence: { changes, days: 30 },
    lookedAt: NOW - ageDays * DAY_MS,
    intervalMs: DAY_MS,
  },
  host: newHost,
});

describe('freshnessAt', () => {
  test('is the weighted share of pages believed fresh; unseen pages are not', () => {
    expect(freshnessAt([], crawl, NOW)).toBeNull();
    expect(freshnessAt([page(1, 3, 0)], crawl, NOW)).toBe(1);
    expect(freshnessAt([page(1, 3, 0), { page: newPage(3), host: newHost }], crawl, NOW)).toBe(0.25);
    expect(freshnessAt([page(1, 3, 10)], crawl, NOW)).toBeLessThan(0.5);
  });
});

describe('budgetCurve', () => {
  const pages = Array.from({ length: 200 }, (_, n) => page(1 + (n % 5), n % 40, 1));
  const curve = budgetCurve(pages, crawl, bounds);

  test('more visits buy more freshness, and each less than the one before', () => {
    for (let n = 1; n < curve.length; n++) {
      const [less, more] = [curve[n - 1], curve[n]] as [(typeof curve)[0], (typeof curve)[0]];
      expect(more.visitsPerDay).toBeGreaterThan(less.visitsPerDay);
      expect(more.freshness).toBeGreaterThan(less.freshness);
    }
    expect(curve.every(({ freshness }) => freshness > 0 && freshness < 1)).toBe(true);
  });

  test('can be read at any budget', () => {
    const [first, , third] = curve;
    expect(freshnessFor(curve, 0.001)).toBe(first?.freshness);
    expect(freshnessFor(curve, 1e9)).toBe(curve.at(-1)?.freshness);
    expect(freshnessFor(curve, third?.visitsPerDay ?? 0)).toBeCloseTo(third?.freshness ?? 0, 9);
    expect(freshnessFor([], 1)).toBeNull();
    expect(budgetCurve([], crawl, bounds)).toEqual([]);
  });
});

describe('pollInterval', () => {
  const frank = {
    ...newHost,
    signals: { changed: 200, changedSignalled: 180, unchanged: 200, unchangedSignalled: 10 },
  };
  const silly = {
    ...newHost,
    signals: { changed: 200, changedSignalled: 200, unchanged: 200, unchangedSignalled: 200 },
  };

  test('a sitemap is asked for more often when it speaks for more and is right', () => {
    const days = (weight: number, host: typeof frank): number =>
      pollInterval({ ...host, weight }, crawl, bounds) / DAY_MS;
    expect(days(1_000, frank)).toBeLessThan(days(100, frank));
    expect(days(100, frank)).toBeLessThan(days(100, newHost));
    expect(days(100, newHost)).toBeLessThan(days(100, silly));
  });
});

describe('importance', () => {
  test('is 1 for a start URL, less with depth, more with priority and links', () => {
    expect(importance(0, 0)).toBe(1);
    expect(importance(3, 0)).toBeLessThan(importance(1, 0));
    expect(importance(1, 25)).toBeCloseTo(2 * importance(1, 0), 9);
    expect(importance(1, 0, 4)).toBeCloseTo(4 * importance(1, 0), 9);
    expect(importance(1, 0, Number.POSITIVE_INFINITY)).toBe(importance(1, 0, 100));
  });

  test('decides which new URL is worth most', () => {
    expect(worthOfNew(importance(0, 0), newHost, crawl)).toBeGreaterThan(
      worthOfNew(importance(4, 0), newHost, crawl),
    );
  });
});

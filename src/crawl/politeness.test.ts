import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backOffSteps, boundedRest, hostDelayMs, restMs } from './politeness.ts';

const DAY_MS = 86_400_000;
const policy = { delayMs: 1_000, delayJitterMs: 0 };

describe('hostDelayMs', () => {
  test.each([
    { why: 'the policy alone', crawlDelayMs: null, failures: 0, expected: 1_000 },
    { why: 'a larger Crawl-delay wins', crawlDelayMs: 30_000, failures: 0, expected: 30_000 },
    { why: 'a smaller one does not', crawlDelayMs: 10, failures: 0, expected: 1_000 },
    { why: 'up to a day', crawlDelayMs: 40 * DAY_MS, failures: 0, expected: DAY_MS },
    { why: 'nonsense is no delay', crawlDelayMs: -5, failures: 0, expected: 1_000 },
    { why: 'a failure doubles it', crawlDelayMs: null, failures: 1, expected: 2_000 },
    { why: 'each does', crawlDelayMs: null, failures: 5, expected: 32_000 },
    { why: 'up to ten minutes', crawlDelayMs: null, failures: 19, expected: 600_000 },
    { why: 'which never shortens a Crawl-delay', crawlDelayMs: DAY_MS, failures: 3, expected: DAY_MS },
  ])('$why', ({ crawlDelayMs, failures, expected }) => {
    expect(hostDelayMs(policy, { crawlDelayMs, failures })).toBe(expected);
  });

  test('a host that fails rests even where the policy asks for no delay', () => {
    expect(hostDelayMs({ delayMs: 0, delayJitterMs: 0 }, { crawlDelayMs: null, failures: 0 })).toBe(0);
    expect(hostDelayMs({ delayMs: 0, delayJitterMs: 0 }, { crawlDelayMs: null, failures: 1 })).toBe(2_000);
  });

  test('more failures never shorten it, and neither does jitter', () => {
    const host = fc.record({ crawlDelayMs: fc.option(fc.nat()), failures: fc.nat(1_000) });
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(5_000), host, chance, (delayMs, delayJitterMs, host, random) => {
        const policy = { delayMs, delayJitterMs };
        const delay = hostDelayMs(policy, host);
        expect(hostDelayMs(policy, { ...host, failures: host.failures + 1 })).toBeGreaterThanOrEqual(delay);
        const rest = restMs(policy, host, () => random);
        expect(rest).toBeGreaterThanOrEqual(delay);
        expect(rest).toBeLessThanOrEqual(delay + delayJitterMs);
      }),
    );
  });
});

test('back-off steps go up one by one and come down by half', () => {
  expect([0, 1, 19, 20].map((failures) => backOffSteps(failures, false))).toEqual([1, 2, 20, 20]);
  expect([0, 1, 2, 9].map((failures) => backOffSteps(failures, true))).toEqual([0, 0, 1, 4]);
  expect(backOffSteps(7, null)).toBe(7);
});

test('a rest is kept within 30 days', () => {
  expect(boundedRest(5, 1)).toBe(5);
  expect(boundedRest(Number.MAX_SAFE_INTEGER, 1)).toBe(1 + 30 * DAY_MS);
});

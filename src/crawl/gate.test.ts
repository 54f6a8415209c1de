import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../config.ts';
import { admit, admitter } from './gate.ts';
import { gateOf } from './sites.ts';

const site = {
  start: ['https://a.test/docs/'],
  include: [],
  exclude: [],
  sitemaps: 'none',
  label: null,
} as const;
const config = defaultConfig();
const gate = gateOf(config, [site]);
const NOW = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

const rawUrl = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'https://a.test/docs/x?utm_source=y',
    'https://a.test/docs/a/a/a/',
    'https://b.test/',
    'mailto:x',
    'http://127.0.0.1/',
  ),
);

describe('links judged from memory', () => {
  test('are judged as they were', () => {
    const admitLink = admitter(gate);
    fc.assert(
      fc.property(rawUrl, fc.integer({ min: 0, max: 200 }), (url, depth) => {
        const expected = admit(gate, url, depth, NOW);
        for (let times = 0; times < 2; times++) expect(admitLink(url, depth, NOW)).toEqual(expected);
      }),
    );
  });

  test('are judged anew after an hour, and at another depth', () => {
    const admitLink = admitter(gate);
    const calendar = 'https://a.test/docs/calendar/2027/01/20/';
    const tooDeep = config.scope.maxDepth + 1;
    const at = (depth: number, nowMs: number): boolean => admitLink(calendar, depth, nowMs).isAdmitted;
    expect([at(1, NOW), at(tooDeep, NOW), at(1, NOW + HOUR_MS)]).toEqual([false, false, false]);
    const later = NOW + 30 * 24 * HOUR_MS;
    expect([at(1, later), at(tooDeep, later)]).toEqual([true, false]);
  });

  test('are not remembered when they are endless', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const admitLink = admitter(gate);
    const endless = 'x'.repeat(1_000_000);
    const refusals = new Set<string>();
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 100; n++) {
      const admission = admitLink(`https://a.test/docs/${n}${endless}`, 1, NOW);
      if (!admission.isAdmitted) refusals.add(admission.reason);
    }
    collect();
    expect([...refusals]).toEqual(['scope.length']);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
    // Without this the judge itself, and all it remembers, could be collected.
    expect(admitLink('https://a.test/docs/', 1, NOW).isAdmitted).toBe(true);
  });
});

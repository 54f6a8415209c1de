import { describe, expect, test } from 'vitest';
import { loanOf, newRecord } from '../../test/support/records.ts';
import type { PageRecord } from '../types.ts';
import { lost } from './findings.ts';
import { type Content, type Finding, type Settlement, settle } from './lifecycle.ts';
import { defaultRefreshPolicy, defaultRetryPolicy, type VisitPolicy } from './policy.ts';

const HOUR = 3_600_000;
const NOW = 1_000_000_000_000;
const policy: VisitPolicy = {
  schedule: 'adaptive',
  refresh: { ...defaultRefreshPolicy, jitter: 0 },
  retry: defaultRetryPolicy,
  maxRedirects: 5,
  productToken: 'freshet',
};
const content = (contentHash: string, extractorVersion = 1): Finding => ({
  kind: 'content',
  status: 200,
  contentHash,
  extractorVersion,
  etag: '"a"',
  lastModified: null,
});
const unchanged: Finding = { kind: 'unchanged', etag: null, lastModified: null };
const error = (
  reason: 'http.5xx' | 'http.429' | 'net.timeout' | 'net.tls',
  retryAfterMs: number | null = null,
): Finding => ({
  kind: 'error',
  reason,
  status: null,
  retryAfterMs,
});

/** Runs a page through findings one after the other and returns every settlement. */
function life(findings: readonly Finding[], start: PageRecord = newRecord()): Settlement[] {
  let record = start;
  return findings.map((finding) => {
    const settled = settle(loanOf(record), finding, policy, NOW, () => 0);
    record = settled.record;
    return settled;
  });
}
const last = (settlements: readonly Settlement[]): Settlement => settlements.at(-1) as Settlement;

describe('schedule', () => {
  test("the brief's timeline: 1 h, 1.5 h, 2.25 h, then 1.125 h after a change", () => {
    const steps = life([content('a'), unchanged, unchanged, content('b')]);
    expect(steps.map((step) => step.record.intervalMs / HOUR)).toEqual([1, 1.5, 2.25, 1.125]);
    expect(steps.map((step) => (step.nextVisitAt - NOW) / HOUR)).toEqual([1, 1.5, 2.25, 1.125]);
  });

  test('the first fetch is not a change', () => {
    const [first] = life([content('a')]);
    expect(first).toMatchObject({ outcome: 'UPDATED', document: 'put' });
    expect(first?.record).toMatchObject({ changes: 0, changedAt: null, state: 'indexed' });
  });

  test('200 with the same content counts as not modified', () => {
    const step = last(life([content('a'), content('a')]));
    expect(step).toMatchObject({ outcome: 'NOT_MODIFIED', document: 'keep' });
    expect(step.record).toMatchObject({ changes: 0, unchanged: 1 });
  });

  test('intervals stay within 30 min and 30 days', () => {
    const restless = life(Array.from({ length: 20 }, (_, n) => content(`v${n}`)));
    expect(last(restless).record.intervalMs).toBe(HOUR / 2);
    const still = life([content('a'), ...Array.from({ length: 60 }, () => unchanged)]);
    expect(last(still).record.intervalMs).toBe(30 * 24 * HOUR);
  });

  test('errors leave the interval alone and never make a page due at once', () => {
    const steps = life([content('a'), unchanged, ...Array.from({ length: 30 }, () => error('http.5xx'))]);
    for (const step of steps.slice(2)) {
      expect(step.record.intervalMs).toBe(1.5 * HOUR);
      expect(step.nextVisitAt).toBeGreaterThanOrEqual(NOW + 2_000);
      expect(step.document).toBe('keep');
    }
    expect(last(steps).nextVisitAt).toBeLessThanOrEqual(NOW + 30 * 24 * HOUR);
  });

  test('a new extractor version is not a change of the page', () => {
    const step = last(life([content('a', 1), content('b', 2)]));
    expect(step).toMatchObject({ outcome: 'UPDATED', document: 'put' });
    expect(step.record.changes).toBe(0);
  });
});

describe('validators', () => {
  test('a 304 without validators keeps the stored ones, one with new ones takes them', () => {
    expect(last(life([content('a'), unchanged])).record.etag).toBe('"a"');
    expect(last(life([content('a'), { ...unchanged, etag: '"b"' }])).record.etag).toBe('"b"');
  });

  test('go with the document they stand for', () => {
    expect(last(life([content('a'), lost('GONE', 'http.410', 410, true)])).record.etag).toBeNull();
  });
});

describe('loss', () => {
  const missing = lost('NOT_FOUND', 'http.404', 404);

  test('three 404 in a row remove the document, on a short schedule of their own', () => {
    const steps = life([content('a'), missing, missing, missing]);
    expect(steps.map((step) => step.document)).toEqual(['put', 'keep', 'keep', 'remove']);
    expect(steps.map((step) => step.record.state)).toEqual(['indexed', 'indexed', 'indexed', 'gone']);
    expect(steps.slice(1, 3).map((step) => step.nextVisitAt - NOW)).toEqual([HOUR, HOUR]);
  });

  test('a good answer in between starts the count again', () => {
    const steps = life([content('a'), missing, missing, unchanged, missing, missing]);
    expect(last(steps)).toMatchObject({ document: 'keep' });
  });

  test('410 and noindex remove at once', () => {
    expect(last(life([content('a'), lost('GONE', 'http.410', 410, true)]))).toMatchObject({
      document: 'remove',
    });
    const noindex = last(life([content('a'), lost('BLOCKED', 'directive.noindex', 200, true)]));
    expect(noindex).toMatchObject({ document: 'remove', record: { state: 'blocked', contentHash: null } });
  });

  test.each([
    lost('BLOCKED', 'http.403', 403),
    lost('BLOCKED', 'content.empty', 200),
    lost('REDIRECTED', null, 302),
    lost('BLOCKED', 'robots.disallow', null),
  ])('one look at $reason does not replace a good copy', (finding) => {
    expect(last(life([content('a'), finding]))).toMatchObject({
      document: 'keep',
      record: { state: 'indexed' },
    });
  });

  test('a page that comes back after removal starts anew', () => {
    const back = last(life([content('a'), lost('GONE', 'http.410', 410, true), content('a')]));
    expect(back).toMatchObject({ outcome: 'UPDATED', document: 'put' });
    expect(back.record).toMatchObject({ state: 'indexed', missing: 0, intervalMs: HOUR });
  });
});

describe('errors', () => {
  test('5xx is tried three more times after 2, 4, 8 s, then rests in the failure list', () => {
    const steps = life([error('http.5xx'), error('http.5xx'), error('http.5xx'), error('http.5xx')]);
    expect(steps.map((step) => step.nextVisitAt - NOW)).toEqual([2_000, 4_000, 8_000, 2 * HOUR]);
    expect(steps.map((step) => step.record.state)).toEqual(['waiting', 'waiting', 'waiting', 'failed']);
  });

  test('a timeout is tried once more, a TLS failure not at all', () => {
    expect(life([error('net.timeout'), error('net.timeout')]).map((step) => step.record.state)).toEqual([
      'waiting',
      'failed',
    ]);
    expect(last(life([error('net.tls')])).record.state).toBe('failed');
  });

  test('Retry-After up to its limit replaces the wait and rests the whole host', () => {
    const step = last(life([error('http.429', 7_000)]));
    expect(step).toMatchObject({ nextVisitAt: NOW + 7_000, restUntil: NOW + 7_000 });
  });

  test('beyond the limit the host sleeps that long, and the try does not count', () => {
    const step = last(life([error('http.429', 4_000_000)]));
    expect(step).toMatchObject({ nextVisitAt: NOW + 4_000_000, restUntil: NOW + 4_000_000 });
    expect(step.record).toMatchObject({ failures: 0, state: 'waiting' });
  });

  test('an absurd Retry-After is cut to the longest interval', () => {
    expect(last(life([error('http.429', 9_999_999_999_000)])).nextVisitAt).toBe(NOW + 30 * 24 * HOUR);
  });
});

describe('lists', () => {
  const notFound = lost('NOT_FOUND', 'http.404', 404);

  test.each(['sitemap', 'feed'] as const)('a %s is listed and kept as a page is indexed and kept', (kind) => {
    const states = life([content('a'), unchanged, error('http.5xx'), notFound], newRecord({ kind }));
    expect(states.map(({ record }) => record.state)).toEqual(['listed', 'listed', 'listed', 'listed']);
    expect(last(states).record).toMatchObject({ etag: '"a"', contentHash: 'a' });
    expect(last(life([notFound, notFound], last(states).record)).record.state).toBe('gone');
  });

  test('a feed begins at the shortest interval, and neither rests as long as a page may', () => {
    const rested = (kind: PageRecord['kind']): number =>
      last(life([content('a'), ...Array.from({ length: 30 }, () => unchanged)], newRecord({ kind }))).record
        .intervalMs;
    expect(last(life([content('a')], newRecord({ kind: 'feed' }))).record.intervalMs).toBe(
      policy.refresh.minMs,
    );
    expect([rested('feed'), rested('sitemap'), rested('page')]).toEqual([
      2 * HOUR,
      24 * HOUR,
      30 * 24 * HOUR,
    ]);
  });
});

describe('content that is hardly there any more', () => {
  const doubted = (contentHash: string): Finding => ({
    kind: 'doubted',
    reason: 'content.shrunk',
    content: content(contentHash) as Content,
  });

  test('two looks keep the document, its validators and its interval', () => {
    const [good, ...strikes] = life([content('a'), doubted('b'), doubted('b')]);
    for (const [index, { record, document, nextVisitAt }] of strikes.entries()) {
      expect(document).toBe('keep');
      expect(record).toMatchObject({
        state: 'indexed',
        reason: 'content.shrunk',
        contentHash: 'a',
        etag: '"a"',
        changes: 0,
      });
      expect(record).toMatchObject({ missing: index + 1, intervalMs: good?.record.intervalMs });
      expect(nextVisitAt).toBe(NOW + HOUR);
    }
  });

  test('the third is believed, a change like any other', () => {
    const { document, outcome, record } = last(
      life([content('a'), doubted('b'), doubted('b'), doubted('c')]),
    );
    expect([document, outcome]).toEqual(['put', 'UPDATED']);
    expect(record).toMatchObject({ contentHash: 'c', reason: null, missing: 0, changes: 1 });
  });

  test('a look that finds the page starts anew', () => {
    expect(last(life([content('a'), doubted('b'), doubted('b'), unchanged, doubted('b')])).document).toBe(
      'keep',
    );
  });
});

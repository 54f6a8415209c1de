import { describe, expect, test } from 'vitest';
import { webWorld } from '../../test/support/web-world.ts';
import { metricsText } from './metrics.ts';
import type { WebMetrics } from './reads.ts';

const metrics: WebMetrics = {
  documents: 12,
  states: [
    { state: 'indexed', count: 12 },
    { state: 'missing', count: 2 },
    { state: 'missing', count: 3 },
  ],
  overdue: 4,
  held: 1,
  freshness: {
    expectedCurrent: 0.93,
    meanAgeMs: 90_500,
    budget: 210,
    planned: 212.5,
    looks: 816,
    wasted: 420,
    savedBytes: 151_000,
    curve: [
      { multiple: 0.5, freshness: 0.87 },
      { multiple: 1, freshness: 0.93 },
    ],
  },
};

describe('metrics', () => {
  test('are told with help, type and base units', () => {
    const lines = metricsText(metrics, '0.1.0').split('\n');
    for (const line of [
      'freshet_build_info{version="0.1.0"} 1',
      'freshet_documents 12',
      'freshet_urls{state="missing"} 5',
      'freshet_overdue_urls 4',
      'freshet_held_deletions 1',
      'freshet_expected_current_ratio 0.93',
      'freshet_document_age_mean_seconds 90.5',
      'freshet_planned_visits_per_day 212.5',
      'freshet_budget_current_ratio{multiple="0.5"} 0.87',
      '# TYPE freshet_saved_bytes_total counter',
      'freshet_saved_bytes_total 151000',
    ])
      expect(lines).toContain(line);
    const form = /^(?:# (?:HELP|TYPE) freshet_\w+ .+|freshet_\w+(?:\{\w+="[^"\n]*"\})? [\d.]+|)$/;
    expect(lines.filter((line) => !form.test(line))).toEqual([]);
  });

  test('that are not known are not told', () => {
    const unknown = { ...metrics.freshness, expectedCurrent: null, meanAgeMs: null, budget: null, curve: [] };
    const text = metricsText({ ...metrics, freshness: unknown }, '0.1.0');
    expect(text).not.toMatch(/current_ratio|age_mean|budget_visits|null/);
    expect(text).toContain('freshet_planned_visits_per_day 212.5');
  });

  test('label values cannot leave their quotes', () => {
    expect(metricsText(metrics, 'a"b\\c\nd')).toContain('freshet_build_info{version="a\\"b\\\\c\\nd"} 1\n');
  });

  test('are served', async () => {
    const { get } = webWorld({ metrics });
    const { status, text, header } = await get('/metrics');
    expect([status, header('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text).toContain('freshet_documents 12\n');
  });
});

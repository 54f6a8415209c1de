/** What a Prometheus server reads (text exposition format 0.0.4): base units, `_total` for what only grows. Pure. */
import type { WebMetrics } from './reads.ts';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [value: number | null, labels?: Labels];

/** All metrics as text; what is not known yet is left out. */
export function metricsText(metrics: WebMetrics, version: string): string {
  const { documents, states, overdue, held, freshness } = metrics;
  const { expectedCurrent, meanAgeMs, budget, planned, looks, wasted, savedBytes, curve } = freshness;
  const age = meanAgeMs === null ? null : meanAgeMs / 1_000;
  return [
    metric('build_info', 'gauge', 'Always 1.', [[1, { version }]]),
    metric('documents', 'gauge', 'Pages that can be searched.', [[documents]]),
    metric('urls', 'gauge', 'Known URLs by state.', [...perState(states)]),
    metric('overdue_urls', 'gauge', 'Fetched URLs that are due.', [[overdue]]),
    metric('held_deletions', 'gauge', 'Removals that wait for a person.', [[held]]),
    metric('expected_current_ratio', 'gauge', 'Share of pages believed current, by weight.', [
      [expectedCurrent],
    ]),
    metric('document_age_mean_seconds', 'gauge', 'Time since the last look at a page, on average.', [[age]]),
    metric('planned_visits_per_day', 'gauge', 'Visits that are planned.', [[planned]]),
    metric('budget_visits_per_day', 'gauge', 'Visits that are aimed at.', [[budget]]),
    metric(
      'budget_current_ratio',
      'gauge',
      'Share of pages kept current in the long run by so many times the present budget.',
      curve.map(({ multiple, freshness: share }) => [share, { multiple: String(multiple) }]),
    ),
    metric('looks_total', 'counter', 'Looks at pages that were answered.', [[looks]]),
    metric('wasted_looks_total', 'counter', 'Looks that brought a whole body and nothing new.', [[wasted]]),
    metric('saved_bytes_total', 'counter', 'Bytes that 304 answers saved.', [[savedBytes]]),
  ].join('');
}

/** One sample a state, whatever the reasons. */
function perState(states: WebMetrics['states']): Sample[] {
  const counts = new Map<string, number>();
  for (const { state, count } of states) counts.set(state, (counts.get(state) ?? 0) + count);
  return [...counts].map(([state, count]) => [count, { state }]);
}

function metric(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  const lines = samples.flatMap(([value, labels]) =>
    value === null ? [] : [`freshet_${name}${labelText(labels)} ${value}\n`],
  );
  if (lines.length === 0) return '';
  return `# HELP freshet_${name} ${help}\n# TYPE freshet_${name} ${type}\n${lines.join('')}`;
}

function labelText(labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

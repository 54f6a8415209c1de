/** What a run has met, counted: a simulation that never met a fault proves nothing about it. */
import { createHash } from 'node:crypto';
import type { Sim } from './harness.ts';
import { points } from './life.ts';
import type { SimExchange } from './sim-web.ts';

/** Every kind of fault that storms are made of. A thousand of them that leave one out are badly made. */
export const faults: readonly string[] = [
  'status 408',
  'status 429',
  'status 5xx',
  'net.connect',
  'net.reset',
  'net.timeout',
  'net.tls',
  'net.truncated',
  'safety.dns',
  'robots.txt failed',
  'Retry-After: seconds',
  'Retry-After: date',
  'Retry-After: date of RFC 850',
  'Retry-After: date of asctime',
  'Retry-After: past',
  'Retry-After: unreadable',
  'answer lost in a death',
  'clock set back',
  'clock set forward',
  'restart',
  'stop',
  'stop in mid-request',
  'death: between two events',
  ...points.map((point) => `death: ${point}`),
];

/** Kinds of faults, and how often each was met. */
export function metBy(sim: Sim): Map<string, number> {
  const met = new Map(sim.met);
  for (const exchange of sim.web.journal) {
    for (const kind of kindsOf(exchange)) met.set(kind, (met.get(kind) ?? 0) + 1);
  }
  return met;
}

/** Of all that was asked, answered and decided, and when. */
export function fingerprintOf(sim: Sim): string {
  const hash = createHash('sha256');
  for (const { at, url, etag, skewMs } of sim.web.journal) hash.update(`${at} ${url} ${etag} ${skewMs}\n`);
  for (const { at, outcome } of sim.outcomes) {
    hash.update(`${at} ${outcome.record.url} ${outcome.outcome} ${outcome.reason} ${outcome.nextVisitAt}\n`);
  }
  return hash.digest('hex').slice(0, 12);
}

function kindsOf({ answer, isForRobots, isLost }: SimExchange): string[] {
  const lost = isLost ? ['answer lost in a death'] : [];
  if ('fails' in answer) return [...lost, answer.fails, ...(isForRobots ? ['robots.txt failed'] : [])];
  const { status, headers } = answer;
  const isFailure = status === 429 || status >= 500;
  return [
    ...lost,
    status >= 500 ? 'status 5xx' : `status ${status}`,
    ...(isForRobots && isFailure ? ['robots.txt failed'] : []),
    ...(headers?.['retry-after'] === undefined
      ? []
      : [`Retry-After: ${formOf(headers['retry-after'], answer.restMs)}`]),
  ];
}

function formOf(value: string, restMs = 0): string {
  if (/^\d+$/.test(value)) return 'seconds';
  if (/^\w{3},.* GMT$/.test(value)) return restMs === 0 ? 'past' : 'date';
  if (/ GMT$/.test(value)) return 'date of RFC 850';
  return /^\w{3} /.test(value) ? 'date of asctime' : 'unreadable';
}

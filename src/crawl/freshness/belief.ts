/**
 * What is believed of how often a page changes, and how each look at it moves that belief.
 *
 * Changes come as a Poisson process of unknown rate λ, in changes a day. The belief is λ ~ Gamma(shape, days) with mean
 * shape / days: it reads as "`shape` changes in `days` days". It has two parts. The prior says what pages of the host are
 * like (pool.ts) and grows wiser with every visit to any of them; the evidence is what this page itself has shown.
 * Only the evidence is stored, so a page visited once a year profits from what was learned meanwhile.
 */
import type { Evidence } from '../../types.ts';

/** Gamma(shape, days); both are greater than 0. */
export interface Belief {
  readonly shape: number;
  readonly days: number;
}

/** What one look says about the time since the look before. */
export type Observation =
  /** The content is the same as `gapDays` ago. */
  | { readonly kind: 'unchanged'; readonly gapDays: number }
  /** It changed once or more within `gapDays`, nobody knows when. */
  | { readonly kind: 'changed'; readonly gapDays: number }
  /** Its last change is known to be `ageDays` old. */
  | { readonly kind: 'dated'; readonly ageDays: number }
  /** Nothing can be said: a first look without a date. */
  | { readonly kind: 'none' };

export const noEvidence: Evidence = { changes: 0, days: 0 };

/**
 * More changes say nothing more about the rate (1/√50 is an error of 14 %) but bind it to the past, so evidence beyond
 * them is thinned out: a page that takes to other habits is noticed.
 */
const MOST_CHANGES = 50;
/** The same for a page that never changes: ten years. */
const MOST_DAYS = 3_650;
/** No time between two looks is measured better than to a second. */
const LEAST_DAYS = 1 / 86_400;

/** The belief about a page: what its host lets expect and what it has shown. */
export function beliefOf(prior: Belief, evidence: Evidence): Belief {
  return { shape: prior.shape + evidence.changes, days: prior.days + evidence.days };
}

/**
 * Evidence after one more look. The Gamma distribution is conjugate to waiting times: an unchanged gap adds its days; a
 * last change of known age adds a change and the days since. For a change of unknown time see `afterChange`.
 */
export function learn(prior: Belief, evidence: Evidence, seen: Observation): Evidence {
  switch (seen.kind) {
    case 'none':
      return evidence;
    case 'unchanged':
      return thinned(evidence.changes, evidence.days + bounded(seen.gapDays));
    case 'dated':
      return thinned(evidence.changes + 1, evidence.days + bounded(seen.ageDays));
    case 'changed': {
      const after = afterChange(beliefOf(prior, evidence), bounded(seen.gapDays));
      return thinned(after.shape - prior.shape, after.days - prior.days);
    }
  }
}

/**
 * The belief after one change or more within `gapDays`. The posterior ∝ (1 − e^(−λ·gap)) · Gamma(a, b) is a difference
 * of two Gammas; it is replaced by the Gamma of the same mean and variance. With z_k = 1 − (b / (b + gap))^(a + k), the
 * mean is a/b · z₁/z₀ and the second moment a(a + 1)/b² · z₂/z₀. A short gap gives Gamma(a + 1, b); a long one teaches
 * little.
 */
export function afterChange(belief: Belief, gapDays: number): Belief {
  const { shape: a, days: b } = belief;
  const stretch = Math.log1p(gapDays / b);
  const z = (k: number): number => -Math.expm1(-(a + k) * stretch);
  const mean = ((a / b) * z(1)) / z(0);
  const variance = ((a * (a + 1)) / b ** 2) * (z(2) / z(0)) - mean ** 2;
  return { shape: mean ** 2 / variance, days: mean / variance };
}

function bounded(days: number): number {
  return Math.min(Math.max(days, LEAST_DAYS), MOST_DAYS);
}

/** Keeps the rate and thins the evidence. The difference of two beliefs may be negative by a rounding error. */
function thinned(changes: number, days: number): Evidence {
  const scale = Math.min(1, MOST_CHANGES / changes, MOST_DAYS / days);
  return { changes: Math.max(0, changes * scale), days: Math.max(0, days * scale) };
}

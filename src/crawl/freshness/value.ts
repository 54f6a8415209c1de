/**
 * What a visit is worth, `u` days after the last one, under a belief λ ~ Gamma(a, b). Values are days of freshness.
 *
 * The crawl value w·V(u), and the rule to visit when it reaches one common threshold, are those of the optimal policy for
 * known rates (Cho & Garcia-Molina, Effective page refresh policies for Web crawlers, ACM TODS 2003; Azar et al.,
 * Tractable near-optimal policies for crawling, PNAS 2018). Integrating over the belief replaces e^(−λu) by S(u) = (b / (b + u))^a: an unsure
 * belief has a longer tail, so that pages of which little is known are neither given up nor chased.
 *
 * All functions are finite for u ≥ 0, a > 0, b > 0.
 */
import type { Belief } from './belief.ts';
import type { SignalTrust } from './signals.ts';

/** Below this, V(u) is the difference of two nearly equal numbers; the first terms of its series are then exact to 1e-7. */
const SMALL = 1e-4;
/** A first copy counts for so long; later, other visits will have come. With 60, the first round loses 3–6 %. */
const HORIZON_DAYS = 10;
/** Three million years: beyond it sums would overflow, and nothing is decided. */
const LONGEST_DAYS = 1e9;
/** Steps of bisection: 13 find a time between 30 minutes and 90 days to 0.1 %. */
const STEPS = 13;

/** S(u): the chance that the page has not changed for `u` days. In [0, 1], falling. */
export function chanceUnchanged({ shape, days }: Belief, u: number): number {
  return Math.exp(-shape * Math.log1p(u / days));
}

/** G(u) = ∫₀ᵘ S: the days within `u` for which a copy is expected to be right. In [0, u], growing. */
export function freshDays({ shape, days }: Belief, u: number): number {
  const stretch = Math.log1p(u / days);
  const k = 1 - shape;
  return days * (k === 0 ? stretch : Math.expm1(k * stretch) / k);
}

/**
 * V(u) = G(u) − u·S(u), growing from 0.
 *
 * Where signals are trusted and none has come, only the part ρ (`silence`) of changes that come unannounced can have
 * happened: V(u) = (G(ρu) − ρ·G(u)) / (1 − ρ), of which the formula above is the limit for ρ = 1.
 */
export function crawlValue(belief: Belief, u: number, silence = 1): number {
  const { shape: a, days: b } = belief;
  const y = u / b;
  if ((a + 1) * y < SMALL) return silence * a * b * y ** 2 * (0.5 - ((a + 1) * (1 + silence) * y) / 6);
  if (silence > 1 - SMALL) return freshDays(belief, u) - u * chanceUnchanged(belief, u);
  return (freshDays(belief, silence * u) - silence * freshDays(belief, u)) / (1 - silence);
}

/** What a first visit is worth: G(10 days). */
export function firstValue(belief: Belief): number {
  return freshDays(belief, HORIZON_DAYS);
}

/** The chance that the page is unchanged after `u` days although a signal has come: S / (S + (1 − S)·p₁/p₀) (Bayes). */
export function chanceDespiteSignal(belief: Belief, u: number, trust: SignalTrust): number {
  const same = chanceUnchanged(belief, u);
  return same / (same + (1 - same) * trust.odds);
}

/**
 * What a visit is worth after a signal: as much as after the time u' that would make a change as likely without one,
 * S(u') = P, where P knows of the signal. But a stale copy is worth no more than none: a first visit, or what the page would
 * be worth without the signal, whichever is more.
 */
export function signalledValue(belief: Belief, u: number, trust: SignalTrust): number {
  const { shape: a, days: b } = belief;
  const same = chanceDespiteSignal(belief, u, trust);
  const alike = Math.min(b * Math.expm1(-Math.log(same) / a), LONGEST_DAYS);
  return Math.min(crawlValue(belief, alike), Math.max(crawlValue(belief, u), firstValue(belief)));
}

/** The days in [least, most] after which a growing `value` reaches `threshold`; `most` when it does not. */
export function daysUntil(
  value: (days: number) => number,
  threshold: number,
  least: number,
  most: number,
): number {
  let low = Math.log(least);
  let high = Math.log(most);
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (value(Math.exp(middle)) < threshold) low = middle;
    else high = middle;
  }
  return Math.exp(high);
}

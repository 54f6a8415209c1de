/**
 * How long a host rests between two request starts. Pure rules; the frontier applies them in the transaction that
 * lends (R10, R13).
 */
import type { Random } from '../clock.ts';

export interface PolitenessPolicy {
  /** Least time between two request starts of one host (R10). */
  readonly delayMs: number;
  /** Up to this much is added to every rest at random, so that hosts do not march in step. Never taken away. */
  readonly delayJitterMs: number;
}

/** What a host's rest depends on. */
export interface HostTemper {
  /** Crawl-delay of its robots.txt; null: none. */
  readonly crawlDelayMs: number | null;
  /** Back-off steps: see `backOffSteps`. */
  readonly failures: number;
}

const DAY_MS = 86_400_000;
/** A larger Crawl-delay counts as this: slow hosts are crawled slowly, not skipped (R10). */
const LONGEST_CRAWL_DELAY_MS = DAY_MS;
/** Back-off starts here when the policy asks for no delay at all. */
const LEAST_BACK_OFF_MS = 1_000;
/** Back-off ends here: a host that recovers is noticed within this time. */
const LONGEST_BACK_OFF_MS = 600_000;
/** More failures change nothing: 2^20 seconds are beyond every cap. */
const MOST_STEPS = 20;
/** A Retry-After further away is a mistake of the server and must not lose the host for ever. */
const LONGEST_REST_MS = 30 * DAY_MS;

/** Rest between request starts, ms: the larger of policy and Crawl-delay, doubled for every back-off step up to 10 min. */
export function hostDelayMs(policy: PolitenessPolicy, host: HostTemper): number {
  const wanted = Math.min(Math.max(host.crawlDelayMs ?? 0, 0), LONGEST_CRAWL_DELAY_MS);
  const usual = Math.max(policy.delayMs, wanted);
  if (host.failures <= 0) return usual;
  const widened = Math.max(usual, LEAST_BACK_OFF_MS) * 2 ** Math.min(host.failures, MOST_STEPS);
  return Math.max(usual, Math.min(widened, LONGEST_BACK_OFF_MS));
}

/** The same with the jitter of one particular rest. */
export function restMs(policy: PolitenessPolicy, host: HostTemper, random: Random): number {
  return Math.ceil(hostDelayMs(policy, host) + policy.delayJitterMs * random());
}

/**
 * Back-off steps after an answer: one more for each unhealthy answer, half as many after a healthy one (so a host
 * that has just come back is not run over), unchanged when the visit makes no statement.
 */
export function backOffSteps(failures: number, healthy: boolean | null): number {
  if (healthy === null) return failures;
  return healthy ? Math.floor(failures / 2) : Math.min(failures + 1, MOST_STEPS);
}

/** The instant a host asked to be left alone until, kept within 30 days of now. */
export function boundedRest(restUntil: number, now: number): number {
  return Math.min(restUntil, now + LONGEST_REST_MS);
}

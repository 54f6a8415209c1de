/** What the parts of the frontier's contract share: the factory an implementation gives, and small steps. */
import type { Frontier } from '../../src/frontier/frontier.ts';
import type { FrontierPolicy } from '../../src/frontier/policy.ts';
import type { CrawlRequest } from '../../src/types.ts';
import { type VirtualClock, virtualClock } from '../support/virtual-clock.ts';

/** A store and the frontier on it. */
export interface FrontierUnderTest {
  readonly frontier: Frontier;
  /** Another frontier on the same store, as another process has. */
  second(): Frontier;
  /** The process dies and starts again on the same store. */
  restart(): Promise<Frontier>;
  /** Ends it and removes the store. May be called twice. */
  close(): void;
}

export interface FrontierSetup {
  readonly clock: VirtualClock;
  readonly policy: Partial<FrontierPolicy>;
}

export type FrontierFactory = (setup: FrontierSetup) => Promise<FrontierUnderTest>;

export interface OpenFrontier extends FrontierUnderTest {
  readonly clock: VirtualClock;
  /** What the clock said at first. */
  readonly start: number;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

export async function openFrontier(
  create: FrontierFactory,
  policy: Partial<FrontierPolicy> = {},
): Promise<OpenFrontier> {
  const clock = virtualClock();
  const parts = await create({ clock, policy });
  return { ...parts, clock, start: clock.now() };
}

export async function leaseOne(frontier: Frontier): Promise<CrawlRequest> {
  const [request] = await frontier.lease(1);
  if (request === undefined) throw new Error('nothing was lent');
  return request;
}

export function urlsOf(requests: readonly CrawlRequest[]): string[] {
  return requests.map((request) => request.record.url);
}

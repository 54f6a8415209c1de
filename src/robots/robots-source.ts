/** What is known of robots.txt files, and who is fetching one. */
import type { FetchResult, RobotsRecord } from '../types.ts';
import type { RobotsVerdict } from './policy.ts';

/** A claim on the fetch of one origin's robots.txt. */
export type RobotsClaim =
  | { readonly isMine: true }
  /** Somebody else is fetching it; resolves when they are done. */
  | { readonly isMine: false; readonly done: Promise<void> };

export interface RobotsSource {
  /** May this URL be requested, as far as is known? */
  verdict(url: string, nowMs: number): RobotsVerdict;
  /** Claims the fetch of an origin's robots.txt, so that exactly one request is made for it (R9). */
  claim(origin: string): RobotsClaim;
  /** Ends one's claim with what the answer means; with null when no request was made. */
  settle(origin: string, fetchUrl: string, result: FetchResult | null, nowMs: number): RobotsRecord | null;
  /** Crawl-delay that a record holds for us; null when it names none. */
  crawlDelayMs(record: RobotsRecord): number | null;
  /** URLs of the Sitemap lines in the robots.txt of an origin, as far as it is known. */
  sitemaps(origin: string): readonly string[];
  /** Validators for a conditional request to `fetchUrl`, if the rules at hand came from there. */
  validators(
    origin: string,
    fetchUrl: string,
  ): { readonly etag: string | null; readonly lastModified: string | null };
}

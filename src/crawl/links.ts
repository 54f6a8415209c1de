/** Which of a page's links are followed, and why the others are not. */
import type { ReasonCode, ReasonCounts } from '../reasons.ts';
import type { Link, PageRecord, ParsedPage } from '../types.ts';
import { admit, type Gate } from './gate.ts';
import type { QueryVariants } from './variants.ts';

export interface FollowedLinks {
  readonly links: readonly Link[];
  readonly refused: ReasonCounts;
  readonly refusedSamples: readonly { readonly url: string; readonly reason: ReasonCode }[];
}

/** Refused links kept per page for people to look at; all are counted. */
const SAMPLES_PER_PAGE = 5;

/** Passes the links of a page through the gate, each target once; `variants` stops filters that combine freely. */
export function followedLinks(
  page: ParsedPage,
  record: PageRecord,
  gate: Gate,
  variants: QueryVariants,
  nowMs: number,
): FollowedLinks {
  const links = new Map<string, Link>();
  const refused: ReasonCounts = {};
  const refusedSamples: { url: string; reason: ReasonCode }[] = [];
  const refuse = (url: string, reason: ReasonCode): void => {
    refused[reason] = (refused[reason] ?? 0) + 1;
    if (refusedSamples.length < SAMPLES_PER_PAGE) refusedSamples.push({ url, reason });
  };
  for (const found of linksOf(page)) {
    if (found.nofollow || !page.robots.follow) {
      refuse(found.url, 'directive.nofollow');
      continue;
    }
    const admission = admit(gate, found.url, record.depth + 1, nowMs);
    if (!admission.isAdmitted) refuse(admission.url, admission.reason);
    else if (admission.url === record.url || links.has(admission.url)) continue;
    else if (!variants.admits(admission.url)) refuse(admission.url, 'trap.variants');
    else {
      links.set(admission.url, {
        url: admission.url,
        depth: record.depth + 1,
        priority: admission.priority,
        redirects: 0,
        referrerId: record.id,
      });
    }
  }
  return { links: [...links.values()], refused, refusedSamples };
}

/** Anchors and the like, then where the page itself points: its refresh target and its canonical URL. */
function linksOf(page: ParsedPage): readonly { readonly url: string; readonly nofollow: boolean }[] {
  const own = [page.refresh?.url ?? null, page.canonical].filter((url) => url !== null);
  return [...page.links, ...own.map((url) => ({ url, nofollow: false }))];
}

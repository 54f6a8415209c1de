/** Which of a page's links are followed, and why the others are not. */
import type { ReasonCode, ReasonCounts } from '../reasons.ts';
import type { Link, PageRecord, ParsedPage } from '../types.ts';
import { type AdmitLink, admitList, type Gate } from './gate.ts';
import type { QueryVariants } from './variants.ts';

export interface FollowedLinks {
  readonly links: readonly Link[];
  readonly refused: ReasonCounts;
  readonly refusedSamples: readonly { readonly url: string; readonly reason: ReasonCode }[];
}

/** Refused links kept per page for people to look at; all are counted. */
const SAMPLES_PER_PAGE = 5;

/** Characters of such a link: as many as the longest URL that is taken by default, so that only endless ones are cut, which ends them with `…`. */
const SAMPLE_LENGTH = 2_048;

/** What judges links; `variants` stops filters that combine freely. */
export interface LinkJudges {
  readonly gate: Gate;
  readonly admitLink: AdmitLink;
  readonly variants: QueryVariants;
}

/** Passes the links of a page through the gate, each target once. */
export function followedLinks(
  page: ParsedPage,
  record: PageRecord,
  { gate, admitLink, variants }: LinkJudges,
  nowMs: number,
): FollowedLinks {
  const found = new FoundLinks(record);
  for (const { url, nofollow } of linksOf(page)) {
    if (nofollow || !page.robots.follow) {
      found.refuse(url, 'directive.nofollow');
      continue;
    }
    const admission = admitLink(url, record.depth + 1, nowMs);
    if (!admission.isAdmitted) found.refuse(admission.url, admission.reason);
    else if (found.has(admission.url)) continue;
    else if (!variants.admits(admission.url)) found.refuse(admission.url, 'trap.variants');
    else found.take(admission.url, { depth: record.depth + 1, priority: admission.priority });
  }
  if (page.linksLeftOut > 0) found.refuse(record.url, 'limit.links', page.linksLeftOut);
  const feeds = page.robots.follow && gate.lists.areSought(record.url) ? page.feeds : [];
  for (const feed of feeds) {
    const admission = admitList(gate, feed);
    if (!admission.isAdmitted) found.refuse(admission.url, admission.reason);
    else found.take(admission.url, { kind: 'feed', depth: record.depth, priority: 0 });
  }
  return found.result();
}

/** Links as they are found in one document: each target once, refused ones counted. */
export class FoundLinks {
  readonly #record: Pick<PageRecord, 'id' | 'url'>;
  readonly #links = new Map<string, Link>();
  readonly #refused: ReasonCounts = {};
  readonly #samples: { url: string; reason: ReasonCode }[] = [];

  /** `record` is where they were found. */
  constructor(record: Pick<PageRecord, 'id' | 'url'>) {
    this.#record = record;
  }

  /** Was this target taken already, or is it the document itself? */
  has(url: string): boolean {
    return url === this.#record.url || this.#links.has(url);
  }

  take(url: string, link: Pick<Link, 'kind' | 'depth' | 'priority' | 'lastmodAt' | 'isPushed'>): void {
    if (!this.has(url)) this.#links.set(url, { url, redirects: 0, referrerId: this.#record.id, ...link });
  }

  /** `count` links; `url` is one of them, or the page they are on. */
  refuse(url: string, reason: ReasonCode, count = 1): void {
    this.#refused[reason] = (this.#refused[reason] ?? 0) + count;
    if (this.#samples.length >= SAMPLES_PER_PAGE) return;
    const isEndless = url.length > SAMPLE_LENGTH;
    this.#samples.push({ url: isEndless ? `${url.slice(0, SAMPLE_LENGTH)}…` : url, reason });
  }

  result(): FollowedLinks {
    return { links: [...this.#links.values()], refused: this.#refused, refusedSamples: this.#samples };
  }
}

/** Anchors and the like, then where the page itself points: its refresh target and its canonical URL. */
function linksOf(page: ParsedPage): readonly { readonly url: string; readonly nofollow: boolean }[] {
  const own = [page.refresh?.url ?? null, page.canonical].filter((url) => url !== null);
  return [...page.links, ...own.map((url) => ({ url, nofollow: false }))];
}

/**
 * Sitemaps and feeds in a crawl: where they are looked for, and what of their entries is followed. A list is a URL of the
 * frontier like a page; its entries pass the gate like links, so it never widens a crawl. Pure.
 */
import type { Sitemap } from '../parse/sitemap.ts';
import type { PageRecord } from '../types.ts';
import { queueKey } from '../url/site.ts';
import { admit, admitList, type Gate } from './gate.ts';
import { type FollowedLinks, FoundLinks } from './links.ts';
import type { QueryVariants } from './variants.ts';

/** Indexes in a row that lead to a sitemap. sitemaps.org allows one; an endless chain is a trap. */
const MOST_INDEXES = 3;
/** New pages of a feed are visited before other new pages of their host; feeds begin with the newest. */
const FEED_PRIORITY = 50;
const FEED_ENTRIES_FIRST = 100;

/**
 * Sitemaps of an origin whose robots.txt has been read: those it names, or the usual one of a start host when it names none.
 * `named` are absolute URLs; `record` is the URL robots.txt was read for.
 */
export function sitemapsOf(record: PageRecord, named: readonly string[], gate: Gate): FollowedLinks {
  const found = new FoundLinks({ id: record.id, url: '' });
  if (!gate.lists.areSought(record.url)) return found.result();
  const isGuessed = named.length === 0 && gate.lists.startHosts.has(queueKey(record.url));
  for (const url of isGuessed ? [new URL('/sitemap.xml', record.url).href] : named) {
    const admission = admitList(gate, url);
    if (!admission.isAdmitted) found.refuse(admission.url, admission.reason);
    else found.take(admission.url, { kind: 'sitemap', depth: 0, priority: 0 });
  }
  return found.result();
}

/** Passes the entries of a list through the gate, pages as if a start page linked to them. */
export function listedLinks(
  list: Sitemap,
  record: PageRecord,
  gate: Gate,
  variants: QueryVariants,
  nowMs: number,
): FollowedLinks {
  const found = new FoundLinks(record);
  const isFeed = record.kind === 'feed';
  const depth = isFeed ? record.depth + 1 : 1;
  for (const [n, { url, lastmod }] of list.urls.entries()) {
    const admission = admit(gate, url, depth, nowMs);
    if (!admission.isAdmitted) found.refuse(admission.url, admission.reason);
    else if (found.has(admission.url)) continue;
    else if (!variants.admits(admission.url)) found.refuse(admission.url, 'trap.variants');
    else {
      const isFirst = isFeed && n < FEED_ENTRIES_FIRST;
      found.take(admission.url, {
        depth,
        priority: admission.priority + (isFirst ? FEED_PRIORITY : 0),
        // A date that has not come yet is an error of the site or of its clock.
        lastmodAt: lastmod !== null && lastmod <= nowMs ? lastmod : null,
      });
    }
  }
  for (const url of list.sitemaps) {
    const admission = admitList(gate, url);
    if (!admission.isAdmitted) found.refuse(admission.url, admission.reason);
    else if (record.depth >= MOST_INDEXES) found.refuse(admission.url, 'scope.depth');
    else found.take(admission.url, { kind: 'sitemap', depth: record.depth + 1, priority: 0 });
  }
  return found.result();
}

/** Does the body hold a list, be it an empty one? */
export function isList(list: Sitemap): boolean {
  return list.urls.length + list.sitemaps.length > 0 || list.problems.length === 0;
}

/** Names of files that are lists and nothing else; HTML under such a name is an error page. */
export function isNamedAsList(url: string): boolean {
  return /\.(?:xml|gz|txt|rss|atom|rdf|json)$/i.test(new URL(url).pathname);
}

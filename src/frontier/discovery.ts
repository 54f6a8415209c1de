/**
 * Links become known URLs here: each once per host, with the shortest way to it that has been found (R2). A shorter way
 * is passed on to what is known to lie behind it.
 */

import { areBelieved } from '../crawl/freshness/signals.ts';
import type { ReasonCode } from '../reasons.ts';
import type { Link, UrlKind } from '../types.ts';
import { urlHash } from '../url/key.ts';
import { splitUrl } from '../url/site.ts';
import type { HostTable } from './host-state.ts';
import { newDueAt } from './order.ts';
import type { FrontierPolicy } from './policy.ts';
import { Recent } from './recent.ts';
import type { UrlState, UrlTable } from './url-table.ts';
import type { OfferedUrl, WorkQueue } from './work-queue.ts';

export interface Discovered {
  /** Ids of the links' URLs, known and new; refused ones are missing. */
  readonly ids: number[];
  readonly added: OfferedUrl[];
  /** Ids of those known before. */
  readonly known: number[];
  /** URLs refused because a quota of their host is spent. */
  readonly refused: { readonly url: string; readonly reason: ReasonCode }[];
}

/** The way to a URL, as remembered of those met lately. */
interface Way {
  readonly id: number;
  readonly depth: number;
  readonly redirects: number;
}

/** Most links of a site are navigation and were met on the page before: these many are answered without the database. */
const RECENT_URLS = 100_000;
/** Small integers are quicker keys of a Map than 53-bit ones; two URLs with one key drive each other out. */
const RECENT_KEY_BITS = 2 ** 30 - 1;
/** Lists read of one host, by kind. A blog has a feed of comments for every post; fifty thousand URLs fit a sitemap. */
const MOST_LISTS: Readonly<Record<Exclude<UrlKind, 'page'>, number>> = {
  sitemap: 1_000,
  feed: 20,
  key: 1_000,
};
/** A page that is pushed again and again is visited at most so often. */
const PUSH_REST_MS = 300_000;
/** URLs one shorter way is passed on to at most; the rest get it when they are visited again. */
const MOST_PASSED_ON = 10_000;

export interface DiscoveryParts {
  readonly urls: UrlTable;
  readonly hosts: HostTable;
  readonly queue: WorkQueue;
  readonly policy: FrontierPolicy;
  /** Changes the due time of a URL, counts included. */
  readonly setDue: (url: UrlState, dueAt: number) => void;
  /** Writes a nearer way to a URL, counts included. */
  readonly setWay: (url: UrlState, depth: number, redirects: number) => void;
  /** Plans a page anew that a signal has come for. */
  readonly replan: (id: number) => void;
}

export class Discovery {
  readonly #parts: DiscoveryParts;
  readonly #recent = new Recent<number, Way & { readonly hash: number }>(RECENT_URLS);
  #nextId = 0;

  constructor(parts: DiscoveryParts) {
    this.#parts = parts;
  }

  /** Begins a transaction. */
  begin(): void {
    this.#nextId = this.#parts.urls.lastId() + 1;
  }

  /** Forgets URLs whose rows may have been rolled back. */
  clear(): void {
    this.#recent.clear();
  }

  /** Makes links known. */
  take(links: readonly Link[], now: number): Discovered {
    const found: Discovered = { ids: [], added: [], known: [], refused: [] };
    for (const link of links) {
      const hash = urlHash(link.url);
      const recent = this.#recent.get(hash & RECENT_KEY_BITS);
      if (
        isPlain(link) &&
        recent?.hash === hash &&
        link.depth >= recent.depth &&
        link.redirects >= recent.redirects
      ) {
        found.ids.push(recent.id);
        found.known.push(recent.id);
        continue;
      }
      const way = this.#takeOne(link, hash, now, found);
      if (way === null) continue;
      this.#recent.set(hash & RECENT_KEY_BITS, { ...way, hash });
      found.ids.push(way.id);
    }
    return found;
  }

  /** One link that was not met lately; null when it is refused. */
  #takeOne(link: Link, hash: number, now: number, found: Discovered): Way | null {
    const { urls, hosts, policy } = this.#parts;
    const { isSecure, host: name, path } = splitUrl(link.url);
    const hostId = hosts.idOf(name, now);
    const limit = this.#quotaSpent(hostId, link);
    if (limit === null) {
      const { kind = 'page', depth, priority, redirects, referrerId } = link;
      const id = this.#nextId;
      const dueAt = newDueAt(policy.order, priority, depth, id);
      const url = {
        id,
        hostId,
        hash,
        kind,
        isSecure,
        path,
        depth,
        priority,
        dueAt,
        redirects,
        referrerId,
        foundAt: now,
      };
      if (urls.insert(url)) {
        this.#nextId++;
        hosts.touch(hostId).known++;
        found.added.push({ id, hostId, dueAt });
        return { id, depth, redirects };
      }
    }
    const known = urls.byHash(hostId, hash);
    if (known === undefined) {
      found.refused.push({ url: link.url, reason: limit ?? 'limit.host' });
      return null;
    }
    found.known.push(known.id);
    this.#heed(known, link, now);
    return this.#shorten(known, link.depth, link.redirects, now);
  }

  /** The quota of a host that leaves no room for a new URL of this kind; null when there is room. */
  #quotaSpent(hostId: number, { kind = 'page' }: Link): ReasonCode | null {
    const { urls, hosts, policy } = this.#parts;
    if (kind !== 'page') return urls.countLists(hostId, kind) >= MOST_LISTS[kind] ? 'limit.lists' : null;
    const { known } = hosts.get(hostId);
    if (known < policy.maxUrlsPerHost) return null;
    // Lists are known too, and take no room from pages.
    return known - urls.countAllLists(hostId) < policy.maxUrlsPerHost ? null : 'limit.host';
  }

  /** What is said of a known URL: that it is a sitemap, that a key file is to be looked at, that a page has changed. */
  #heed(known: UrlState, link: Link, now: number): void {
    const { kind, lastmodAt, isPushed = false } = link;
    const { urls, hosts, policy, replan } = this.#parts;
    // Before all that is due of its host, because other URLs wait for what it says.
    if (kind === 'key' && known.dueAt === null) this.#setDue(known, 0);
    if (kind === 'sitemap' && urls.makeSitemap(known.id) && known.dueAt !== null && known.dueAt > now) {
      this.#advance(known, now, now);
    }
    if (lastmodAt == null) return;
    if (isPushed) {
      this.#heedPush(known, lastmodAt, link.priority, now);
      return;
    }
    const lookedAt = urls.indexedSince(known.id);
    if (lookedAt === undefined || lastmodAt <= lookedAt) return;
    urls.announce(known.id, lastmodAt);
    if (policy.refresh.kind === 'optimal') replan(known.id);
    // Due since the last visit, so before everything that has fallen due by itself since then; and nothing starves.
    else if (areBelieved(hosts.get(known.hostId).signals)) this.#advance(known, lookedAt, now);
  }

  /**
   * Its owner says that a URL has changed. That makes it due wherever it stands, since the last visit as above, though not
   * again at once when it is said over and over.
   */
  #heedPush(known: UrlState, pushedAt: number, priority: number, now: number): void {
    const { urls, policy } = this.#parts;
    const fetchedAt = urls.fetchedAt(known.id);
    if (fetchedAt !== null) {
      if (pushedAt <= fetchedAt) return;
      urls.announce(known.id, pushedAt);
      this.#advance(known, fetchedAt + PUSH_REST_MS, now);
    } else if (known.dueAt !== null && known.dueAt < 0 && known.priority < priority) {
      urls.setPriority(known.id, priority);
      this.#setDue(known, newDueAt(policy.order, priority, known.depth, known.id));
    }
  }

  /** Makes a fetched URL due earlier; one that is lent is visited anyway. */
  #advance(url: UrlState, dueAt: number, now: number): void {
    const isLent = url.lease !== null && url.lease > now;
    if (isLent || url.dueAt === null || url.dueAt < 0 || url.dueAt <= dueAt) return;
    this.#setDue(url, dueAt);
  }

  #setDue(url: UrlState, dueAt: number): void {
    const { hosts, queue, setDue } = this.#parts;
    setDue(url, dueAt);
    queue.putBack(url.hostId, { id: url.id, dueAt });
    hosts.touch(url.hostId);
  }

  /** Keeps the shorter way to a known URL; returns it. */
  #shorten(known: UrlState, depth: number, redirects: number, now: number): Way {
    const way = {
      id: known.id,
      depth: Math.min(known.depth, depth),
      redirects: Math.min(known.redirects, redirects),
    };
    if (way.depth < known.depth) this.#bringNearer(known.id, way.depth, now);
    if (way.redirects < known.redirects) this.#parts.urls.setWay(way.id, way.depth, way.redirects);
    return way;
  }

  /** Lowers the depth of a URL, and of those its links lead to, breadth first. */
  #bringNearer(id: number, depth: number, now: number): void {
    const work = [{ id, depth }];
    for (let next = 0; next < work.length; next++) {
      const { id, depth } = work[next] as Way;
      const url = this.#parts.urls.byId(id);
      if (url === undefined || url.depth <= depth) continue;
      this.#setDepth(url, depth, now);
      const links = this.#parts.urls.links(id);
      if (links === undefined) continue;
      // A redirect adds no depth: its target is what the link meant.
      const behind = links.isRedirect ? depth : depth + 1;
      const room = MOST_PASSED_ON - work.length;
      for (const target of links.targets.slice(0, Math.max(0, room)))
        work.push({ id: target, depth: behind });
    }
  }

  #setDepth(url: UrlState, depth: number, now: number): void {
    const { urls, hosts, queue, policy, setDue, setWay } = this.#parts;
    setWay(url, depth, url.redirects);
    const isLent = url.lease !== null && url.lease > now;
    if (url.dueAt !== null && url.dueAt < 0) {
      const dueAt = newDueAt(policy.order, url.priority, depth, url.id);
      setDue(url, dueAt);
      if (!isLent) queue.putBack(url.hostId, { id: url.id, dueAt });
      return;
    }
    // The links of a page at the depth limit were refused; now they are wanted, so the page itself is, and whole.
    const opensUp = url.depth >= policy.maxDepth && depth < policy.maxDepth;
    if (!opensUp || isLent || url.dueAt === null || !urls.dropValidators(url.id)) return;
    const dueAt = Math.min(url.dueAt, now);
    setDue(url, dueAt);
    queue.putBack(url.hostId, { id: url.id, dueAt });
    hosts.touch(url.hostId);
  }
}

/** Does the link say no more than that there is a page? */
function isPlain({ kind = 'page', lastmodAt = null }: Link): boolean {
  return kind === 'page' && lastmodAt === null;
}

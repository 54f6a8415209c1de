/** What a polite crawler with default settings makes of the demo web, as lists of absolute URLs. */
import type { ReasonCode } from '../reasons.ts';
import { type DemoPage, type DemoSite, type Fate, type Origins, type SiteName, siteNames } from './page.ts';

export interface Expected {
  /** In the index after the first crawl, found by links alone. */
  readonly indexed: readonly string[];
  /** In the index as well, found only by those who read sitemaps. */
  readonly listed: readonly string[];
  /** Exist after the first `advance()`. */
  readonly later: readonly string[];
  /** Of `indexed`: lost after the first `advance()`. */
  readonly lost: readonly { readonly url: string; readonly reason: ReasonCode }[];
  /** Never a result beside `into`. */
  readonly folded: readonly { readonly url: string; readonly into: string }[];
  /** Asked for and never a result; no reason for redirects that lead on. */
  readonly keptOut: readonly { readonly url: string; readonly reason: ReasonCode | null }[];
  /** Must never be asked for. */
  readonly never: readonly { readonly url: string; readonly reason: ReasonCode }[];
  /** At most so many addresses that start with `prefix` may be asked for. */
  readonly bounded: readonly { readonly prefix: string; readonly atMost: number }[];
}

export function expectedOf(origins: Origins, sites: Readonly<Record<SiteName, DemoSite>>): Expected {
  const pages = siteNames.flatMap((site) => sites[site].pages.map((page) => placed(origins[site], page)));
  const having = <K extends Fate['kind']>(kind: K) =>
    pages.flatMap(({ url, origin, fate }) => (isKind(fate, kind) ? [{ url, origin, fate }] : []));
  const urls = (kind: Fate['kind']) => having(kind).map(({ url }) => url);
  return {
    indexed: urls('indexed'),
    listed: urls('listed'),
    later: urls('later'),
    lost: having('indexed').flatMap(({ url, fate }) => (fate.lostFor ? [{ url, reason: fate.lostFor }] : [])),
    folded: having('folded').map(({ url, origin, fate }) => ({ url, into: origin + fate.into })),
    keptOut: having('kept-out').map(({ url, fate }) => ({ url, reason: fate.reason })),
    never: [
      ...having('never').map(({ url, fate }) => ({ url, reason: fate.reason })),
      { url: 'http://127.0.0.1:1/secret', reason: 'scope.host' },
    ],
    bounded: siteNames.flatMap((site) =>
      (sites[site].bounds ?? []).map(({ prefix, atMost }) => ({ prefix: origins[site] + prefix, atMost })),
    ),
  };
}

function placed(origin: string, { path, fate }: DemoPage): { url: string; origin: string; fate: Fate } {
  return { url: origin + encodeURI(path), origin, fate };
}

function isKind<K extends Fate['kind']>(fate: Fate, kind: K): fate is Extract<Fate, { kind: K }> {
  return fate.kind === kind;
}

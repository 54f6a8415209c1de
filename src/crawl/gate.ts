/**
 * The gate every URL passes before it may enter the frontier, wherever it comes from: seed, link, redirect target,
 * sitemap, command. One list of checks in one order, so that `explain` can walk the same steps.
 */
import type { ReasonCode } from '../reasons.ts';
import { type AllowList, checkUrl } from '../url/address.ts';
import { type NormalizeOptions, normalizeUrl } from '../url/normalize.ts';
import { linkPriority } from './ads.ts';
import { type Refusal, refusal, type Scope } from './scope.ts';
import { type TrapLimits, trapOf } from './traps.ts';

export interface Gate {
  /** One scope per site; a URL belongs to the first whose hosts it is on. */
  readonly scopes: readonly Scope[];
  readonly traps: TrapLimits;
  /** Which sitemaps and feeds are read. */
  readonly lists: ListPolicy;
  /** May a URL be connected to, as far as it tells by itself (R15)? `addressCheck` makes one. */
  readonly address: (url: string) => ReasonCode | null;
  readonly normalize: NormalizeOptions;
}

/** Where lists are looked for (docs/sitemaps.md). */
export interface ListPolicy {
  /** Does the site of this URL look for lists in robots.txt and on its pages? */
  readonly areSought: (url: string) => boolean;
  /** Queue keys of the start hosts whose sites do. */
  readonly startHosts: ReadonlySet<string>;
}

/** Hosts whose judgement is remembered; a page's links lead to few. */
const HOSTS_REMEMBERED = 1_000;

/** Judges normalised URLs by an allow list. Scheme and host decide, so a host is judged once and not for every link. */
export function addressCheck(allow: AllowList): Gate['address'] {
  const known = new Map<string, ReasonCode | null>();
  return (url) => {
    const origin = url.slice(0, url.indexOf('/', 'https://'.length));
    const before = known.get(origin);
    if (before !== undefined) return before;
    const check = checkUrl(url, allow);
    const reason = check.ok ? null : check.reason;
    if (known.size >= HOSTS_REMEMBERED) known.clear();
    known.set(origin, reason);
    return reason;
  };
}

export type Admission =
  | { readonly isAdmitted: true; readonly url: string; readonly priority: number }
  | {
      readonly isAdmitted: false;
      readonly reason: ReasonCode;
      /** The normalised URL, or the raw one when it has no normal form. */
      readonly url: string;
      /** Where the rule that decided stands, when one did. */
      readonly rule: string | null;
    };

/** Judges links: `admit` with its gate bound. */
export type AdmitLink = (rawUrl: string, depth: number, nowMs: number) => Admission;

/** Links whose judgement is remembered: most of a page's links are on the page before as well. About 300 bytes each. */
const LINKS_REMEMBERED = 20_000;
/** A judgement of calendars holds about as long as the hour. */
const REMEMBERED_MS = 3_600_000;

/** `admit` that remembers what it said of the links met lately. */
export function admitter(gate: Gate): AdmitLink {
  const byDepth = new Map<number, Map<string, Admission>>();
  let count = 0;
  let clearAt = Number.NEGATIVE_INFINITY;
  return (rawUrl, depth, nowMs) => {
    // A page can bring any number of endless ones, and hardly any is admitted.
    if (rawUrl.length > gate.traps.maxUrlLength) return admit(gate, rawUrl, depth, nowMs);
    if (count >= LINKS_REMEMBERED || nowMs >= clearAt) {
      byDepth.clear();
      count = 0;
      clearAt = nowMs + REMEMBERED_MS;
    }
    let known = byDepth.get(depth);
    if (known === undefined) {
      known = new Map();
      byDepth.set(depth, known);
    }
    let admission = known.get(rawUrl);
    if (admission === undefined) {
      admission = admit(gate, rawUrl, depth, nowMs);
      known.set(rawUrl, admission);
      count++;
    }
    return admission;
  };
}

/** Lets a raw URL in at `depth`, or says why not. */
export function admit(gate: Gate, rawUrl: string, depth: number, nowMs: number): Admission {
  const url = normalizeUrl(rawUrl, gate.normalize);
  if (url === null) return refused(rawUrl, 'scope.scheme');
  const outside = scopeRefusal(gate, url, depth);
  if (outside !== null) return refused(url, outside.reason, outside.rule ?? null);
  const unsafe = gate.address(url);
  if (unsafe !== null) return refused(url, unsafe);
  const trap = trapOf(url, gate.traps, nowMs);
  if (trap !== null) return refused(url, trap);
  return { isAdmitted: true, url, priority: linkPriority(url) };
}

/**
 * The same for the URL of a sitemap or feed: a file of its host and not a page, so rules about pages do not apply to it. What
 * it lists passes the whole gate.
 */
export function admitList(gate: Gate, rawUrl: string): Admission {
  const url = normalizeUrl(rawUrl, gate.normalize);
  if (url === null) return refused(rawUrl, 'scope.scheme');
  if (!gate.scopes.some((scope) => scope.isHostAllowed(url))) return refused(url, 'scope.host');
  const unsafe = gate.address(url);
  if (unsafe !== null) return refused(url, unsafe);
  if (url.length > gate.traps.maxUrlLength) return refused(url, 'scope.length');
  return { isAdmitted: true, url, priority: 0 };
}

/**
 * The same for a start URL. The address is judged first, so that an unsafe seed is refused for the reason that matters
 * rather than for being no site of ours.
 */
export function admitSeed(gate: Gate, rawUrl: string, nowMs: number): Admission {
  const url = normalizeUrl(rawUrl, gate.normalize);
  if (url === null) return refused(rawUrl, 'scope.scheme');
  const unsafe = gate.address(url);
  return unsafe === null ? admit(gate, url, 0, nowMs) : refused(url, unsafe);
}

/** Why no site takes the URL at this depth; null when one does. */
export function scopeRefusal(gate: Gate, url: string, depth: number): Refusal | null {
  const scope = gate.scopes.find((candidate) => candidate.isHostAllowed(url));
  return scope === undefined ? { reason: 'scope.host' } : refusal(scope, url, depth);
}

function refused(url: string, reason: ReasonCode, rule: string | null = null): Admission {
  return { isAdmitted: false, url, reason, rule };
}

/**
 * The bounds of a crawl (R1): which hosts, which of their paths, how deep. Checked for every link, redirect target and
 * sitemap entry; a redirect never widens it. Pure.
 */
import type { ReasonCode } from '../reasons.ts';
import { queueKey, registrableDomain, splitUrl } from '../url/site.ts';
import { compileGlob, type Glob } from './glob.ts';

/**
 * How far from the allowed hosts a URL may be:
 * same-host: that very host and port, http or https · subdomains: also the hosts below it ·
 * same-domain: every host of its registrable domain, on any port · same-origin: scheme, host and port.
 */
export type ScopeStrategy = 'same-host' | 'subdomains' | 'same-domain' | 'same-origin';

export interface ScopePolicy {
  /** `example.org`, `example.org:8080`; for same-origin with the scheme, `https://example.org`. See `hostsOf`. */
  readonly hosts: readonly string[];
  readonly strategy: ScopeStrategy;
  /** Globs (glob.ts); empty: everything on the hosts. They narrow the hosts and never widen them. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Links from a start URL; a start URL is 0. */
  readonly maxDepth: number;
  /** File extensions not worth a request, lower case without dot. */
  readonly skipExtensions: readonly string[];
}

/** A policy ready to be asked. */
export interface Scope {
  readonly maxDepth: number;
  readonly isHostAllowed: (url: string) => boolean;
  /** First match wins: the excludes in their order, then the includes. */
  readonly rules: readonly ScopeRule[];
  /** Decision when no rule matches. */
  readonly isOpen: boolean;
  readonly skipExtensions: ReadonlySet<string>;
}

export interface ScopeRule {
  readonly isIncluded: boolean;
  /** As configured, for `explain`: `exclude: /print/**`. */
  readonly text: string;
  readonly matches: Glob;
}

export interface Refusal {
  readonly reason: ReasonCode;
  /** The rule that decided, when one did. */
  readonly rule?: string;
}

/** Files that hold no text of their own or text nothing here can read. PDF and feeds are not among them. */
export const defaultSkipExtensions: readonly string[] = `
  css js mjs map wasm woff woff2 ttf otf eot swf
  png jpg jpeg jpe gif webp avif svg ico bmp tif tiff heic psd eps
  mp3 m4a aac ogg oga wav flac wma mp4 m4v webm ogv mov avi wmv flv mkv mpg mpeg 3gp
  zip gz tgz bz2 xz zst 7z rar tar jar exe msi dmg pkg apk deb rpm iso img bin
  doc docx xls xlsx ppt pptx odt ods odp rtf ps epub mobi sqlite db
`
  .trim()
  .split(/\s+/);

export const defaultMaxDepth = 5;

/** Prepares a policy. Any text is a valid glob, so nothing is thrown. */
export function compileScope(policy: ScopePolicy): Scope {
  return {
    maxDepth: policy.maxDepth,
    isHostAllowed: hostFilter(policy.hosts, policy.strategy),
    rules: [...compileRules('exclude', policy.exclude), ...compileRules('include', policy.include)],
    isOpen: policy.include.length === 0,
    skipExtensions: new Set(policy.skipExtensions.map((extension) => extension.toLowerCase())),
  };
}

/** Why a normalised URL found `depth` links from a start URL is not in scope; null when it is. */
export function refusal(scope: Scope, url: string, depth: number): Refusal | null {
  if (!scope.isHostAllowed(url)) return { reason: 'scope.host' };
  const rule = scope.rules.find((candidate) => candidate.matches(url));
  if (rule !== undefined && !rule.isIncluded) return { reason: 'scope.rule', rule: rule.text };
  if (rule === undefined && !scope.isOpen) return { reason: 'scope.rule', rule: 'include: no rule matches' };
  if (scope.skipExtensions.has(extensionOf(url))) return { reason: 'scope.extension' };
  if (depth > scope.maxDepth) return { reason: 'scope.depth' };
  return null;
}

/** What normalised start URLs allow by themselves (R1): `ScopePolicy.hosts` for a strategy. */
export function hostsOf(startUrls: readonly string[], strategy: ScopeStrategy): string[] {
  return [...new Set(startUrls.map(strategy === 'same-origin' ? originOf : queueKey))];
}

function compileRules(kind: 'include' | 'exclude', globs: readonly string[]): ScopeRule[] {
  return globs.map((glob) => ({
    isIncluded: kind === 'include',
    text: `${kind}: ${glob}`,
    matches: compileGlob(glob),
  }));
}

function hostFilter(hosts: readonly string[], strategy: ScopeStrategy): (url: string) => boolean {
  const names = hosts.map((host) => host.toLowerCase());
  const exact = new Set(names);
  if (strategy === 'same-host') return (url) => exact.has(queueKey(url));
  if (strategy === 'same-origin') return (url) => exact.has(originOf(url));
  if (strategy === 'subdomains') {
    return (url) => exact.has(queueKey(url)) || names.some((name) => queueKey(url).endsWith(`.${name}`));
  }
  const domains = new Set(names.map(domainOf).filter((domain) => domain !== null));
  return (url) => {
    const host = queueKey(url);
    return exact.has(host) || domains.has(domainOf(host) ?? '');
  };
}

function originOf(url: string): string {
  const { isSecure, host } = splitUrl(url);
  return `${isSecure ? 'https' : 'http'}://${host}`;
}

/** Registrable domain of a queue key; addresses and bare names have none and only match exactly. */
function domainOf(host: string): string | null {
  return registrableDomain(host.replace(/:\d+$/, ''));
}

/** Extension of the last path segment, lower case; '' when it has none. The query says nothing about the file. */
function extensionOf(url: string): string {
  const queryStart = url.indexOf('?');
  const end = queryStart === -1 ? url.length : queryStart;
  const dot = url.lastIndexOf('.', end - 1);
  const slash = url.lastIndexOf('/', end - 1);
  return dot > slash + 1 ? url.slice(dot + 1, end).toLowerCase() : '';
}

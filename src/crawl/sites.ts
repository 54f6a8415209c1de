/** From configured sites to the gate that their URLs pass. Pure. */
import type { Config, Rule, Site } from '../config/shape.ts';
import { parseAllowList } from '../url/address.ts';
import { noiseFilter } from '../url/noise.ts';
import { normalizeUrl } from '../url/normalize.ts';
import { queueKey } from '../url/site.ts';
import { addressCheck, type Gate, type ListPolicy } from './gate.ts';
import { compileScope, defaultSkipExtensions, hostsOf, type Scope } from './scope.ts';
import { defaultTrapLimits } from './traps.ts';

/** The gate of a configuration. Throws UserError('config') for a bad allow-list entry. */
export function gateOf(config: Config, sites: readonly Site[]): Gate {
  const { scope, security } = config;
  const scopes = sites.map((site) => scopeOf(site, config));
  return {
    scopes,
    traps: {
      ...defaultTrapLimits,
      maxUrlLength: scope.maxUrlLength,
      maxParameters: scope.maxParams,
      maxSegments: scope.maxSegments,
    },
    lists: listPolicy(sites, scopes),
    address: addressCheck(parseAllowList(security.allowPrivate)),
    normalize: scope.stripParams.length === 0 ? {} : { isNoise: noiseFilter(scope.stripParams) },
  };
}

/** A URL belongs to the first site whose hosts it is on. */
function listPolicy(sites: readonly Site[], scopes: readonly Scope[]): ListPolicy {
  const seeking = sites.filter((site) => site.sitemaps === 'auto').flatMap((site) => site.start);
  return {
    areSought: (url) => sites[scopes.findIndex((scope) => scope.isHostAllowed(url))]?.sitemaps === 'auto',
    startHosts: new Set(seeking.flatMap((url) => normalizeUrl(url) ?? []).map(queueKey)),
  };
}

/** The scope of one site: the hosts of its start URLs, narrowed by its rules. */
function scopeOf(site: Site, config: Config): Scope {
  const start = site.start.map((url) => normalizeUrl(url)).filter((url) => url !== null);
  const strategy = config.scope.hasSubdomains ? 'subdomains' : 'same-host';
  const scope = compileScope({
    hosts: hostsOf(start, strategy),
    strategy,
    include: patterns(site.include),
    exclude: patterns(site.exclude),
    maxDepth: config.scope.maxDepth,
    skipExtensions: defaultSkipExtensions,
  });
  // compileScope keeps the order: excludes, then includes.
  const origins = [...site.exclude, ...site.include].map((rule) => rule.origin);
  return {
    ...scope,
    rules: scope.rules.map((rule, n) => ({ ...rule, text: `${rule.text} (${origins[n] ?? 'default'})` })),
  };
}

function patterns(rules: readonly Rule[]): string[] {
  return rules.map((rule) => rule.pattern);
}

/** Adds sites to others; a site with the same start URLs and rules is there already. */
export function mergeSites(sites: readonly Site[], more: readonly Site[]): Site[] {
  const merged = new Map(sites.map((site) => [keyOf(site), site]));
  for (const site of more) merged.set(keyOf(site), site);
  return [...merged.values()];
}

function keyOf(site: Site): string {
  return JSON.stringify([site.start, site.sitemaps, patterns(site.include), patterns(site.exclude)]);
}

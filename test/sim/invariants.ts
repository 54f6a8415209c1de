/** What must hold in every run, whatever the web does and however often the crawler dies. */
import type { Config } from '../../src/config.ts';
import { parseRobots } from '../../src/robots/parse.ts';
import type { VisitOutcome } from '../../src/types.ts';
import { normalizeUrl } from '../../src/url/normalize.ts';
import type { Sim } from './harness.ts';
import type { SimExchange } from './sim-web.ts';
import { markIn } from './sites.ts';
import { contradictionsIn, countersIn } from './store-check.ts';

/** Everything that is wrong, one line each. */
export function violations(sim: Sim): string[] {
  return [
    ...sim.problems,
    ...politeness(sim),
    ...restraint(sim),
    ...obedience(sim),
    ...patience(sim),
    ...intervals(sim),
    ...sums(sim),
    ...contradictionsIn(sim.folder),
    ...findability(sim),
  ];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** node.ts: the first retry of a robots.txt that cannot be had. */
const ROBOTS_RETRY_MS = 600_000;
/** A visit that begins with rules in force may be sent a little later. */
const SLACK_MS = 5;

/** Requests of a host start its delay apart, Crawl-delay included, and few are open at once (R10). */
function politeness(sim: Sim): string[] {
  const { delayMs, perHost } = sim.config.politeness;
  const wrong = [...sim.web.mostOpen]
    .filter(([, open]) => open > perHost)
    .map(([host, open]) => `${open} requests open at ${host}`);
  for (const [host, requests] of byHost(sim.web.journal)) {
    const robots = requests.filter((one) => one.path === '/robots.txt');
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1];
      if (before === undefined) continue;
      const gap = elapsed(before, request);
      const least = Math.max(delayMs, crawlDelayMs(robots, request.at));
      if (gap < least)
        wrong.push(`${host}: ${before.path} and ${request.path} ${gap} ms apart, not ${least}`);
    }
  }
  return wrong;
}

/** A host that names a wait is left alone so long (R12). */
function restraint(sim: Sim): string[] {
  return [...byHost(sim.web.journal)].flatMap(([host, requests]) =>
    requests.flatMap((asked, index) => {
      const { restMs = 0 } = asked.answer;
      // When clocks differ, a date means another wait to the crawler than to the server.
      if (restMs === 0 || asked.endedAt === null || asked.isLost || asked.skewMs !== 0) return [];
      const { endedAt } = asked;
      const least = Math.min(restMs - (endedAt - asked.at), 30 * DAY_MS);
      return requests
        .slice(index + 1)
        .filter((next) => next.at > endedAt && elapsed({ at: endedAt, skewMs: 0 }, next) < least)
        .map((next) => `${host}: ${next.path} ${next.at - endedAt} ms after a wish to be left for ${restMs}`);
    }),
  );
}

/** From one instant to another, by the true time or by the crawler's clock, which may have been set between: the longer one. */
function elapsed(from: Instant, to: Instant): number {
  return to.at - from.at + Math.max(0, to.skewMs - from.skewMs);
}

/** The same, the shorter one. */
function elapsedAtLeast(from: Instant, to: Instant): number {
  return to.at - from.at + Math.min(0, to.skewMs - from.skewMs);
}

type Instant = Pick<SimExchange, 'at' | 'skewMs'>;

function crawlDelayMs(robots: readonly SimExchange[], at: number): number {
  const last = robots.findLast(
    ({ endedAt, answer, isLost }) =>
      !isLost && (endedAt ?? at) < at && 'status' in answer && answer.status === 200,
  );
  if (last === undefined || !('status' in last.answer)) return 0;
  return Math.min(DAY_MS, parseRobots(last.answer.body ?? '', 'freshet').crawlDelayMs ?? 0);
}

/** robots.txt comes first, once a day, alone until it is answered; what it disallows is never requested (R9). */
function obedience(sim: Sim): string[] {
  const { journal } = sim.web;
  const robots = journal.filter((one) => one.isForRobots);
  return journal.flatMap((request) => {
    if (request.isForRobots) {
      const isTooSoon = request.path === '/robots.txt' && !isTimeForRobots(robots, request);
      return isTooSoon ? [`${request.url} asked again too soon`] : [];
    }
    const known = robots.filter((one) => (one.endedAt ?? Number.POSITIVE_INFINITY) <= request.at);
    const verdict = judge(known, new URL(request.url).origin, request);
    if (verdict === 'unknown') return [`${request.url} requested without robots.txt`];
    return verdict.isAllowed(request.url) || isNamedBy(known, request)
      ? []
      : [`${request.url} requested, though disallowed`];
  });
}

/** A sitemap that robots.txt names is asked for whatever the rules say of its path. */
function isNamedBy(known: readonly SimExchange[], { url }: SimExchange): boolean {
  const file = known.findLast((one) => one.url === `${new URL(url).origin}/robots.txt`);
  if (file === undefined || !('status' in file.answer)) return false;
  return parseRobots(file.answer.body ?? '', 'freshet', file.url).sitemaps.includes(url);
}

interface Verdict {
  isAllowed(url: string): boolean;
}

const everything: Verdict = { isAllowed: () => true };
const nothing: Verdict = { isAllowed: () => false };

/** What an origin's robots.txt allows at an instant, by what is known until then. */
function judge(known: readonly SimExchange[], origin: string, now: Instant): Verdict | 'unknown' {
  const answers = known.filter((one) => one.url === `${origin}/robots.txt`);
  // A hop of a redirect that leads here again has no meaning of its own.
  const last = answers.findLast((one) => meaning(known, one) !== 'unknown');
  // Hops may lie far apart, when the crawl was stopped between them; what is known is as old as the last one.
  if (last === undefined || elapsedAtLeast(endOfHops(known, last), now) > DAY_MS + SLACK_MS) return 'unknown';
  const verdict = meaning(known, last);
  if (verdict !== nothing) return verdict;
  // Rules known before are good for another day while robots.txt cannot be had.
  const good = answers.findLast(
    (one) => meaning(known, one) !== nothing && meaning(known, one) !== 'unknown',
  );
  const isStale = good === undefined || elapsedAtLeast(endOfHops(known, good), now) > 2 * DAY_MS + MINUTE_MS;
  if (isStale || !('status' in good.answer) || good.answer.status >= 400) return nothing;
  return meaning(known, good);
}

/** The meaning of one answer, its redirects followed (RFC 9309 2.3.1). */
function meaning(known: readonly SimExchange[], exchange: SimExchange, hops = 0): Verdict | 'unknown' {
  const { url, answer } = exchange;
  if ('fails' in answer) return nothing;
  const { status, headers, body = '' } = answer;
  if (status === 304) {
    const whole = known.findLast(
      (one) => one.url === url && 'status' in one.answer && one.answer.status === 200,
    );
    return whole === undefined ? nothing : meaning(known, whole, hops);
  }
  if (status >= 300 && status < 400) {
    if (hops >= 5 || headers?.['location'] === undefined) return everything;
    const next = nextHop(known, exchange);
    return next === undefined ? 'unknown' : meaning(known, next, hops + 1);
  }
  if (status === 429 || status >= 500) return nothing;
  return status >= 400 ? everything : parseRobots(body, 'freshet');
}

/** The answer that the redirects of an answer led to. */
function endOfHops(known: readonly SimExchange[], exchange: SimExchange, hops = 0): SimExchange {
  const next = hops < 5 ? nextHop(known, exchange) : undefined;
  return next === undefined ? exchange : endOfHops(known, next, hops + 1);
}

function nextHop(
  known: readonly SimExchange[],
  { url, answer, endedAt }: SimExchange,
): SimExchange | undefined {
  const location = 'status' in answer && answer.status < 400 ? answer.headers?.['location'] : undefined;
  if (location === undefined) return undefined;
  const target = new URL(location, url).href;
  return known.find((one) => one.url === target && one.at >= (endedAt ?? 0));
}

function isTimeForRobots(robots: readonly SimExchange[], request: SimExchange): boolean {
  const before = robots.slice(0, robots.indexOf(request)).findLast((one) => one.url === request.url);
  if (before === undefined || before.isLost || robots.some((one) => leadsTo(one, request.url))) return true;
  if (before.endedAt === null) return false;
  const { answer } = before;
  const waitedMs = elapsed({ at: before.endedAt, skewMs: before.skewMs }, request);
  if ('fails' in answer || answer.status === 429 || answer.status >= 500) {
    return waitedMs >= ROBOTS_RETRY_MS || haveRulesGoneStale(robots, before, request);
  }
  const maxAge = /max-age=(\d+)/.exec(answer.headers?.['cache-control'] ?? '')?.[1];
  return waitedMs >= Math.min(DAY_MS, maxAge === undefined ? DAY_MS : Number(maxAge) * 1000);
}

/** When the rules known before may not be used any longer, robots.txt is asked for once more, whatever its retries. */
function haveRulesGoneStale(robots: readonly SimExchange[], before: SimExchange, now: Instant): boolean {
  const good = robots.findLast(
    ({ url, at, answer }) =>
      url === before.url && at < before.at && 'status' in answer && answer.status < 400,
  );
  return good !== undefined && elapsedAtLeast(good, before) < 2 * DAY_MS && elapsed(good, now) >= 2 * DAY_MS;
}

function leadsTo({ url, answer }: SimExchange, target: string): boolean {
  const location = 'status' in answer ? answer.headers?.['location'] : undefined;
  return location !== undefined && new URL(location, url).href === target;
}

/** No page is requested before its time: not before its retry, nor its second look, nor the interval after its last look. */
function patience(sim: Sim): string[] {
  const plans = new Map<string, { at: number; dueAt: number; depth: number }[]>();
  for (const { at, outcome } of sim.outcomes) {
    if (outcome.outcome === 'DEFERRED') continue;
    const plan = { at, dueAt: earliest(outcome, sim.config.refresh), depth: outcome.record.depth };
    plans.set(outcome.record.url, [...(plans.get(outcome.record.url) ?? []), plan]);
  }
  // A change that a sitemap or feed speaks of makes a page due.
  const announced = sim.outcomes.flatMap(({ at, outcome }) =>
    outcome.links.flatMap(({ url, lastmodAt }) => (lastmodAt == null ? [] : [{ at, url }])),
  );
  return sim.web.journal.flatMap((request) => {
    const plan = plans.get(normalizeUrl(request.url) ?? '')?.findLast(({ at }) => at <= request.at);
    if (plan === undefined || request.path === '/robots.txt') return [];
    if (request.at + request.skewMs >= plan.dueAt) return [];
    const isForced =
      announced.some(
        ({ at, url }) => url === normalizeUrl(request.url) && at <= request.at && at >= plan.at,
      ) || sim.forcedAt.some((at) => at >= plan.at && at <= request.at);
    // A page at the depth limit is read again when a shorter way to it is found.
    const isNearer = plan.depth >= sim.config.scope.maxDepth;
    // The brake brings back what its host lost, and looks at it soon.
    const isBroughtBack = sim.outcomes.some(
      ({ at, outcome: { reason, record } }) =>
        reason === 'gone.held' && record.host === request.host && at >= plan.at && at <= request.at,
    );
    return isForced || isNearer || isBroughtBack
      ? []
      : [`${request.url} requested ${plan.dueAt - request.at - request.skewMs} ms before its time`];
  });
}

/** Intervals keep within their bounds, and every visit plans the next one no later than the longest (R21). */
function intervals(sim: Sim): string[] {
  const { minMs, maxMs, jitter } = sim.config.refresh;
  const longestMs = maxMs ?? Number.POSITIVE_INFINITY;
  const latestMs = Math.max(longestMs * (1 + jitter), DAY_MS);
  return sim.outcomes.flatMap(({ clockAt, outcome: { outcome, record, nextVisitAt } }) => {
    if (outcome === 'DEFERRED') return [];
    const { intervalMs, url } = record;
    const waitMs = (nextVisitAt ?? Number.POSITIVE_INFINITY) - clockAt;
    return [
      ...(intervalMs === 0 || (intervalMs >= minMs && intervalMs <= longestMs)
        ? []
        : [`${url} has an interval of ${intervalMs} ms`]),
      ...(waitMs <= latestMs ? [] : [`${url} is visited again only after ${waitMs} ms`]),
    ];
  });
}

/** What is counted is what was committed. */
function sums(sim: Sim): string[] {
  const counts = new Map<string, number>();
  const add = (name: string, amount: number): unknown => counts.set(name, (counts.get(name) ?? 0) + amount);
  for (const { outcome } of sim.outcomes) {
    add(`outcome.${outcome.outcome}`, 1);
    add('bytes', outcome.bytes);
    add('savedBytes', outcome.savedBytes);
    for (const [reason, count] of Object.entries(outcome.refused)) add(`refused ${reason}`, count);
  }
  return [...countersIn(sim.folder)].flatMap(([name, stored]) => {
    const made = counts.get(name) ?? 0;
    return made === stored ? [] : [`${stored} are counted as ${name}, and ${made} were committed`];
  });
}

/** The earliest next visit. Under `optimal` an interval may be shortened meanwhile, though never below the shortest. */
function earliest({ nextVisitAt, record }: VisitOutcome, { policy, minMs }: Config['refresh']): number {
  const { lookedAt, intervalMs } = record;
  const isPlan = lookedAt !== null && nextVisitAt === lookedAt + intervalMs;
  if (policy === 'optimal' && isPlan) return lookedAt + minMs;
  return nextVisitAt ?? Number.POSITIVE_INFINITY;
}

/** Search finds the pages that are indexed by the word only they have, and no others. */
function findability(sim: Sim): string[] {
  const wrong: string[] = [];
  const indexed = new Set(sim.indexed());
  const pagesByMark = new Map<string, Set<string>>();
  for (const [url, mark] of lastMarks(sim)) {
    const pages = pagesByMark.get(mark) ?? new Set();
    if (indexed.has(url)) pages.add(url);
    pagesByMark.set(mark, pages);
  }
  for (const [mark, pages] of pagesByMark) {
    const found = sim.hits(mark).flatMap((hit) => [hit.url, ...hit.duplicates]);
    for (const url of found)
      if (!pages.has(url)) wrong.push(`${url} is found by ${mark}, though it is not indexed with it`);
    const isMissing = [...pages].filter((url) => !found.includes(url));
    if (found.length < 20)
      wrong.push(...isMissing.map((url) => `${url} is indexed and not found by ${mark}`));
  }
  return wrong;
}

/** Which mark the content of each URL has, by the answers that were kept. */
function lastMarks(sim: Sim): Map<string, string> {
  const marks = new Map<string, string>();
  for (const { outcome } of sim.outcomes) {
    const { capture, record, document } = outcome;
    if (document.action !== 'put' || capture === null) continue;
    const mark = markIn(Buffer.from(capture.body.bytes).toString());
    if (mark !== null) marks.set(record.url, mark);
  }
  return marks;
}

function byHost(journal: readonly SimExchange[]): Map<string, SimExchange[]> {
  const hosts = new Map<string, SimExchange[]>();
  for (const request of journal) {
    const others = hosts.get(request.host);
    if (others === undefined) hosts.set(request.host, [request]);
    else others.push(request);
  }
  return hosts;
}

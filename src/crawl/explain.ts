/**
 * Every decision about one URL, as the crawler itself takes it (R51): the gate's checks in its order, robots.txt with the
 * line that decides, then what is remembered and what comes next. Pure, on what the caller has looked up.
 */
import type { HostStatus } from '../frontier/frontier.ts';
import { type ReasonCode, reasons } from '../reasons.ts';
import type { RobotsVerdict } from '../robots/policy.ts';
import type { PageRecord, RobotsRecord, UrlKind } from '../types.ts';
import { normalizeUrl } from '../url/normalize.ts';
import { admitList, type Gate, scopeRefusal } from './gate.ts';
import { type Plan, span } from './plan.ts';
import { trapOf } from './traps.ts';

export interface ExplainFacts {
  readonly rawUrl: string;
  readonly gate: Gate;
  readonly nowMs: number;
  /** Null when the URL is not known. */
  readonly record: PageRecord | null;
  /** Null: never by itself; undefined when the URL is not known. */
  readonly dueAt: number | null | undefined;
  readonly foundOn: string | null;
  /** Pages with more links than are read (`limit.links`), a few of them. */
  readonly crowdedPages: readonly string[];
  /** Were links left out because they lie too deep? */
  readonly hasDeepLinks: boolean;
  readonly isIndexed: boolean;
  /** The page with the same content that is shown in its place; null: none. */
  readonly standIn: string | null;
  readonly robots: RobotsVerdict | null;
  readonly robotsRecord: RobotsRecord | null;
  readonly host: HostStatus | null;
  /** When it is visited again and why; null while it was never looked at. */
  readonly plan: Plan | null;
}

/** One rung of the ladder. `passed: null` tells without deciding. */
export interface Step {
  readonly name: string;
  readonly passed: boolean | null;
  readonly detail: string;
}

export interface Explanation {
  readonly url: string;
  /** INDEXED, NOT INDEXED, WAITING or NOT KNOWN, with what decides. */
  readonly verdict: 'indexed' | 'not-indexed' | 'waiting' | 'unknown';
  readonly reason: ReasonCode | null;
  readonly sentence: string;
  readonly steps: readonly Step[];
  readonly record: PageRecord | null;
  readonly nextVisitAt: number | null;
  readonly plan: Plan | null;
}

export function explain(facts: ExplainFacts): Explanation {
  const { gate, rawUrl, record } = facts;
  const url = normalizeUrl(rawUrl, gate.normalize);
  if (url === null) {
    return unknownTo(rawUrl, 'scope.scheme', [
      { name: 'normalised', passed: false, detail: reasons['scope.scheme'] },
    ]);
  }
  const normalised: Step = { name: 'normalised', passed: true, detail: url === rawUrl ? 'as given' : url };
  const checks = [normalised, ...gateSteps(facts, url)];
  const steps = [...checks, ...robotsSteps(facts), ...recordSteps(facts)];
  const refusedBy = gateReason(facts, url) ?? robotsReason(facts);
  const reason = refusedBy ?? record?.reason ?? null;
  const known = { steps, record, nextVisitAt: facts.dueAt ?? null, plan: facts.plan };
  if (facts.isIndexed) return { url, verdict: 'indexed', reason, sentence: sentenceOf(reason), ...known };
  const isWaiting = refusedBy === null && record !== null && record.state === 'waiting';
  const verdict = isWaiting ? 'waiting' : record === null && refusedBy === null ? 'unknown' : 'not-indexed';
  return { url, verdict, reason, sentence: sentenceOf(reason), ...known };
}

function unknownTo(url: string, reason: ReasonCode, steps: readonly Step[]): Explanation {
  return {
    url,
    verdict: 'not-indexed',
    reason,
    sentence: reasons[reason],
    steps,
    record: null,
    nextVisitAt: null,
    plan: null,
  };
}

function sentenceOf(reason: ReasonCode | null): string {
  return reason === null ? '' : reasons[reason];
}

/** A known URL keeps the depth it was found at; for an unknown one depth is not judged. */
function gateSteps({ gate, nowMs, record }: ExplainFacts, url: string): Step[] {
  if (record !== null && record.kind !== 'page') return listSteps(gate, record.kind, url);
  const outside = scopeRefusal(gate, url, record?.depth ?? 0);
  const unsafe = gate.address(url);
  const trap = trapOf(url, gate.traps, nowMs);
  return [
    {
      name: 'scope',
      passed: outside === null,
      detail: outside === null ? 'inside' : (outside.rule ?? reasons[outside.reason]),
    },
    {
      name: 'address',
      passed: unsafe === null,
      detail:
        unsafe === null ? 'may be connected to, if its name resolves to an allowed address' : reasons[unsafe],
    },
    { name: 'traps', passed: trap === null, detail: trap === null ? 'none' : reasons[trap] },
    ...(record === null ? [] : [{ name: 'depth', passed: true, detail: String(record.depth) }]),
  ];
}

/** The rules about pages do not apply to a list. */
function listSteps(gate: Gate, kind: UrlKind, url: string): Step[] {
  const admission = admitList(gate, url);
  return [
    { name: 'kind', passed: null, detail: `a ${kind}: its entries are followed and it is not indexed` },
    {
      name: 'scope',
      passed: admission.isAdmitted,
      detail: admission.isAdmitted ? 'inside' : reasons[admission.reason],
    },
  ];
}

function gateReason({ gate, nowMs, record }: ExplainFacts, url: string): ReasonCode | null {
  if (record !== null && record.kind !== 'page') {
    const admission = admitList(gate, url);
    return admission.isAdmitted ? null : admission.reason;
  }
  const outside = scopeRefusal(gate, url, record?.depth ?? 0);
  if (outside !== null) return outside.reason;
  return gate.address(url) ?? trapOf(url, gate.traps, nowMs);
}

function robotsReason({ robots, record }: ExplainFacts): ReasonCode | null {
  // A sitemap that robots.txt names was read, whatever the rules say of its path.
  if (record?.state === 'listed') return null;
  return robots?.kind === 'disallowed' ? robots.reason : null;
}

function robotsSteps({ robots, robotsRecord }: ExplainFacts): Step[] {
  if (robots === null || robots.kind === 'unknown') {
    return [{ name: 'robots.txt', passed: null, detail: 'not fetched yet; it will be before the page' }];
  }
  const source =
    robotsRecord === null ? '' : ` (answered ${robotsRecord.status ?? robotsRecord.reason ?? 'nothing'})`;
  const rule = robots.rule === null ? 'no rule matches' : `line ${robots.rule.line}: ${robots.rule.text}`;
  const detail =
    robotsRecord?.state === 'rules' ? rule : robotsRecord?.state === 'none' ? 'no limits' : 'unreachable';
  return [{ name: 'robots.txt', passed: robots.kind === 'allowed', detail: detail + source }];
}

function recordSteps(facts: ExplainFacts): Step[] {
  const { record, foundOn, standIn, host, plan } = facts;
  if (record === null) return [{ name: 'known', passed: null, detail: whyUnknown(facts) }];
  const steps: Step[] = [
    { name: 'found on', passed: null, detail: foundOn ?? 'given as a start URL' },
    { name: 'last answer', passed: null, detail: lastAnswer(record) },
  ];
  if (standIn !== null)
    steps.push({ name: 'same as', passed: null, detail: `${standIn}, which stands for it` });
  if (record.redirectTo !== null)
    steps.push({ name: 'redirects to', passed: null, detail: record.redirectTo });
  if (record.intervalMs > 0) {
    steps.push({ name: 'history', passed: null, detail: history(record) });
    steps.push({ name: 'schedule', passed: null, detail: plan?.why ?? `every ${span(record.intervalMs)}` });
  }
  if (host !== null) {
    const delay = `${host.delayMs / 1000} s between requests`;
    const source = host.crawlDelayMs === null ? '' : `, robots.txt asks for ${host.crawlDelayMs / 1000} s`;
    steps.push({ name: 'host', passed: null, detail: `${host.host}: ${delay}${source}` });
  }
  return steps;
}

/** Most pages named, which is enough to see what kind of page it is. */
const MAX_CROWDED = 3;

function whyUnknown({ crowdedPages, hasDeepLinks }: ExplainFacts): string {
  if (crowdedPages.length === 0) {
    return hasDeepLinks
      ? 'no; no link taken so far leads to it, but links deeper than scope.depth were not taken'
      : 'no; no page crawled so far links to it';
  }
  return `no; no link read so far leads to it, but not all links were read of ${crowdedPages.slice(0, MAX_CROWDED).join(' ')}`;
}

function lastAnswer(record: PageRecord): string {
  if (record.fetchedAt === null) return 'never fetched';
  const reason = record.reason === null ? '' : ` · ${reasons[record.reason]}`;
  return `${record.status ?? 'none'}${reason}`;
}

function history({ visits, changes, unchanged }: PageRecord): string {
  return `${visits} ${visits === 1 ? 'visit' : 'visits'} of which ${changes} brought a change (${unchanged} unchanged in a row)`;
}

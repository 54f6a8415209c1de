/**
 * A visit of a key file (IndexNow). Its one request shows which key the file holds, and that decides about every submission
 * that waits for it, as the entries of a sitemap are decided about by reading it. A file that was looked at lately is not
 * asked for again.
 */
import type { Random } from '../clock.ts';
import type { CrawlRequest, FetchResult, PageRecord, VisitOutcome } from '../types.ts';
import { failureFinding, lost, statusFinding } from './findings.ts';
import { type Finding, settle } from './lifecycle.ts';
import type { VisitPolicy } from './policy.ts';
import {
  keyHash,
  keyIn,
  keyStanding,
  locationOf,
  pushedLinks,
  type Submission,
  type SubmissionSource,
} from './push.ts';
import type { QueryVariants } from './variants.ts';
import { deferred, hostEffect, type RobotsVisitParts, visitRobots } from './visit-robots.ts';

export interface KeyVisitParts extends RobotsVisitParts {
  readonly submissions: SubmissionSource;
  readonly policy: VisitPolicy;
  readonly variants: QueryVariants;
  readonly random: Random;
}

/** A key has 128 characters at most; the rest is room for white space. */
const MAX_BODY_BYTES = 1_024;

/** Visits a key file, and decides about the submissions that name it. */
export async function visitKey(
  request: CrawlRequest,
  parts: KeyVisitParts,
  signal: AbortSignal,
): Promise<VisitOutcome> {
  const { record } = request;
  const waiting = parts.submissions.waiting(record.url);
  if (isSettled(record, waiting, parts.clock.now())) {
    const kept: VisitOutcome = { ...deferred(request), outcome: 'NOT_MODIFIED', reason: record.reason };
    return decided(kept, waiting, parts);
  }
  const url = locationOf(record.url);
  const verdict = parts.robots.verdict(url, parts.clock.now());
  if (verdict.kind === 'unknown') return visitRobots(request, verdict.fetchUrl, parts, signal);
  if (verdict.kind === 'disallowed') {
    return concluded(request, null, lost('BLOCKED', verdict.reason, null), waiting, parts);
  }
  const result = await parts.downloader.fetch({ url, accept: '*/*', maxBodyBytes: MAX_BODY_BYTES }, signal);
  return concluded(request, result, findingOf(result, parts.clock.now()), waiting, parts);
}

/** Is everything that waits answered by what is remembered of the file? One submission that it confirms speaks for it. */
function isSettled(record: PageRecord, waiting: readonly Submission[], nowMs: number): boolean {
  const standings = waiting.map(({ key }) => keyStanding(record, key, nowMs));
  return standings.includes('confirmed') || standings.every((standing) => standing === 'denied');
}

function findingOf(result: FetchResult, nowMs: number): Finding {
  switch (result.kind) {
    case 'ok': {
      const { status } = result.head;
      const key = keyIn(result.body.bytes);
      if (key === null) return lost('BLOCKED', 'push.key', status);
      const contentHash = keyHash(key);
      return { kind: 'content', status, contentHash, extractorVersion: 0, etag: null, lastModified: null };
    }
    case 'http-error':
      return statusFinding(result, nowMs);
    case 'failed':
      return failureFinding(result);
    // The file itself has to hold the key: who can redirect a URL need not be the owner of what it leads to.
    case 'redirect':
    case 'not-modified':
      return lost('BLOCKED', 'push.key', result.head.status);
  }
}

function concluded(
  request: CrawlRequest,
  result: FetchResult | null,
  finding: Finding,
  waiting: readonly Submission[],
  parts: KeyVisitParts,
): VisitOutcome {
  // What was found before says nothing about now: a key that is gone is gone at once.
  const before: CrawlRequest = { ...request, record: { ...request.record, contentHash: null } };
  const settled = settle(before, finding, parts.policy, parts.clock.now(), parts.random);
  const outcome: VisitOutcome = {
    ...deferred(request),
    outcome: settled.outcome,
    reason: settled.record.reason,
    record: settled.record,
    nextVisitAt: settled.nextVisitAt,
    bytes: result?.head?.wireBytes ?? 0,
    head: result?.head ?? null,
    ...(result === null ? {} : { hostEffect: hostEffect(request.record, result, settled.restUntil) }),
  };
  // It will be tried again; until then the submissions wait.
  return settled.record.state === 'waiting' ? outcome : decided(outcome, waiting, parts);
}

/** Decides about what waits. The file is not visited again before something is submitted again. */
function decided(
  outcome: VisitOutcome,
  waiting: readonly Submission[],
  { gate, variants, clock }: KeyVisitParts,
): VisitOutcome {
  return {
    ...outcome,
    ...pushedLinks(outcome.record, waiting, gate, variants, clock.now()),
    nextVisitAt: null,
    submissions: waiting.map(({ id }) => id),
  };
}

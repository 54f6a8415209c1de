/**
 * One URL's way, from loan to outcome. A visit makes at most one request: for robots.txt when it is not known (the page
 * then keeps its place in the frontier), otherwise for the page. Everything it wants changed is in the VisitOutcome;
 * nothing is written here.
 */
import { hash } from 'node:crypto';
import type { Clock, Random } from '../clock.ts';
import type { Downloader, FetchRequest } from '../fetch/downloader.ts';
import { headerValue, headerValues } from '../fetch/headers.ts';
import type { Frontier } from '../frontier/frontier.ts';
import { EXTRACTOR_VERSION, isParsableType } from '../parse/page.ts';
import { MAX_SITEMAP_BYTES, parseSitemap } from '../parse/sitemap.ts';
import type { ReasonCode } from '../reasons.ts';
import type { RobotsVerdict } from '../robots/policy.ts';
import type { RobotsSource } from '../robots/robots-source.ts';
import type { SearchIndex } from '../search/search-index.ts';
import type { CrawlRequest, FetchResult, PageRecord, VisitOutcome } from '../types.ts';
import { normalizeUrl } from '../url/normalize.ts';
import { failureFinding, lost, statusFinding } from './findings.ts';
import { type AdmitLink, admit, admitList, type Gate, scopeRefusal } from './gate.ts';
import { isLogin } from './impostor.ts';
import { type Finding, goodState, type Settlement, settle } from './lifecycle.ts';
import { type FollowedLinks, followedLinks } from './links.ts';
import { isList, isNamedAsList, listedLinks } from './lists.ts';
import type { VisitPolicy } from './policy.ts';
import type { SubmissionSource } from './push.ts';
import type { Reader, Reading } from './reader.ts';
import type { SeenBodies } from './seen-bodies.ts';
import type { QueryVariants } from './variants.ts';
import { visitKey } from './visit-key.ts';
import { impostorIn, pageFinding, validators } from './visit-page.ts';
import { deferred, hostEffect, visitRobots } from './visit-robots.ts';

/** What a visit needs of the world. */
export interface VisitParts {
  readonly downloader: Downloader;
  readonly reader: Reader;
  readonly frontier: Pick<Frontier, 'takeTurn' | 'find'>;
  readonly robots: RobotsSource;
  readonly gate: Gate;
  /** Judges the links of pages by the gate. */
  readonly admitLink: AdmitLink;
  readonly policy: VisitPolicy;
  readonly seenBodies: SeenBodies;
  /** Tells good copies from what may have taken their place. */
  readonly index: Pick<SearchIndex, 'document' | 'isElsewhere'>;
  readonly variants: QueryVariants;
  readonly submissions: SubmissionSource;
  readonly clock: Clock;
  readonly random: Random;
}

type Answer<K extends FetchResult['kind']> = Extract<FetchResult, { kind: K }>;

/** Visits one URL. Rejects only on a bug or when our own disk fails. */
export async function visit(
  request: CrawlRequest,
  parts: VisitParts,
  signal: AbortSignal,
): Promise<VisitOutcome> {
  const { record } = request;
  if (record.kind === 'key') return visitKey(request, parts, signal);
  const outside = outOfScope(record, parts.gate);
  if (outside !== null) return conclude(request, null, lost('BLOCKED', outside, record.status), parts);
  const verdict = parts.robots.verdict(record.url, parts.clock.now());
  if (verdict.kind === 'unknown') return visitRobots(request, verdict.fetchUrl, parts, signal);
  if (verdict.kind === 'disallowed' && !isNamed(record, verdict, parts)) {
    return turnedAway(request, verdict, parts);
  }

  const result = await parts.downloader.fetch(requestFor(record), signal);
  switch (result.kind) {
    case 'ok':
      return record.kind === 'page' ? judgePage(request, result, parts) : judgeList(request, result, parts);
    case 'not-modified':
      return conclude(request, result, { kind: 'unchanged', ...validators(result.head.headers) }, parts);
    case 'redirect':
      return judgeRedirect(request, result, parts);
    case 'http-error':
      return conclude(request, result, statusFinding(result, parts.clock.now()), parts);
    case 'failed':
      return conclude(request, result, failureFinding(result), parts);
  }
}

/**
 * Why a known URL is not ours to ask for any more: the configuration has changed since it was found. Its depth does not count,
 * for one run may be told to go less deep.
 */
function outOfScope({ kind, url }: PageRecord, gate: Gate): ReasonCode | null {
  if (kind === 'page') return scopeRefusal(gate, url, 0)?.reason ?? null;
  const admission = admitList(gate, url);
  return admission.isAdmitted ? null : admission.reason;
}

/** XML, JSON and text, whatever they are called. */
const LIST_TYPES = 'application/xml, text/xml, application/rss+xml, application/atom+xml, */*;q=0.5';

/** The request for a URL: conditional only while what the validators stand for is held, indexed or read as a list (R19). */
function requestFor(record: PageRecord): FetchRequest {
  const { etag, lastModified } = record;
  const isCurrent = record.contentHash !== null && record.extractorVersion === EXTRACTOR_VERSION;
  return {
    url: record.requestUrl ?? record.url,
    ...(isCurrent ? { etag, lastModified } : {}),
    ...(record.kind === 'page' ? {} : { accept: LIST_TYPES, maxBodyBytes: MAX_SITEMAP_BYTES }),
  };
}

/** A sitemap that robots.txt of its own origin names is meant to be read, whatever the rules say of its path. */
function isNamed(
  { kind, url }: PageRecord,
  { reason }: Extract<RobotsVerdict, { kind: 'disallowed' }>,
  { robots, gate }: VisitParts,
): boolean {
  if (kind !== 'sitemap' || reason !== 'robots.disallow') return false;
  return robots.sitemaps(new URL(url).origin).some((named) => normalizeUrl(named, gate.normalize) === url);
}

/** robots.txt says no, or cannot be had: nothing is requested, and the host is owed no rest. */
function turnedAway(
  request: CrawlRequest,
  verdict: Extract<RobotsVerdict, { kind: 'disallowed' }>,
  parts: VisitParts,
): VisitOutcome {
  const { record } = request;
  const { reason } = verdict;
  if (reason === 'robots.disallow')
    return conclude(request, null, lost('BLOCKED', reason, record.status), parts);
  // A robots.txt that cannot be had says nothing about the page, so a good document stays.
  return {
    ...deferred(request),
    outcome: 'BLOCKED',
    reason,
    record: { ...record, state: record.contentHash === null ? 'blocked' : goodState(record), reason },
    nextVisitAt: verdict.retryAt,
  };
}

/** A page with a body: what is in it, may it be indexed, which of its links are followed. */
async function judgePage(
  request: CrawlRequest,
  result: Answer<'ok'>,
  parts: VisitParts,
): Promise<VisitOutcome> {
  const { record } = request;
  const { head, body } = result;
  const contentType = headerValue(head.headers, 'content-type');
  if (!isParsableType(contentType, body.bytes)) {
    return conclude(request, result, lost('BLOCKED', 'content.type', head.status), parts);
  }
  const reading = await parts.reader.read({
    bytes: body.bytes,
    head: {
      url: record.url,
      contentType,
      robotsHeaders: headerValues(head.headers, 'x-robots-tag'),
      receivedAt: parts.clock.now(),
    },
    productToken: parts.policy.productToken,
    knownHash: record.contentHash,
  });
  const { page, bodyHash } = reading;
  const impostor = await impostorIn(page, record, parts.index);
  const finding = pageFinding(page, impostor, head);
  if (impostor !== null && impostor !== 'content.shrunk') return conclude(request, result, finding, parts);
  const isTrap = !parts.seenBodies.note(record.host, bodyHash, record.id);
  const followed = isTrap ? nothingFollowed : followedLinks(page, record, parts, parts.clock.now());
  return conclude(request, result, finding, parts, { reading, followed });
}

/** A sitemap or feed: its entries are followed and nothing is indexed. One that turns out to be a page is a page from now on. */
async function judgeList(
  request: CrawlRequest,
  result: Answer<'ok'>,
  parts: VisitParts,
): Promise<VisitOutcome> {
  const { record } = request;
  const { head, body } = result;
  const contentType = headerValue(head.headers, 'content-type');
  const list = parseSitemap(body.bytes, record.url, contentType);
  if (isList(list)) {
    const followed = listedLinks(list, record, parts.gate, parts.variants, parts.clock.now());
    const finding: Finding = {
      kind: 'content',
      status: head.status,
      ...validators(head.headers),
      contentHash: hash('sha256', body.bytes, 'hex'),
      extractorVersion: EXTRACTOR_VERSION,
    };
    return conclude(request, result, finding, parts, { followed });
  }
  if (isNamedAsList(record.url) || !isParsableType(contentType, body.bytes)) {
    return conclude(request, result, lost('BLOCKED', 'content.parse', head.status), parts);
  }
  const page: PageRecord = { ...record, kind: 'page', contentHash: null };
  return { ...(await judgePage({ ...request, record: page }, result, parts)), request };
}

/**
 * The target of a redirect becomes a URL of its own at the same depth, so scope, address, robots and politeness of its host
 * are asked as for any other (R16), and a target that is also linked is fetched once.
 */
async function judgeRedirect(
  request: CrawlRequest,
  result: Answer<'redirect'>,
  parts: VisitParts,
): Promise<VisitOutcome> {
  const { record } = request;
  const { status } = result.head;
  const refuse = (reason: ReasonCode, url: string): VisitOutcome => {
    const finding: Finding = {
      kind: 'lost',
      outcome: 'REDIRECTED',
      reason,
      status,
      redirectTo: url,
      isCertain: false,
    };
    return conclude(request, result, finding, parts, {
      followed: { ...nothingFollowed, ...refusedOnce(url, reason) },
    });
  };
  if (result.location === null) return refuse('redirect.invalid', record.url);
  const admission =
    record.kind === 'page'
      ? admit(parts.gate, result.location, record.depth, parts.clock.now())
      : admitList(parts.gate, result.location);
  if (!admission.isAdmitted) {
    return refuse(
      admission.reason.startsWith('safety.') ? admission.reason : 'redirect.scope',
      admission.url,
    );
  }
  const target = admission.url;
  if (target === record.url)
    return respelled(request, result, result.location, parts) ?? refuse('redirect.loop', target);
  if (record.redirects >= parts.policy.maxRedirects) return refuse('redirect.limit', target);
  if (await leadsBack(record, target, parts)) return refuse('redirect.loop', target);
  const link = {
    url: target,
    kind: record.kind,
    depth: record.depth,
    priority: record.priority,
    redirects: record.redirects + 1,
    referrerId: record.id,
  };
  const finding: Finding = {
    kind: 'lost',
    outcome: 'REDIRECTED',
    reason: isLogin(target) && !isLogin(record.url) ? 'content.login' : null,
    status,
    redirectTo: target,
    isCertain: false,
  };
  return conclude(request, result, finding, parts, { followed: { ...nothingFollowed, links: [link] } });
}

/** The server insists on another spelling of the same key (say, another order of the query): ask once more, that way. */
function respelled(
  request: CrawlRequest,
  result: Answer<'redirect'>,
  location: string,
  parts: VisitParts,
): VisitOutcome | null {
  const { record } = request;
  if (record.requestUrl !== null || location === record.url) return null;
  return {
    ...deferred(request),
    outcome: 'REDIRECTED',
    reason: null,
    record: { ...record, requestUrl: location },
    nextVisitAt: parts.clock.now(),
    bytes: result.head.wireBytes,
    head: result.head,
    hostEffect: hostEffect(record, result, null),
  };
}

/** Does the chain of redirects known from `target` on end where we are? */
async function leadsBack(record: PageRecord, target: string, parts: VisitParts): Promise<boolean> {
  let next: string | null = target;
  for (let hops = 0; next !== null && hops <= parts.policy.maxRedirects; hops++) {
    const known: PageRecord | null = await parts.frontier.find(next);
    next = known?.state === 'redirected' ? known.redirectTo : null;
    if (next === record.url) return true;
  }
  return false;
}

interface Details {
  readonly reading?: Reading;
  readonly followed?: FollowedLinks;
}

const nothingFollowed: FollowedLinks = { links: [], refused: {}, refusedSamples: [] };

function refusedOnce(url: string, reason: ReasonCode): Partial<FollowedLinks> {
  return { refused: { [reason]: 1 }, refusedSamples: [{ url, reason }] };
}

/** Puts together everything a visit wants changed. */
function conclude(
  request: CrawlRequest,
  result: FetchResult | null,
  finding: Finding,
  parts: VisitParts,
  details: Details = {},
): VisitOutcome {
  const { record } = request;
  const nowMs = parts.clock.now();
  const settled = settle(request, finding, parts.policy, nowMs, parts.random);
  // The links of a page are followed when its content is believed.
  const isDoubted = finding.kind === 'doubted' && settled.document === 'keep';
  const known = isDoubted ? undefined : details.followed;
  const followed = known ?? nothingFollowed;
  // As 429 does, a check for robots speaks of the client: its host is asked more rarely.
  const isTurnedAway = settled.record.reason === 'content.blocked';
  const isPut = settled.document === 'put' && details.reading !== undefined && result?.kind === 'ok';
  return {
    request,
    outcome: settled.outcome,
    reason: finding.kind === 'doubted' ? finding.reason : settled.record.reason,
    record: afterAnswer(record, settled.record, result),
    nextVisitAt: settled.nextVisitAt,
    notBefore: null,
    links: followed.links,
    refused: followed.refused,
    refusedSamples: followed.refusedSamples,
    // A list is no page that links: what it names is no further from the start for it, and no better known.
    replacesLinks: record.kind === 'page' && (known !== undefined || settled.document === 'remove'),
    document: documentAction(settled, details.reading, parts, nowMs),
    capture:
      isPut && details.reading !== undefined
        ? {
            at: nowMs,
            head: result.head,
            body: result.body,
            bodyHash: details.reading.bodyHash,
            encoding: details.reading.page.encoding,
          }
        : null,
    robots: null,
    hostEffect:
      result === null
        ? deferred(request).hostEffect
        : { ...hostEffect(record, result, settled.restUntil), ...(isTurnedAway ? { healthy: false } : {}) },
    bytes: result?.head?.wireBytes ?? 0,
    head: result?.head ?? null,
    savedBytes: result?.kind === 'not-modified' ? record.bodyBytes : 0,
  };
}

/** What the answer itself adds to a record: when there was one at all, and how large a body a 304 saves from now on. */
function afterAnswer(before: PageRecord, settled: PageRecord, result: FetchResult | null): PageRecord {
  if (result === null) return { ...settled, fetchedAt: before.fetchedAt };
  return result.kind === 'ok' ? { ...settled, bodyBytes: result.head.wireBytes } : settled;
}

function documentAction(
  settled: Settlement,
  reading: Reading | undefined,
  parts: VisitParts,
  nowMs: number,
): VisitOutcome['document'] {
  if (settled.document === 'remove' || settled.record.kind !== 'page') return { action: 'remove' };
  if (settled.outcome === 'NOT_MODIFIED') return { action: 'verify', fetchedAt: nowMs };
  if (settled.document === 'keep' || reading === undefined) return { action: 'keep' };
  const { page, tokens } = reading;
  const canonical =
    page.canonical === null ? null : admit(parts.gate, page.canonical, settled.record.depth, nowMs);
  return {
    action: 'put',
    document: {
      title: page.title,
      headings: page.headings,
      text: page.text,
      description: page.description,
      language: page.language,
      contentHash: page.contentHash,
      canonical: canonical?.isAdmitted && canonical.url !== page.url ? canonical.url : null,
      fetchedAt: nowMs,
      hasSnapshot: page.robots.archive,
      hasSnippet: page.robots.snippet,
      ...(tokens === null ? {} : { tokens }),
    },
  };
}

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FetchResult, HeaderList, RobotsRecord } from '../types.ts';
import {
  DEFAULT_ROBOTS_POLICY as policy,
  type RobotsVerdict,
  robotsAfter,
  robotsUrl,
  robotsValidators,
  robotsVerdict,
} from './policy.ts';
import { RobotsRulesCache } from './rules-cache.ts';

const HOUR = 3_600_000;
const T0 = Date.UTC(2026, 5, 1);
const ORIGIN = 'http://a.test';
const RESTRICTED = 'User-agent: *\nDisallow: /restricted/\n';

type Answer = (url: string, nowMs: number) => FetchResult;

function head(status: number, headers: HeaderList = []) {
  return { url: '', status, headers, remoteAddress: null, startedAt: 0, durationMs: 1, wireBytes: 0 };
}
function ok(body: string | Uint8Array, headers: HeaderList = []): FetchResult {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { kind: 'ok', head: head(200, headers), body: { bytes, received: null } };
}
function status(code: number, body = '', headers: HeaderList = []): FetchResult {
  return {
    kind: 'http-error',
    head: head(code, headers),
    body: { bytes: Buffer.from(body), received: null },
  };
}
function redirect(location: string | null, code = 301): FetchResult {
  return { kind: 'redirect', head: head(code), location };
}
function failed(
  reason: 'net.connect' | 'net.truncated' | 'net.timeout' | 'safety.private' | 'net.tls',
): FetchResult {
  return { kind: 'failed', reason, detail: '', head: null, startedAt: 0, wasSent: true };
}
const NOT_MODIFIED: FetchResult = { kind: 'not-modified', head: head(304) };

/** An origin whose robots.txt is asked for when, and only when, a verdict needs it. */
class Site {
  record: RobotsRecord | null = null;
  readonly requests: string[] = [];
  readonly #rules = new RobotsRulesCache('Freshet');
  answer: Answer;

  constructor(answer: Answer | FetchResult) {
    this.answer = typeof answer === 'function' ? answer : () => answer;
  }
  verdict(path: string, nowMs = T0): RobotsVerdict {
    for (;;) {
      const verdict = robotsVerdict(this.record, ORIGIN + path, this.#rules, nowMs);
      if (verdict.kind !== 'unknown') return verdict;
      this.requests.push(verdict.fetchUrl);
      const result = this.answer(verdict.fetchUrl, nowMs);
      this.record = robotsAfter(this.record, ORIGIN, verdict.fetchUrl, result, nowMs);
    }
  }
  allows(path: string, nowMs = T0): boolean {
    return this.verdict(path, nowMs).kind === 'allowed';
  }
}

interface FetchCase {
  readonly id: string;
  readonly name: string;
  readonly server: Record<string, Step>;
  readonly expect: Record<string, string | number>;
}
interface Step {
  readonly status?: number;
  readonly body?: string;
  readonly body_hex?: string;
  readonly body_gzip?: string;
  readonly body_repeat?: readonly (string | number)[];
  readonly net?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
const cases: { fetch: readonly FetchCase[] } = JSON.parse(
  readFileSync('test/fixtures/cases/robots.json', 'utf8'),
);

/** What the downloader makes of an answer described in a case. */
function resultOf(step: Step): FetchResult {
  if (step.net === 'refused') return failed('net.connect');
  if (step.net !== undefined) return failed('net.truncated');
  const headers = Object.entries(step.headers ?? {});
  const code = step.status ?? 200;
  if (code >= 400) return status(code, step.body, headers);
  if (code >= 300) return redirect(step.headers?.Location ?? null, code);
  if (step.body_hex !== undefined) return ok(Buffer.from(step.body_hex, 'hex'));
  const parts = step.body_repeat ?? [step.body ?? step.body_gzip ?? '', 1];
  return ok(
    parts.map((part, i) => (typeof part === 'string' ? part.repeat(Number(parts[i + 1])) : '')).join(''),
    headers,
  );
}

// Told as scenarios of their own below: a loop, concurrency (the claims of robots/cache), time.
const APART = new Set(['robots-fetch-18', 'robots-fetch-26', 'robots-fetch-28', 'robots-fetch-32']);

describe('conformance cases', () => {
  test.each(cases.fetch.filter((item) => !APART.has(item.id)))('$id $name', (item) => {
    const site = new Site((url) => resultOf(item.server[new URL(url).pathname] ?? { status: 404 }));
    for (const [path, wanted] of Object.entries(item.expect)) {
      if (wanted === 'fetch') expect(site.allows(path)).toBe(true);
      if (wanted === 'skip') expect(site.allows(path)).toBe(false);
      if (path === 'retry_robots_after_s_at_least') {
        expect(site.record?.expiresAt).toBeGreaterThanOrEqual(T0 + Number(wanted) * 1000);
      }
    }
  });
  test('robots-fetch-18 a redirect loop ends after six requests', () => {
    const site = new Site(redirect('/robots.txt'));
    expect(site.allows('/x')).toBe(true);
    expect(site.requests).toHaveLength(6);
    expect(site.record).toMatchObject({ state: 'none', reason: 'redirect.limit' });
  });
  test.each(['robots-fetch-28', 'robots-fetch-32'])(
    '%s rules are renewed after a day, and the newest win',
    () => {
      const site = new Site((_url, now) =>
        ok(now < T0 + 24 * HOUR ? RESTRICTED : 'User-agent: *\nDisallow: /'),
      );
      expect(site.allows('/index.html')).toBe(true);
      expect(site.allows('/index.html', T0 + 24 * HOUR - 1)).toBe(true);
      expect(site.requests).toHaveLength(1);
      expect(site.allows('/index.html', T0 + 25 * HOUR)).toBe(false);
    },
  );
});

describe('redirects', () => {
  const hops = (last: string) => (url: string) => {
    const next = Number(/\/r(\d)$/.exec(url)?.[1] ?? 0) + 1;
    return url.endsWith(last) ? ok('User-agent: *\nDisallow: /x') : redirect(`/r${next}`);
  };
  test('bug-006 five hops are followed, with six the file is unavailable', () => {
    expect(new Site(hops('/r5')).allows('/x')).toBe(false);
    expect(new Site(hops('/r6')).allows('/x')).toBe(true);
  });
  test('bug-003, bug-004 rules behind a redirect to another host apply to the first, and are kept', () => {
    const site = new Site((url) =>
      url.startsWith(ORIGIN) ? redirect('http://b.test/x/robots.txt') : ok(RESTRICTED),
    );
    for (let i = 0; i < 10; i++) expect(site.allows('/restricted/x')).toBe(false);
    expect(site.requests).toEqual([robotsUrl(ORIGIN), 'http://b.test/x/robots.txt']);
    expect(site.record).toMatchObject({ origin: ORIGIN, state: 'rules', hops: 1 });
  });
  test('bug-013 a 404 behind a redirect means no limits', () => {
    const site = new Site((url) =>
      url.startsWith(ORIGIN) ? redirect('http://b.test/robots.txt') : status(404),
    );
    expect(site.allows('/x')).toBe(true);
    expect(site.requests).toHaveLength(2);
  });
  test.each([null, 'ftp://a.test/robots.txt', 'http://[bad', 'javascript:1'])(
    'to %j is no redirect to follow',
    (location) => {
      const site = new Site((url) =>
        url === robotsUrl(ORIGIN) && location !== '' ? redirect(location) : status(404),
      );
      expect(site.allows('/x')).toBe(true);
      expect(site.requests).toHaveLength(1);
    },
  );
  test('a hop that cannot be had makes the origin unreachable, or leaves it with the rules it had', () => {
    const broken: Answer = (url) => (url === robotsUrl(ORIGIN) ? redirect('/new') : status(503));
    expect(new Site(broken).verdict('/')).toMatchObject({ kind: 'disallowed', reason: 'robots.unreachable' });

    const site = new Site(ok(RESTRICTED));
    site.allows('/');
    site.answer = broken;
    expect(site.allows('/', T0 + 25 * HOUR)).toBe(true);
    expect(site.allows('/restricted/', T0 + 25 * HOUR)).toBe(false);
  });
  test('failures behind a redirect are retried less and less often', () => {
    const site = new Site((url) => (url === robotsUrl(ORIGIN) ? redirect('/new') : failed('net.timeout')));
    let now = T0;
    for (let i = 0; i < 4; i++) {
      site.verdict('/', now);
      now = site.record?.expiresAt ?? 0;
    }
    expect(now - T0).toBe((1 + 2 + 4 + 8) * policy.retryMs);
  });
});

describe('unreachable', () => {
  test.each([
    failed('net.timeout'),
    failed('net.tls'),
    failed('net.connect'),
    status(500),
    status(429),
    status(999),
  ])('everything is disallowed after $reason $head.status', (result) => {
    const verdict = new Site(result).verdict('/');
    expect(verdict).toMatchObject({
      kind: 'disallowed',
      reason: 'robots.unreachable',
      retryAt: T0 + policy.retryMs,
    });
  });
  test('an address that is refused is the reason given', () => {
    expect(new Site(failed('safety.private')).verdict('/')).toMatchObject({ reason: 'safety.private' });
  });
  test('retries grow to an hour; Retry-After counts when longer, up to a day', () => {
    const site = new Site(status(503));
    const waits: number[] = [];
    for (let now = T0, i = 0; i < 9; i++) {
      site.verdict('/', now);
      waits.push((site.record?.expiresAt ?? 0) - now);
      now = site.record?.expiresAt ?? 0;
    }
    expect(waits.map((ms) => ms / 60_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    const asked = (seconds: string) => {
      const asking = new Site(status(503, '', [['Retry-After', seconds]]));
      asking.verdict('/');
      return (asking.record?.expiresAt ?? 0) - T0;
    };
    expect(asked('7200')).toBe(2 * HOUR);
    expect(asked('1')).toBe(policy.retryMs);
    expect(asked('999999999')).toBe(24 * HOUR);
  });
  test('rules are used until two days after the server last confirmed them, then nothing is allowed', () => {
    const site = new Site(ok(RESTRICTED));
    site.allows('/');
    site.answer = () => status(500);
    expect(site.verdict('/', T0 + 30 * HOUR)).toMatchObject({ kind: 'allowed' });
    expect(site.record).toMatchObject({ state: 'rules', reason: 'http.5xx', failures: 1, confirmedAt: T0 });
    expect(site.allows('/restricted/', T0 + 30 * HOUR)).toBe(false);
    expect(site.allows('/', T0 + 48 * HOUR - 1)).toBe(true);
    // The last retry may not carry the rules over their limit.
    expect(site.allows('/', T0 + 48 * HOUR)).toBe(false);
    site.answer = () => ok('');
    expect(site.allows('/', T0 + 50 * HOUR)).toBe(true);
    expect(site.record).toMatchObject({ failures: 0, reason: null });
  });
});

describe('freshness', () => {
  test.each([
    ['max-age=600', 600_000],
    ['public, MAX-AGE="7200", immutable', 2 * HOUR],
    ['max-age=0', policy.minFreshMs],
    ['max-age=31536000', 24 * HOUR],
    ['s-maxage=60', 24 * HOUR],
    ['no-transform', 24 * HOUR],
  ])('%s', (value, expected) => {
    const site = new Site(ok('', [['cache-control', value]]));
    site.verdict('/');
    expect(site.record?.expiresAt).toBe(T0 + expected);
  });
  test('304 keeps the rules and confirms them', () => {
    const site = new Site(
      ok(RESTRICTED, [
        ['ETag', '"1"'],
        ['Last-Modified', 'then'],
      ]),
    );
    site.verdict('/');
    expect(robotsValidators(site.record, robotsUrl(ORIGIN))).toEqual({ etag: '"1"', lastModified: 'then' });
    site.answer = () => NOT_MODIFIED;
    expect(site.allows('/restricted/', T0 + 25 * HOUR)).toBe(false);
    expect(site.record).toMatchObject({
      state: 'rules',
      confirmedAt: T0 + 25 * HOUR,
      expiresAt: T0 + 49 * HOUR,
    });
    expect(robotsValidators(site.record, robotsUrl(ORIGIN)).etag).toBe('"1"');
  });
  test('304 without rules at hand is no answer', () => {
    expect(new Site(NOT_MODIFIED).verdict('/')).toMatchObject({ reason: 'robots.unreachable' });
  });
  test('validators stay with the URL they came from', () => {
    const none = { etag: null, lastModified: null };
    const site = new Site((url) => (url === robotsUrl(ORIGIN) ? redirect('/r') : ok('', [['ETag', '"1"']])));
    site.verdict('/');
    expect(robotsValidators(site.record, robotsUrl(ORIGIN))).toEqual(none);
    expect(robotsValidators(null, robotsUrl(ORIGIN))).toEqual(none);
  });
});

test('whatever the answers, a verdict takes at most six requests and never outlives a day', () => {
  const answer = fc.oneof(
    fc.constantFrom(
      ok(RESTRICTED),
      ok(''),
      NOT_MODIFIED,
      failed('net.timeout'),
      redirect('/r'),
      redirect(null),
    ),
    fc.integer({ min: 400, max: 999 }).map((code) => status(code)),
  );
  fc.assert(
    fc.property(fc.array(answer, { minLength: 1 }), fc.array(fc.nat(100 * HOUR)), (answers, times) => {
      let asked = 0;
      const site = new Site(() => answers[asked++ % answers.length] as FetchResult);
      let now = T0;
      for (const step of times) {
        now += step;
        const before = asked;
        site.verdict('/', now);
        expect(asked - before).toBeLessThanOrEqual(6);
        expect(site.record?.expiresAt).toBeGreaterThan(now);
        expect(site.record?.expiresAt).toBeLessThanOrEqual(now + 24 * HOUR);
      }
    }),
  );
});

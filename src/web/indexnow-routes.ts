/**
 * The IndexNow receiver: writes down what is submitted, for the crawler to check (crawl/visit-key.ts). Nothing is fetched
 * here, and only submissions for hosts that are crawled are kept.
 */
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { keyStanding } from '../crawl/push.ts';
import { queueKey } from '../url/site.ts';
import type { ApiProblem } from './api.ts';
import { type Reading, readParameters, readSubmission } from './indexnow.ts';
import { RateLimit } from './rate-limit.ts';
import type { Web } from './respond.tsx';

export const INDEXNOW_PATH = '/indexnow';

/** 10,000 URLs of four hundred characters. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Each submission is a commit beside the crawler's own, which then reads again what it had in memory. */
const MOST_A_MINUTE = 300;
/** Reading 4 MB of the worst JSON takes half a second, in which nobody is answered; 600 URLs are no large body. */
const LARGE_CHARACTERS = 256 * 1024;
const MOST_LARGE = 20;
/** With a key that its file has been seen to hold. A site may push each page as it is saved. */
const MOST_OF_A_KEY = 60;
/** Without, for each host and hour: so many key files strangers can have us ask for. */
const MOST_UNPROVEN = 10;
/** The store is held by a long commit. */
const BUSY_MS = 1_000;

export function addIndexNowRoutes(app: Hono, web: Web): void {
  const all = new RateLimit(MOST_A_MINUTE, MINUTE_MS);
  const large = new RateLimit(MOST_LARGE, MINUTE_MS);
  const proven = new RateLimit(MOST_OF_A_KEY, MINUTE_MS);
  const unproven = new RateLimit(MOST_UNPROVEN, HOUR_MS);

  app.use(INDEXNOW_PATH, async (context, next) => {
    const waitMs = all.take('', web.clock.now());
    return waitMs > 0 ? tooMany(context, waitMs) : next();
  });
  app.get(INDEXNOW_PATH, (context) => {
    const parameter = (name: string): string | undefined => context.req.query(name);
    return take(context, readParameters(parameter('url'), parameter('key'), parameter('keyLocation')));
  });
  app.post(
    INDEXNOW_PATH,
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: (context) => problem(context, 413, 'The body is larger than 4 MiB.'),
    }),
    async (context) => {
      const text = isJson(context) ? await context.req.text() : '';
      const waitMs = text.length > LARGE_CHARACTERS ? large.take('', web.clock.now()) : 0;
      return waitMs > 0 ? tooMany(context, waitMs) : take(context, readSubmission(parsed(text)));
    },
  );

  function take(context: Context, reading: Reading): Response {
    if (!reading.isWellFormed) return problem(context, reading.status, reading.detail);
    const { submission } = reading;
    const { keyFile, key } = submission;
    const host = queueKey(keyFile);
    if (!web.inbox.isCrawled(host)) return problem(context, 422, 'The host is none of those crawled here.');
    const nowMs = web.clock.now();
    const standing = keyStanding(web.inbox.check(keyFile), key, nowMs);
    if (standing === 'denied')
      return problem(context, 403, 'The key file was looked at and does not hold the key.');
    const waitMs = standing === 'unknown' ? unproven.take(host, nowMs) : proven.take(keyFile + key, nowMs);
    if (waitMs > 0) return tooMany(context, waitMs);
    if (!web.inbox.put(submission, nowMs)) {
      return problem(context, 503, 'Busy. Try again in a moment.', BUSY_MS);
    }
    return context.body(null, standing === 'confirmed' ? 200 : 202);
  }
}

/** Does the request say so? A page of another site can send no such request without asking first. */
function isJson(context: Context): boolean {
  return /^application\/json\s*(?:;|$)/i.test(context.req.header('content-type') ?? '');
}

/** Undefined when it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function tooMany(context: Context, waitMs: number): Response {
  return problem(context, 429, 'Too many submissions.', waitMs);
}

const titles = {
  400: 'Bad request',
  403: 'Key not valid',
  413: 'Too large',
  422: 'Unprocessable',
  429: 'Too many requests',
  503: 'Busy',
} as const;

function problem(context: Context, status: keyof typeof titles, detail: string, waitMs = 0): Response {
  const body: ApiProblem = { type: 'about:blank', title: titles[status], status, detail };
  if (waitMs > 0) context.header('Retry-After', String(Math.ceil(waitMs / 1000)));
  return context.body(JSON.stringify(body), status, { 'Content-Type': 'application/problem+json' });
}

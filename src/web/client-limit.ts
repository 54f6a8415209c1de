/**
 * How much one client may ask of what costs us work. Everybody on this machine counts as one client; behind a proxy, which
 * `serve.base_url` tells of, clients are told apart as the proxy says.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { parseIp } from '../url/ip.ts';
import { RateLimit } from './rate-limit.ts';
import { respondProblem, type Web } from './respond.tsx';

/** Work done for one client in a window, which leaves more than half of the time to others. */
const MOST_WORK_MS = 4_000;
const WINDOW_MS = 10_000;
/** What a request counts at least; a search mostly takes less, and the worst ones half a second. */
const LEAST_WORK_MS = 20;
/** So many quick requests in a window: far more than anybody reads. */
export const MOST_REQUESTS: number = MOST_WORK_MS / LEAST_WORK_MS;
/** What is given to one customer is at least a /64 (RFC 6177), so the rest of an IPv6 address says nothing. */
const CUSTOMER_BITS = 64n;

/** Answers 429 to a client that has had its share of the moment. */
export function limitClients(web: Web): MiddlewareHandler {
  const limit = new RateLimit(MOST_WORK_MS, WINDOW_MS);
  const isProxied = web.config.serve.baseUrl !== null;
  return async (context, next) => {
    const client = isProxied ? clientOf(context) : '';
    const startedAt = web.clock.now();
    const waitMs = limit.take(client, startedAt, LEAST_WORK_MS);
    if (waitMs > 0) {
      context.header('Retry-After', String(Math.ceil(waitMs / 1000)));
      return respondProblem(web, context, 429);
    }
    await next();
    const endedAt = web.clock.now();
    const moreMs = endedAt - startedAt - LEAST_WORK_MS;
    if (moreMs > 0) limit.take(client, endedAt, moreMs);
    return undefined;
  };
}

/** The last address of X-Forwarded-For: the one the proxy itself has added. Those before it anybody can write. */
function clientOf(context: Context): string {
  const last = context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  const ip = parseIp(last);
  if (ip === null) return '';
  return String(ip.version === 4 ? ip.value : ip.value >> CUSTOMER_BITS);
}

/**
 * How much one client may ask of what costs us work. Everybody on this machine counts as one client; behind a proxy, which
 * `serve.base_url` tells of, clients are told apart as the proxy says.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { parseIp } from '../url/ip.ts';
import { RateLimit } from './rate-limit.ts';
import { respondProblem, type Web } from './respond.tsx';

/** Far more than anybody reads, and at some 10 ms each a fifth of the time there is. */
export const MOST_REQUESTS = 200;
const WINDOW_MS = 10_000;
/** What is given to one customer is at least a /64 (RFC 6177), so the rest of an IPv6 address says nothing. */
const CUSTOMER_BITS = 64n;

/** Answers 429 to a client that has had its share of the moment. */
export function limitClients(web: Web): MiddlewareHandler {
  const limit = new RateLimit(MOST_REQUESTS, WINDOW_MS);
  const isProxied = web.config.serve.baseUrl !== null;
  return (context, next) => {
    const waitMs = limit.take(isProxied ? clientOf(context) : '', web.clock.now());
    if (waitMs === 0) return next();
    context.header('Retry-After', String(Math.ceil(waitMs / 1000)));
    return Promise.resolve(respondProblem(web, context, 429));
  };
}

/** The last address of X-Forwarded-For: the one the proxy itself has added. Those before it anybody can write. */
function clientOf(context: Context): string {
  const last = context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  const ip = parseIp(last);
  if (ip === null) return '';
  return String(ip.version === 4 ? ip.value : ip.value >> CUSTOMER_BITS);
}

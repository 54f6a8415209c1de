/** What the parts of a Freshet go by, taken from its configuration: a part of node.ts. */

import { PRODUCT } from './config/user-agent.ts';
import type { Config } from './config.ts';
import { defaultRefreshPolicy, defaultRetryPolicy, type VisitPolicy } from './crawl/policy.ts';
import type { FrontierPolicy } from './frontier/policy.ts';

/** What visits go by. */
export function visitPolicy({ refresh, limits, politeness }: Config): VisitPolicy {
  return {
    schedule: refresh.policy,
    refresh: {
      ...refresh,
      maxMs: refresh.maxMs ?? Math.max(refresh.minMs, defaultRefreshPolicy.maxMs),
      strikes: refresh.deleteAfterMissing,
    },
    retry: {
      ...defaultRetryPolicy,
      retries: limits.maxRetries,
      timeoutRetries: limits.maxTimeoutRetries,
      retryAfterMaxMs: politeness.retryAfterMaxMs,
    },
    maxRedirects: limits.maxRedirects,
    productToken: PRODUCT,
  };
}

/** What the frontier goes by. */
export function frontierPolicy(config: Config, isCrawling: boolean): FrontierPolicy {
  const { politeness, limits, scope, refresh } = config;
  return {
    delayMs: politeness.delayMs,
    delayJitterMs: politeness.delayMs * politeness.jitter,
    perHost: politeness.perHost,
    // A visit is one request, so its deadline and some time to spare for the commit.
    leaseMs: limits.totalMs + 60_000,
    queueCapacity: limits.queueCapacity,
    // Only a crawl empties the queue; a command that just adds URLs leaves them to the disk at once.
    waitMs: isCrawling ? limits.queueWaitMs : 0,
    maxUrlsPerHost: scope.maxPagesPerHost,
    maxDepth: scope.maxDepth,
    refresh: { ...refresh, kind: refresh.policy },
    order: config.order,
  };
}

import { expect, test } from 'vitest';
import type { ReasonCode } from '../reasons.ts';
import type { FetchResult } from '../types.ts';
import { hostHealth } from './findings.ts';

function failed(reason: ReasonCode, wasSent = true): FetchResult {
  return { kind: 'failed', reason, detail: '', head: null, startedAt: 0, wasSent };
}

function answered(status: number): FetchResult {
  const head = {
    url: 'https://a.test/',
    status,
    headers: [],
    remoteAddress: null,
    startedAt: 0,
    durationMs: 1,
    wireBytes: 0,
  };
  return { kind: 'http-error', head, body: { bytes: new Uint8Array(), received: null } };
}

test.each<[string, FetchResult, boolean | null]>([
  ['404', answered(404), true],
  ['429', answered(429), false],
  ['503', answered(503), false],
  ['999', answered(999), null],
  ['a timeout', failed('net.timeout'), false],
  ['a broken connection', failed('net.reset'), false],
  ['a page too large', failed('content.size'), true],
  ['headers too large', failed('net.headers'), null],
  ['an answer that makes no sense', failed('http.unexpected'), null],
  ['a request never sent', failed('net.timeout', false), null],
])('R13 %s says of its host: %j', (_name, result, health) => {
  expect(hostHealth(result)).toBe(health);
});

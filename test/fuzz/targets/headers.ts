/** The head of an answer, one header a line, read as a page and as robots.txt; and the codings of its body. */
import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Asked, conclude } from '../../../src/fetch/answer.ts';
import { decodeContent } from '../../../src/fetch/decode.ts';
import { headerValues } from '../../../src/fetch/headers.ts';
import { MAX_RETRY_AFTER_MS, parseHttpDate, retryAfterMs } from '../../../src/fetch/http-date.ts';
import { defaultFetchLimits } from '../../../src/fetch/limits.ts';
import { parseDate } from '../../../src/parse/date.ts';
import { DEFAULT_ROBOTS_POLICY, robotsAfter, robotsValidators } from '../../../src/robots/policy.ts';
import type { HeaderList } from '../../../src/types.ts';
import { caseInputs } from '../corpus.ts';
import { bytesOf, type Target } from '../target.ts';

const NOW_MS = Date.UTC(2026, 6, 1);
const ORIGIN = 'http://a.test';
const ASKED: Asked = {
  url: `${ORIGIN}/robots.txt`,
  method: 'GET',
  isConditional: false,
  startedAt: NOW_MS,
  durationMs: 1,
};
const statuses = [200, 204, 206, 301, 304, 308, 404, 410, 429, 500, 503, 999];

export function headersTarget(): Target {
  return {
    corpus: [
      ...caseInputs('http-dates', 'retry_after', ['header'], ({ header }) => `Retry-After: ${header}`),
      ...caseInputs(
        'http-dates',
        'dates',
        ['input'],
        ({ input }) => `Retry-After: ${input}\nLast-Modified: ${input}`,
      ),
      ...caseInputs('encoding', 'content_type', ['header'], ({ header }) => `Content-Type: ${header}`),
      'Cache-Control: max-age=60, public\nETag: W/"x"\nContent-Encoding: gzip\nX-Robots-Tag: noindex',
      'Location: /caf\xc3\xa9?x#y\nContent-Encoding: deflate, br\nTransfer-Encoding: chunked',
    ],
    words: [
      ...[
        'Retry-After: ',
        'Location: ',
        'Cache-Control: max-age=',
        'Content-Type: ',
        'Content-Encoding: ',
        'ETag: ',
        '\n',
        ',',
        ';',
        '"',
        '=',
      ],
      ...[
        'gzip',
        'x-gzip',
        'br',
        'deflate',
        'identity',
        '120',
        '-1',
        '1e3',
        '99999999999999999999',
        'Sun, 06 Nov 1994 08:49:37 GMT',
        ' Feb 29 ',
      ],
      ...[
        'Sunday, 06-Nov-94 08:49:37 GMT',
        'Sun Nov  6 08:49:37 1994',
        '2026-01-01T00:00:00+14:00',
        '24:00:00',
        ':60',
        '//b.test/',
        'http://',
        '%',
        '\xff',
      ],
    ],
    run(input) {
      const headers = headersOf(input);
      const results = statuses.map((status) =>
        conclude(
          ASKED,
          { status, headers, bytes: bytesOf(input.slice(0, 64)), wireBytes: 64, remoteAddress: null },
          defaultFetchLimits,
        ),
      );
      const records = results.map((result) => robotsAfter(null, ORIGIN, ASKED.url, result, NOW_MS));
      const waits = headerValues(headers, 'retry-after').map((value) => retryAfterMs(value, NOW_MS));
      return () => {
        for (const result of results)
          if (result.kind === 'redirect' && result.location !== null)
            assert.ok(
              /^https?:\/\/[\x21-\x7e]+$/.test(result.location) && !result.location.includes('#'),
              'a redirect leads to the web',
            );
        for (const record of records) {
          const keptMs = record.expiresAt - NOW_MS;
          assert.ok(
            keptMs > 0 && keptMs <= DEFAULT_ROBOTS_POLICY.freshMs,
            'robots.txt is kept for a day at most',
          );
          robotsValidators(record, ASKED.url);
        }
        for (const ms of waits)
          assert.ok(ms === null || (ms >= 0 && ms <= MAX_RETRY_AFTER_MS), 'a wait has a bound');
        for (const [, value] of headers) checkDate(value);
      };
    },
  };
}

function headersOf(input: string): HeaderList {
  return input.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, Math.max(0, colon)), line.slice(colon + 1).trim()];
  });
}

function checkDate(value: string): void {
  const httpDate = parseHttpDate(value, NOW_MS);
  // Years that HTTP has no form for.
  if (httpDate !== null && httpDate < Date.UTC(9999, 0) && httpDate >= Date.UTC(0, 0))
    assert.equal(
      parseHttpDate(new Date(httpDate).toUTCString(), NOW_MS),
      httpDate,
      'a date written anew is the same',
    );
  const date = parseDate(value, NOW_MS);
  if (date !== null)
    assert.equal(parseDate(new Date(date).toISOString(), NOW_MS), date, 'a date in ISO form is the same');
}

/** Bytes that are said to be packed, and those bytes packed. */
export function codingsTarget(): Target {
  const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  const limits = { maxBytes: 1024 ** 2, maxExpansion: 250 };
  const samples = ['', 'a', 'word '.repeat(2_000), '\0'.repeat(60_000)].map((text) => Buffer.from(text));
  return {
    corpus: Object.values(pack).flatMap((packed) => samples.map((bytes) => packed(bytes).toString('latin1'))),
    words: [
      '\x1f\x8b\x08\0\0\0\0\0\0\x03',
      '\x1f\x8b\x08\x1e',
      '\x78\x9c',
      '\x03\0',
      '\0\0\xff\xff',
      '\x01',
      '\xff',
      '\0',
      gzipSync('x').toString('latin1'),
    ],
    run(input) {
      const bytes = bytesOf(input);
      const decoded = ['gzip', 'deflate', 'br', 'gzip, gzip', 'br, deflate'].map((coding) =>
        decodeContent(bytes, coding, limits),
      );
      return () => {
        for (const one of decoded)
          assert.ok(!one.ok || one.bytes.length <= limits.maxBytes, 'decoded, a body has a bound');
        for (const [coding, packed] of Object.entries(pack)) {
          const whole = decodeContent(packed(bytes), coding, limits);
          assert.ok(whole.ok && Buffer.from(whole.bytes).equals(bytes), 'what was packed comes out');
        }
      };
    },
  };
}

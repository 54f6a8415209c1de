import { describe, expect, test } from 'vitest';
import { defaultFetchLimits as limits, overdue, type Progress } from './limits.ts';

const started: Progress = { startedAt: 1000, sentAt: null, headAt: null, lastByteAt: null, wireBytes: 0 };

describe('overdue', () => {
  test.each<[string, Partial<Progress>, number, RegExp | null]>([
    ['connecting is timed by the connector', {}, 100_000, null],
    ['but the whole is not longer than its limit', {}, 121_000, /not complete after 120000 ms/],
    ['waiting for the head', { sentAt: 2000 }, 31_999, null],
    ['no head in time', { sentAt: 2000 }, 32_000, /nothing received for 30000 ms/],
    ['no body in time', { sentAt: 2000, headAt: 3000 }, 33_000, /nothing received/],
    [
      'a body that stops',
      { sentAt: 2000, headAt: 3000, lastByteAt: 9000, wireBytes: 99_999 },
      39_000,
      /nothing received/,
    ],
    [
      'a body that comes',
      { sentAt: 2000, headAt: 3000, lastByteAt: 60_000, wireBytes: 99_999 },
      61_000,
      null,
    ],
    [
      'a body that drips',
      { sentAt: 2000, headAt: 3000, lastByteAt: 33_000, wireBytes: 30 },
      33_001,
      /slower than 100/,
    ],
    [
      'a slow start is forgiven',
      { sentAt: 2000, headAt: 3000, lastByteAt: 32_000, wireBytes: 30 },
      32_999,
      null,
    ],
  ])('%s', (_, progress, now, expected) => {
    const detail = overdue({ ...started, ...progress }, limits, now);
    if (expected === null) expect(detail).toBeNull();
    else expect(detail).toMatch(expected);
  });
});

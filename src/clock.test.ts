import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';

const CENTURIES_MS = 9_999_999_999_000;

test.each([2 ** 31, CENTURIES_MS, Number.POSITIVE_INFINITY])(
  'bug-068: neither a sleep nor a timer of %d ms ends at once for being longer than timers go',
  async (ms) => {
    const ended: string[] = [];
    const warned = (warning: Error): number => ended.push(warning.name);
    process.on('warning', warned);
    const abort = new AbortController();
    const sleep = systemClock.sleep(ms, abort.signal).then(() => ended.push('sleep'));
    const cancel = systemClock.after(ms, () => ended.push('timer'));
    await systemClock.sleep(20); // a timer that overflows goes off after 1 ms
    expect(ended).toEqual([]);
    cancel();
    abort.abort();
    await sleep;
    expect(ended).toEqual(['sleep']);
    process.off('warning', warned);
  },
);

test.each([0, -5, Number.NEGATIVE_INFINITY])('a sleep of %d ms ends', async (ms) => {
  await systemClock.sleep(ms);
});

test('a sleep ends at once when it is not wanted any more, before or after it began', async () => {
  await systemClock.sleep(CENTURIES_MS, AbortSignal.abort());
  const abort = new AbortController();
  const sleep = systemClock.sleep(CENTURIES_MS, abort.signal);
  abort.abort();
  await sleep;
});

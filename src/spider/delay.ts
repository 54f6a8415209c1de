/** Waits as spiders write them: fixed or drawn from a range. Pure. */
import type { Random } from '../clock.ts';
import { parseDuration } from '../config/units.ts';
import type { Delay, Delays } from './spider.ts';

/** Bounds a wait is drawn from, ms; both are the same for a fixed one. */
export interface DelayRange {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** The waits of one request, null where it has none. */
export interface DelayRanges {
  readonly request: DelayRange | null;
  readonly download: DelayRange | null;
  readonly host: DelayRange | null;
  readonly pipeline: DelayRange | null;
}

export const noDelays: DelayRanges = { request: null, download: null, host: null, pipeline: null };

/** Null when it is no delay: `'1 fortnight'`, a negative number, a range whose ends are swapped. */
export function delayRange(delay: Delay): DelayRange | null {
  const [least, most] = typeof delay === 'object' ? delay : [delay, delay];
  const leastMs = parseDuration(least);
  const mostMs = parseDuration(most);
  return leastMs === null || mostMs === null || leastMs > mostMs ? null : { leastMs, mostMs };
}

/** The waits written in `delays`, those of `usual` where it says nothing. Throws RangeError for one that is no delay. */
export function delayRanges(delays: Delays | undefined, usual: DelayRanges = noDelays): DelayRanges {
  const rangeOf = (place: keyof Delays): DelayRange | null => {
    const delay = delays?.[place];
    if (delay === undefined) return usual[place];
    const range = delayRange(delay);
    if (range === null) throw new RangeError(`delays.${place} ${JSON.stringify(delay)} is no delay`);
    return range;
  };
  return {
    request: rangeOf('request'),
    download: rangeOf('download'),
    host: rangeOf('host'),
    pipeline: rangeOf('pipeline'),
  };
}

/** One wait, ms. */
export function drawDelay(range: DelayRange | null, random: Random): number {
  return range === null ? 0 : Math.round(range.leastMs + (range.mostMs - range.leastMs) * random());
}

/**
 * Crawler traps that show in the URL itself (R5): endless relative links, calendars without end, login pages that carry
 * themselves along. Pure; what only shows when many URLs are seen together is in variants.ts.
 */
import type { ReasonCode } from '../reasons.ts';
import { splitUrl } from '../url/site.ts';
import { calendarDate } from './calendar.ts';

export interface TrapLimits {
  /** Characters of the normalised URL, which are ASCII and so bytes. */
  readonly maxUrlLength: number;
  readonly maxSegments: number;
  readonly maxParameters: number;
  /** Times in a row a group of segments may occur: 2 lets `/a/a/` pass, and stops `/a/a/a/` and `/a/b/a/b/a/b/`. */
  readonly maxRepeats: number;
  /** Times one segment may occur anywhere in the path. */
  readonly maxSameSegment: number;
  /** URLs within URLs: 1 lets `?next=/page` pass, and stops `?next=/login?next=/page`. */
  readonly maxNesting: number;
  /** How far ahead of now a page about one day or month may lie. */
  readonly calendarAheadMs: number;
  /** How far back it may lie when the URL speaks of a calendar, and when it does not: archives are content. */
  readonly calendarBehindMs: number;
  readonly archiveBehindMs: number;
}

const YEAR_MS = 366 * 86_400_000;

/** Length, segments and parameters are R5's; the rest is chosen so that the sites we know lose no page. */
export const defaultTrapLimits: TrapLimits = {
  maxUrlLength: 2_048,
  maxSegments: 16,
  maxParameters: 10,
  maxRepeats: 2,
  maxSameSegment: 4,
  maxNesting: 1,
  calendarAheadMs: YEAR_MS,
  calendarBehindMs: 2 * YEAR_MS,
  archiveBehindMs: 30 * YEAR_MS,
};

/** The trap a normalised URL leads into, or null. Linear in its length. */
export function trapOf(url: string, limits: TrapLimits, nowMs: number): ReasonCode | null {
  if (url.length > limits.maxUrlLength) return 'scope.length';
  const { path } = splitUrl(url);
  const queryStart = path.indexOf('?');
  const segments = segmentsOf(queryStart === -1 ? path : path.slice(0, queryStart));
  if (segments.length > limits.maxSegments) return 'scope.segments';
  const query = queryStart === -1 ? '' : path.slice(queryStart + 1);
  const parameters = query === '' ? [] : query.split('&');
  if (parameters.length > limits.maxParameters) return 'scope.params';
  if (isRepetitive(segments, limits)) return 'trap.repeat';
  if (isNested(parameters, limits.maxNesting)) return 'trap.nesting';
  // Every date has a year; most URLs have none.
  return /\d{4}/.test(path) && isFarAway(segments, parameters, limits, nowMs) ? 'trap.calendar' : null;
}

/** Path segments; the empty one after a final slash does not count. */
function segmentsOf(path: string): string[] {
  const segments = path.slice(1).split('/');
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

function isRepetitive(segments: readonly string[], limits: TrapLimits): boolean {
  for (let size = 1; size * (limits.maxRepeats + 1) <= segments.length; size++) {
    if (hasRepeatedGroup(segments, size, limits.maxRepeats)) return true;
  }
  if (segments.length <= limits.maxSameSegment) return false;
  const counts = new Map<string, number>();
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  return Math.max(0, ...counts.values()) > limits.maxSameSegment;
}

/** Does a group of `size` segments occur more than `maxRepeats` times in a row? Groups of numbers are dates and shards. */
function hasRepeatedGroup(segments: readonly string[], size: number, maxRepeats: number): boolean {
  let equal = 0;
  for (let i = size; i < segments.length; i++) {
    equal = segments[i] === segments[i - size] ? equal + 1 : 0;
    if (equal >= size * maxRepeats && !segments.slice(i - size + 1, i + 1).every(isNumber)) return true;
  }
  return false;
}

function isNumber(segment: string): boolean {
  return /^\d+$/.test(segment);
}

/** Is there a URL in a parameter of a URL … more than `levels` deep? Escapes are undone level by level. */
function isNested(parameters: readonly string[], levels: number): boolean {
  return parameters.some((parameter) => {
    const value = decodeAscii(parameter.slice(parameter.indexOf('=') + 1));
    const queryStart = value.indexOf('?');
    if (!/^(?:https?:)?\//i.test(value) && !/\?[^?]*=/.test(value)) return false;
    return (
      levels === 0 || (queryStart !== -1 && isNested(value.slice(queryStart + 1).split('&'), levels - 1))
    );
  });
}

/** Undoes escapes of ASCII characters once; others do not matter for the structure of a URL. */
function decodeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function isFarAway(
  segments: readonly string[],
  parameters: readonly string[],
  limits: TrapLimits,
  nowMs: number,
): boolean {
  const date = calendarDate(segments, parameters);
  if (date === null) return false;
  const behindMs = date.isCalendar ? limits.calendarBehindMs : limits.archiveBehindMs;
  return date.at > nowMs + limits.calendarAheadMs || date.at < nowMs - behindMs;
}

/**
 * Dates as pages, feeds and sitemaps write them: ISO 8601 (W3C-DTF, RFC 3339) and the mail form (RFC 822, RFC 2822) with
 * the habits seen in the wild. The dates of HTTP headers are stricter: fetch/http-date.ts.
 */

/**
 * An instant this code is sure to be later than: where no clock is handed in, an earlier date is certainly past.
 * 2026-01-01, the year of writing.
 */
export const EARLIEST_NOW_MS = 1_767_225_600_000;

/**
 * The instant a date names, in milliseconds since the epoch; null when it is not a date that exists.
 * A missing time is midnight, a missing zone is UTC. `nowMs` decides the century of a two-digit year.
 */
export function parseDate(text: string, nowMs: number = EARLIEST_NOW_MS): number | null {
  const trimmed = text.trim();
  // Longer than any date: regular expressions need not look at it.
  if (trimmed.length > 64) return null;
  return isoDate(trimmed) ?? mailDate(trimmed, nowMs);
}

/** Milliseconds since the epoch of a time in UTC, null when the calendar has no such time. A second 60 is a leap second. */
export function utcTime(
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
  ms = 0,
): number | null {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > 31) return null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(0);
  // Unlike `Date.UTC`, this does not read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCDate() !== day) return null;
  return date.setUTCHours(hour, minute, second, ms);
}

/** 1 to 12 for `Jan` to `Dec`, in any case; 0 for anything else. */
export function monthNumber(name: string): number {
  return MONTHS.indexOf(name.toLowerCase()) + 1;
}

/** A two-digit year is the last such year that is not more than 50 years in the future (RFC 9110 5.6.7). */
export function fullYear(twoDigits: number, nowMs: number): number {
  const latest = new Date(nowMs).getUTCFullYear() + 50;
  return latest - ((latest - twoDigits) % 100);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `2014`, `2014-06`, `2014-06-03`, `2014-06-03T10:30`, with seconds, a fraction, and a zone or none. */
const ISO =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?[ ]?(Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/i;

function isoDate(text: string): number | null {
  const [, year, month, day, hour, minute, second, fraction, zone] = ISO.exec(text) ?? [];
  if (year === undefined) return null;
  const ms = Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
  return inZone(
    utcTime(
      Number(year),
      Number(month ?? 1),
      Number(day ?? 1),
      Number(hour ?? 0),
      Number(minute ?? 0),
      Number(second ?? 0),
      ms,
    ),
    zone ?? 'Z',
  );
}

/** `Thu, 05 Jan 2017 13:34:52 +0100`, with or without week day, seconds and zone, with dashes or blanks. */
const MAIL =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? *)?(\d{1,2})[ -]([a-z]{3})[a-z]*[ -](\d{4}|\d\d)(?: +(\d{1,2}):(\d\d)(?::(\d\d))?(?: *([a-z]+|[+-]\d\d:?\d\d))?)?$/i;

function mailDate(text: string, nowMs: number): number | null {
  const [, day, month, year, hour, minute, second, zone] = MAIL.exec(text) ?? [];
  if (day === undefined || month === undefined || year === undefined) return null;
  const inYear = year.length === 2 ? fullYear(Number(year), nowMs) : Number(year);
  return inZone(
    utcTime(
      inYear,
      monthNumber(month),
      Number(day),
      Number(hour ?? 0),
      Number(minute ?? 0),
      Number(second ?? 0),
    ),
    zone ?? 'Z',
  );
}

/** Hours east of Greenwich (RFC 822 5.1). Other names stand for too many zones to be read. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ['Z', 0],
  ['UT', 0],
  ['UTC', 0],
  ['GMT', 0],
  ['EST', -5],
  ['EDT', -4],
  ['CST', -6],
  ['CDT', -5],
  ['MST', -7],
  ['MDT', -6],
  ['PST', -8],
  ['PDT', -7],
]);

function inZone(time: number | null, zone: string): number | null {
  const offset = offsetMinutes(zone);
  return time === null || offset === null ? null : time - offset * 60_000;
}

function offsetMinutes(zone: string): number | null {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (hours === undefined) {
    const named = ZONES.get(zone.toUpperCase());
    return named === undefined ? null : named * 60;
  }
  if (Number(hours) > 23 || Number(minutes ?? 0) > 59) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0));
}

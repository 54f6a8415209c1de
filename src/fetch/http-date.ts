/**
 * Dates in HTTP headers (RFC 9110 5.6.7) and Retry-After (10.2.3). Strict: what is not one of the three forms, letter
 * for letter, is no date. That is the safe side everywhere Freshet uses one: the usual back-off then applies.
 */
import { EARLIEST_NOW_MS, fullYear, monthNumber, utcTime } from '../parse/date.ts';

/** Longest wait a server can ask for: about a year. Keeps sums with the clock exact. */
export const MAX_RETRY_AFTER_MS: number = 366 * 24 * 3_600_000;

/**
 * Milliseconds since the epoch of an HTTP-date, null when it is none. The week day is not compared with the date.
 * `nowMs` decides the century of a two-digit year: not more than 50 years in the future.
 */
export function parseHttpDate(value: string, nowMs: number = EARLIEST_NOW_MS): number | null {
  const text = value.trim();
  for (const form of FORMS) {
    const date = form.exec(text)?.groups;
    if (date === undefined) continue;
    const { day, month, year, hour, minute, second } = date;
    return utcTime(
      year?.length === 2 ? fullYear(Number(year), nowMs) : Number(year),
      monthNumber(month ?? ''),
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
    );
  }
  return null;
}

/** How long a Retry-After header asks to wait: 0 for a date that is past, null when it cannot be read. */
export function retryAfterMs(value: string, nowMs: number): number | null {
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_RETRY_AFTER_MS);
  const date = parseHttpDate(text, nowMs);
  return date === null ? null : Math.min(Math.max(0, date - nowMs), MAX_RETRY_AFTER_MS);
}

const MONTH = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';

const FORMS: readonly RegExp[] = [
  // IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  // RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(
    `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`,
  ),
  // asctime: Sun Nov  6 08:49:37 1994
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>\\d\\d| \\d) ${TIME} (?<year>\\d{4})$`),
];

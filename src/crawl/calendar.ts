/**
 * The day or month a listing page is about, read from its URL. A date followed by more (`/2015/05/12/title`) belongs to
 * an article and says nothing; one that ends the path or stands in the query is a page of a calendar or an archive.
 */

export interface CalendarDate {
  /** First instant (UTC) of the day or month. */
  readonly at: number;
  /** Does the URL speak of a calendar? Then looser spellings count as dates. */
  readonly isCalendar: boolean;
}

/** Date of a page given its path segments and its query parameters (`name=value`); null when it has none. */
export function calendarDate(
  segments: readonly string[],
  parameters: readonly string[],
): CalendarDate | null {
  const isCalendar =
    segments.some(speaksOfCalendar) ||
    parameters.some((parameter) => speaksOfCalendar(parameter.split('=')[0] ?? ''));
  const at = dateInQuery(parameters, isCalendar) ?? dateAtEnd(segments, isCalendar);
  return at === null ? null : { at, isCalendar };
}

/** Words for calendars, as whole words of a segment or parameter name. */
const calendarWords: ReadonlySet<string> = new Set(
  `
  calendar calendars cal ical agenda diary event events eventcalendar eventdate schedule tribe kalender
  veranstaltungen termine calendrier evenements calendario eventos eventi rili richeng
`
    .trim()
    .split(/\s+/),
);

function speaksOfCalendar(text: string): boolean {
  return text
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => calendarWords.has(word));
}

/** Day or month as numbers, year first. Without a word that says so, only a full and plausible date is one. */
const STRICT = /^((?:19|20|21)\d\d)[-/](\d\d)[-/](\d\d)$/;
const LOOSE = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?$/;
const COMPACT = /^((?:19|20|21)\d\d)(\d\d)(\d\d)$/;
const COMPACT_MONTH = /^((?:19|20|21)\d\d)(\d\d)$/;
/** Day and month before the year, in either order; which is which makes no difference to the limits. */
const YEAR_LAST = /^(\d{1,2})[-/.]\d{1,2}[-/.](\d{4})$/;

const pathDates = [STRICT];
const calendarPathDates = [LOOSE, COMPACT];
const queryDates = [LOOSE, COMPACT, COMPACT_MONTH];

function parseDate(text: string, patterns: readonly RegExp[]): number | null {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return dateAt(Number(match[1]), Number(match[2]), Number(match[3] ?? 1));
  }
  return null;
}

function dateAt(year: number, month: number, day: number): number | null {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 ? Date.UTC(year, month - 1, day) : null;
}

const DATE_NAME =
  /(?:^|[^a-z])(?:date|day|month|ym|yyyymm|yyyymmdd)(?:$|[^a-z])|(?:event|start|end|from|to|cal)date/;
const YEAR_NAME = /^(?:y|yr|year|cal_?year)$/;
const MONTH_NAME = /^(?:m|mo|mon|month|cal_?month)$/;

/** A whole date in one value (time of day ignored), or year and month in two. */
function dateInQuery(parameters: readonly string[], isCalendar: boolean): number | null {
  let year = '';
  let month = '';
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.toLowerCase().split('=');
    if (YEAR_NAME.test(name)) year = value;
    if (MONTH_NAME.test(name)) month = value;
    const date = value.replaceAll('%2f', '/').replace(/(?:t|\+|%20)\d.*$/, '');
    const isDateName = DATE_NAME.test(name);
    const at = parseDate(date, isDateName ? queryDates : isCalendar ? calendarPathDates : pathDates);
    if (at !== null) return at;
    const yearLast = isDateName ? YEAR_LAST.exec(date) : null;
    if (yearLast !== null) return dateAt(Number(yearLast[2]), Math.min(Number(yearLast[1]), 12), 1);
  }
  return /^\d{4}$/.test(year) && /^\d\d?$/.test(month) ? dateAt(Number(year), Number(month), 1) : null;
}

/** Three, two or one last segments that make a date, file extension ignored. */
function dateAtEnd(segments: readonly string[], isCalendar: boolean): number | null {
  for (let count = Math.min(3, segments.length); count > 0; count--) {
    const tail = segments
      .slice(-count)
      .join('/')
      .replace(/\.[a-z]\w*$/i, '');
    const at = parseDate(tail, isCalendar ? calendarPathDates : pathDates);
    if (at !== null) return at;
  }
  return null;
}

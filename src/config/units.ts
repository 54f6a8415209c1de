/** Durations and sizes as people write them (`1s`, `1h30m`, `5MB`), and the same the other way round. Pure. */

const durationUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  min: 60_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const durationPairs = [
  ['d', 86_400_000, 'h', 3_600_000],
  ['h', 3_600_000, 'min', 60_000],
  ['min', 60_000, 's', 1_000],
] as const;

/** Powers of 1024, as nginx and Docker read them: 5MB is 5,242,880 bytes. */
const sizeUnits: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1024,
  kib: 1024,
  mb: 1024 ** 2,
  mib: 1024 ** 2,
  gb: 1024 ** 3,
  gib: 1024 ** 3,
  tb: 1024 ** 4,
  tib: 1024 ** 4,
};

/**
 * Milliseconds of `500ms`, `1.5s`, `30m`, `1h30m`, `30d`, or of a number of ms; rounded to whole ms.
 * Null when it is not a duration: negative, without a unit, or too long to count exactly.
 */
export function parseDuration(value: string | number): number | null {
  return measure(value, durationUnits);
}

/** Bytes of `500`, `64KB`, `1.5MB`, `2GiB`, or of a number of bytes. Null when it is not a size. */
export function parseSize(value: string | number): number | null {
  return measure(value, sizeUnits);
}

/** A duration for people, in its two largest units: `250 ms`, `1.5 s`, `42 min 40 s`, `2 h`, `30 d`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  for (const [unit, size, smallUnit, smallSize] of durationPairs) {
    // Rounded first: 59 min 59.9 s is an hour.
    const rounded = Math.round(ms / smallSize) * smallSize;
    if (rounded < size) continue;
    const rest = (rounded % size) / smallSize;
    return `${Math.floor(rounded / size)} ${unit}${rest === 0 ? '' : ` ${rest} ${smallUnit}`}`;
  }
  return `${shorten(ms / 1_000)} s`;
}

/** A size for people: `512 B`, `64 KB`, `5.2 MB`. */
export function formatSize(bytes: number): string {
  const names = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let at = 0;
  // 1023.95 would be written as 1024 of its unit.
  while (value >= (at === 0 ? 1024 : 1023.95) && at < names.length - 1) {
    value /= 1024;
    at++;
  }
  return `${shorten(value)} ${names[at]}`;
}

/** The sum of `number unit` pieces; a bare number counts in the smallest unit. */
function measure(value: string | number, units: Readonly<Record<string, number>>): number | null {
  if (typeof value === 'number') return exact(value);
  const text = value.trim().toLowerCase();
  if (/^\d+$/.test(text)) return exact(Number(text));
  let total = 0;
  let end = 0;
  for (const piece of text.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+) ?/g)) {
    const [whole, number, unit = ''] = piece;
    if (!Object.hasOwn(units, unit) || piece.index !== end) return null;
    total += Number(number) * (units[unit] ?? 0);
    end += whole.length;
  }
  return end === text.length && end > 0 ? exact(Math.round(total)) : null;
}

function exact(value: number): number | null {
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** At most one decimal, none when it would be 0 or the number has three digits. */
function shorten(value: number): string {
  return value >= 99.95 ? String(Math.round(value)) : String(Number(value.toFixed(1)));
}

/** Reading header lists. */
import type { HeaderList } from '../types.ts';

/** First value of a header, null when absent. Names compare without case (RFC 9110 5.1). */
export function headerValue(headers: HeaderList, name: string): string | null {
  const wanted = name.toLowerCase();
  return headers.find(([key]) => key.toLowerCase() === wanted)?.[1] ?? null;
}

/** Every value of a header, in the order received. */
export function headerValues(headers: HeaderList, name: string): string[] {
  const wanted = name.toLowerCase();
  return headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
}

/** Codings of a body in the order applied, as in the header: first of the content, then of the transfer (RFC 9112, 6.1). */
export function bodyCodings(headers: HeaderList): string | null {
  const values = [
    ...headerValues(headers, 'content-encoding'),
    ...headerValues(headers, 'transfer-encoding'),
  ];
  return values.length === 0 ? null : values.join(',');
}

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

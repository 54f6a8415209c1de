/** Strings that outlive the page they were cut from. */

/** Shorter strings are copied when cut (V8's SlicedString::kMinLength). */
const SHORTEST_SLICE = 13;

/**
 * A copy of `text` with memory of its own. V8 keeps slices as references into the whole string, so one title would
 * keep a page of megabytes alive.
 */
export function detach(text: string): string {
  if (text.length < SHORTEST_SLICE) return text;
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

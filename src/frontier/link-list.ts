/**
 * The outgoing links of one page as bytes: target ids in ascending order, each as its difference to the one before,
 * in little-endian base 128 (LEB128, as in DWARF 5, section 7.6). Ids of one site lie close together, so most
 * links take one or two bytes.
 */

/** Bytes of a set of ids (non-negative safe integers, in any order, repeats allowed). */
export function encodeLinks(ids: Iterable<number>): Uint8Array {
  const sorted = Float64Array.from(new Set(ids)).sort();
  const bytes: number[] = [];
  let previous = 0;
  for (const id of sorted) {
    let rest = id - previous;
    while (rest >= 0x80) {
      bytes.push((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    bytes.push(rest);
    previous = id;
  }
  return Uint8Array.from(bytes);
}

/** The ids again, ascending. Bytes cut short yield the ids that are complete. */
export function decodeLinks(bytes: Uint8Array): number[] {
  const ids: number[] = [];
  let id = 0;
  let difference = 0;
  let scale = 1;
  for (const byte of bytes) {
    difference += (byte & 0x7f) * scale;
    scale *= 0x80;
    if (byte & 0x80) continue;
    id += difference;
    ids.push(id);
    difference = 0;
    scale = 1;
  }
  return ids;
}

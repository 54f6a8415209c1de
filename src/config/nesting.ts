/**
 * How deep a YAML text nests, told without recursion. The rest of the YAML library calls itself once for each level, and a few
 * thousand levels are a death by stack that no caller can catch.
 */
import { type CST, Parser } from 'yaml';

/** What may hold further tokens: a collection, a pair in one, a document. */
type Holder = CST.Token | CST.CollectionItem;

/** Do collections stand within one another deeper than so many levels? */
export function isNestedDeeper(text: string, levels: number): boolean {
  let held: Holder[] = [...new Parser().parse(text)];
  // A document, then a collection and a pair for each level.
  for (let depth = 0; depth <= 2 * levels + 1; depth++) {
    held = held.flatMap(heldBy);
    if (held.length === 0) return false;
  }
  return true;
}

function heldBy(holder: Holder): Holder[] {
  const inside: Holder[] = 'items' in holder ? [...holder.items] : [];
  if ('key' in holder && holder.key != null) inside.push(holder.key);
  if ('value' in holder && typeof holder.value === 'object') inside.push(holder.value);
  return inside;
}

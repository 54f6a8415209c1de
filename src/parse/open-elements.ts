/**
 * The elements open at a point of a page, each with what holds inside it.
 *
 * A stack, not a tree: what has been left is forgotten. Damaged nesting is mended as the HTML standard does as far as
 * text and regions can tell the difference (13.2.6.4.7): implied end tags, end tags that match nothing, inline
 * elements closed across blocks. Every step costs at most the depth limit, whatever the page does.
 */
import { BLOCK, CELL, ENDS_PARAGRAPH, factsOf, impliedEndOf, SCOPE, TABLE_SCOPE } from './html-elements.ts';

/** Elements nested deeper are counted, not kept: what is inside them belongs to the last one kept (as in browsers). */
const DEPTH_LIMIT = 512;
/** How many open elements an end tag, written or implied, is looked for at most. */
const REACH = 128;

/** The stack; `T` is what a place in the page is like, inherited from the parent unless an element changes it. */
export class OpenElements<T> {
  /** What holds where the parser stands. */
  here: T;
  private readonly outermost: T;
  private readonly names: string[] = [];
  private readonly places: T[] = [];
  private readonly counts: Map<string, number> = new Map();
  private overflow = 0;

  constructor(outermost: T) {
    this.outermost = outermost;
    this.here = outermost;
  }

  /** Ends what the start tag of `name` ends. */
  makeRoomFor(name: string, facts: number): void {
    if (facts & ENDS_PARAGRAPH && this.has('p')) this.closeUpTo('p');
    const implied = impliedEndOf(name);
    if (implied === undefined || !this.hasAny(implied.ends)) return;
    const barrier = facts & CELL || tableParts.has(name) ? TABLE_SCOPE : SCOPE;
    for (let i = this.names.length - 1; i >= this.names.length - REACH && i >= 0; i--) {
      const candidate = this.names[i] ?? '';
      if (implied.ends.has(candidate)) {
        this.truncate(i);
        return;
      }
      if (implied.until.has(candidate) || factsOf(candidate) & barrier) return;
    }
  }

  /** Enters an element that is not void. */
  push(name: string, place: T): void {
    if (this.names.length >= DEPTH_LIMIT) {
      this.overflow++;
      return;
    }
    this.names.push(name);
    this.places.push(place);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    this.here = place;
  }

  /** Leaves the innermost element of that name, and what is open inside it, if an end tag may do so here. */
  close(name: string): void {
    if (this.overflow > 0) this.overflow--;
    else if (this.has(name)) this.closeUpTo(name);
  }

  /** Leaves elements as long as the place is such. */
  leaveWhile(isSuch: (place: T) => boolean): void {
    let length = this.names.length;
    while (length > 0 && isSuch(this.places[length - 1] ?? this.outermost)) length--;
    this.truncate(length);
  }

  private has(name: string): boolean {
    return (this.counts.get(name) ?? 0) > 0;
  }

  private hasAny(names: ReadonlySet<string>): boolean {
    for (const name of names) if (this.has(name)) return true;
    return false;
  }

  private closeUpTo(name: string): void {
    const barrier = barrierFor(name);
    for (let i = this.names.length - 1; i >= this.names.length - REACH && i >= 0; i--) {
      const candidate = this.names[i] ?? '';
      if (candidate === name) {
        this.truncate(i);
        return;
      }
      if (factsOf(candidate) & barrier) return;
    }
  }

  private truncate(length: number): void {
    if (length < this.names.length) this.overflow = 0; // what was not kept was inside
    while (this.names.length > length) {
      const name = this.names.pop() ?? '';
      this.places.pop();
      this.counts.set(name, (this.counts.get(name) ?? 1) - 1);
    }
    this.here = this.places[length - 1] ?? this.outermost;
  }
}

/** What an end tag of that name does not reach through: inline elements do not end blocks. */
function barrierFor(name: string): number {
  const facts = factsOf(name);
  if (facts & (CELL | TABLE_SCOPE) || tableParts.has(name)) return TABLE_SCOPE;
  return facts & BLOCK ? SCOPE : SCOPE | BLOCK | CELL;
}

const tableParts: ReadonlySet<string> = new Set(['caption', 'tr', 'tbody', 'thead', 'tfoot']);

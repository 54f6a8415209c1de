/**
 * Text made comparable: compatibility forms unified (NFKC, UAX #15), Latin and Greek letters without their marks,
 * invisible characters gone. Case is kept, because it separates the words of an identifier.
 * Whatever is found in the folded text can be traced back to the very characters it came from.
 */

export interface Folded {
  readonly text: string;
  /** Offset in the original at which the character at `index` of the folded text begins. */
  startOf(index: number): number;
  /** Offset in the original behind the character that ends before `index` of the folded text. */
  endOf(index: number): number;
}

/** Folds a text. Linear time; never throws. */
export function fold(text: string): Folded {
  const edits: Edit[] = [];
  let folded = '';
  let copied = 0;
  for (let at = nextFoldable(text, 0); at < text.length; at = nextFoldable(text, at)) {
    // With the character before, which a combining mark belongs to.
    const start = Math.max(copied, at - 1);
    at = nextPlain(text, at);
    folded += text.slice(copied, start);
    copied = start;
    for (const [cluster] of text.slice(start, at).matchAll(CLUSTER)) {
      const replacement = LATIN.get(cluster) ?? foldCluster(cluster);
      const from = copied;
      copied += cluster.length;
      if (replacement.length !== cluster.length) {
        edits.push({ start: folded.length, end: folded.length + replacement.length, from, to: copied });
      }
      folded += replacement;
    }
  }
  if (copied === 0) return { text, startOf: same, endOf: same };
  folded += text.slice(copied);
  return {
    text: folded,
    startOf: (index) => originalStart(edits, index),
    endOf: (index) => originalEnd(edits, index),
  };
}

/** A stretch whose length changed: [start, end) of the folded text came from [from, to) of the original. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Characters that folding leaves alone, so that most text is copied in long stretches: ASCII, plain Cyrillic, Hebrew
 * and Arabic letters, kana, Han, Hangul syllables, and punctuation that ends a word in either form.
 */
const PLAIN = [
  '\\0-\\x7f',
  '\\u0410-\\u044f', // Cyrillic without ё
  '\\u05d0-\\u05ea', // Hebrew letters
  '\\u0621-\\u063a\\u0641-\\u064a', // Arabic letters without the tatweel
  '\\u2013-\\u201f\\u2026', // dashes, quotation marks, ellipsis
  '\\u3000-\\u3007\\u3009-\\u3020\\u3041-\\u3096\\u30a1-\\u30fe', // CJK punctuation, kana
  '\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3', // Han, Hangul
  '\\uff01\\uff08\\uff09\\uff0c\\uff1a\\uff1b\\uff1f', // full-width ! ( ) , : ; ?
].join('');
/** 1 for every code unit that is plain. */
const IS_PLAIN = plainTable();

function plainTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  const all = Array.from(table, (_, code) => String.fromCharCode(code)).join('');
  for (const run of all.matchAll(new RegExp(`[${PLAIN}]+`, 'g')))
    table.fill(1, run.index, run.index + run[0].length);
  return table;
}

function nextFoldable(text: string, from: number): number {
  let at = from;
  while (at < text.length && IS_PLAIN[text.charCodeAt(at)] === 1) at++;
  return at;
}

function nextPlain(text: string, from: number): number {
  let at = from;
  while (at < text.length && IS_PLAIN[text.charCodeAt(at)] === 0) at++;
  return at;
}

/** A character with what combines with it: marks, conjoining jamo, half-width kana sound marks. */
const CLUSTER = /[\s\S][\p{M}\u1160-\u11ff\uff9e\uff9f]*/gu;
/** Soft hyphen, tatweel, byte order mark, joiners, variation selectors: seen by nobody, searched by nobody. */
const INVISIBLE = /[\u00ad\u0640\u2060\ufeff]|\u200c|\u200d|[\ufe00-\ufe0f]/gu;
const MARKED_SCRIPT = /^[\p{sc=Latin}\p{sc=Greek}]/u;

/** Letters that are written otherwise but do not decompose (German, Nordic, Polish, Turkish, Russian usage). */
const OTHER_LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['ẞ', 'SS'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['ø', 'o'],
  ['Ø', 'O'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['ı', 'i'],
  ['ё', 'е'],
  ['Ё', 'Е'],
]);

function foldCluster(cluster: string): string {
  // Unified first: only then it shows what script a mathematical letter is of, or that a ligature holds a tatweel.
  const visible = cluster.replace(INVISIBLE, '').normalize('NFKC').replace(INVISIBLE, '');
  const letter = OTHER_LETTERS.get(visible);
  if (letter !== undefined) return letter;
  return MARKED_SCRIPT.test(visible) ? visible.normalize('NFKD').replace(/\p{M}/gu, '') : visible;
}

/** The answers for accented Latin letters, the only ones that are frequent in running text. */
const LATIN: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 0x250 - 0xa0 }, (_, index) => {
    const letter = String.fromCharCode(0xa0 + index);
    return [letter, foldCluster(letter)] as const;
  }),
);

function same(index: number): number {
  return index;
}

function originalStart(edits: readonly Edit[], index: number): number {
  const edit = lastStartingAtOrBefore(edits, index);
  if (edit === undefined) return index;
  return index < edit.end ? edit.from : index - edit.end + edit.to;
}

function originalEnd(edits: readonly Edit[], index: number): number {
  if (index === 0) return 0;
  const edit = lastStartingAtOrBefore(edits, index - 1);
  if (edit === undefined) return index;
  return index <= edit.end ? edit.to : index - edit.end + edit.to;
}

function lastStartingAtOrBefore(edits: readonly Edit[], index: number): Edit | undefined {
  let low = 0;
  let high = edits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edits[middle]?.start ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return edits[low - 1];
}

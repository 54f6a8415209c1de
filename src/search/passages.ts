/**
 * A page's text in passages, for snippets and (later) vectors. Passages in order are the text again, character by
 * character, so nothing else has to be stored.
 */

/** Passages are about this long, UTF-16 code units: a few sentences, one thought. */
const PASSAGE_LENGTH = 1000;
/** A border is looked for in the last part of a passage only, so that no passage is tiny. */
const SHORTEST_PASSAGE = 500;

/** Borders, the best first: paragraphs, sentences, words. */
const BORDERS: readonly RegExp[] = [
  /\n+/g,
  /[.!?…]["')\]”’]*\s+|[。！？]["）」』”’]*\s*/g,
  /\s+|[，、；,;]/g,
];

/** Cuts a text at paragraphs, else at sentences, else between words, else between characters. */
export function cutPassages(text: string): string[] {
  const passages: string[] = [];
  let start = 0;
  while (text.length - start > PASSAGE_LENGTH) {
    const end = start + firstPassageLength(text.slice(start, start + PASSAGE_LENGTH));
    passages.push(text.slice(start, end));
    start = end;
  }
  if (start < text.length) passages.push(text.slice(start));
  return passages;
}

/** Where the last good border in a full passage is. */
function firstPassageLength(passage: string): number {
  for (const border of BORDERS) {
    let length = 0;
    for (const match of passage.matchAll(border)) length = match.index + match[0].length;
    if (length >= SHORTEST_PASSAGE) return length;
  }
  // Between characters, but never between the two halves of one.
  return /[\ud800-\udbff]$/.test(passage) ? passage.length - 1 : passage.length;
}

/**
 * What a document can be found by, field by field, as the full-text table takes it: tokens joined by spaces. Pure, so that
 * it can be made in another thread than the one that writes.
 */
import type { DocumentTokens } from '../types.ts';
import { fingerprintOf } from './fingerprint.ts';
import { cutPassages } from './passages.ts';
import { scan, type Token } from './tokenize.ts';

/** The part of a document that tokens are made of. */
export interface IndexedText {
  readonly url: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly language: string | null;
  readonly text: string;
}

export function tokensOf({ url, title, headings, language, text }: IndexedText): DocumentTokens {
  const forms = new Set<string>();
  // By passages, because tokens are made by passages again where hits are marked.
  const words = cutPassages(text).flatMap((passage) => inOrder(scan(passage, language), forms));
  const urlTokens = inOrder(scan(urlWords(url), language), forms);
  return {
    title: withForms(scan(title, language)),
    headings: withForms(scan(headings.join('\n'), language)),
    url: urlTokens.join(' '),
    body: words.join(' '),
    forms: [...forms].join(' '),
    fingerprint: fingerprintOf(words),
  };
}

/** The tokens of a text in order; its other forms are added to `forms`. */
function inOrder(tokens: readonly Token[], forms: Set<string>): string[] {
  const words: string[] = [];
  for (const { text, kind } of tokens) {
    if (kind === 'word' || kind === 'pair') words.push(text);
    else forms.add(text);
  }
  return words;
}

/** The same joined, with the other forms behind: a word inside a title's word counts as much as the title's words. */
function withForms(tokens: readonly Token[]): string {
  const forms = new Set<string>();
  return [...inOrder(tokens, forms), ...forms].join(' ');
}

/** The part of a URL that people write and remember: host without www, path and query, decoded where it can be. */
function urlWords(url: string): string {
  const words = url.replace(/^https?:\/\/(?:www\.)?/, '');
  try {
    return decodeURIComponent(words);
  } catch {
    return words;
  }
}

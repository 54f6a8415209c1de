/**
 * What a document can be found by, field by field, as the full-text table takes it: tokens joined by spaces. Pure, so that
 * it can be made in another thread than the one that writes.
 */
import type { DocumentTokens } from '../types.ts';
import { fingerprintOf } from './fingerprint.ts';
import { cutPassages } from './passages.ts';
import { eachToken } from './tokenize.ts';

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
  const words: string[] = [];
  // By passages, because tokens are made by passages again where hits are marked.
  for (const passage of cutPassages(text)) collect(passage, language, words, forms);
  const urlTokens: string[] = [];
  collect(urlWords(url), language, urlTokens, forms);
  return {
    title: withForms(title, language),
    headings: withForms(headings.join('\n'), language),
    url: urlTokens.join(' '),
    body: words.join(' '),
    forms: [...forms].join(' '),
    fingerprint: fingerprintOf(words),
  };
}

/** Adds the tokens of a text in order to `words`, its other forms to `forms`. */
function collect(text: string, language: string | null, words: string[], forms: Set<string>): void {
  eachToken(text, language, (token, kind) => {
    if (kind === 'word' || kind === 'pair') words.push(token);
    else forms.add(token);
  });
}

/** Tokens joined, the other forms behind: a word inside a title's word counts as much as the title's words. */
function withForms(text: string, language: string | null): string {
  const words: string[] = [];
  const forms = new Set<string>();
  collect(text, language, words, forms);
  return [...words, ...forms].join(' ');
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

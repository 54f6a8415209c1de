/**
 * Answers with status 200 that are not the page: "not found" in words, a login, a check for robots or a page about
 * maintenance, and a page that has lost its text. Pure.
 *
 * The first visit knows only the answer, so it takes a whole headline and a text that agrees with it. Where there is a good
 * copy, one sign is enough, but only in a text that is hardly the copy's: a page that keeps half of its text is the page.
 * What follows from each kind: docs/decisions/0009-impostors.md.
 */
import type { ParsedPage } from '../types.ts';
import {
  aboutSuchPages,
  blockedWords,
  foldWords,
  type ImpostorWords,
  loginWords,
  soft404Words,
  speaksOfLogin,
} from './impostor-words.ts';

export type Impostor = ImpostorWords['impostor'] | 'content.shrunk';

/** In the order of their claims: a refusal often offers to log in, and a login says that something is missing. */
const kinds: readonly ImpostorWords[] = [blockedWords, loginWords, soft404Words];

/** What is looked at of an answer. */
export type Face = Pick<
  ParsedPage,
  'url' | 'title' | 'headings' | 'text' | 'refresh' | 'hasPasswordField' | 'hasChallengeMark'
>;

/** The page as it is in the index. */
export interface GoodCopy {
  readonly text: string;
}

// Sizes are bytes of UTF-8, so that a Chinese character counts like the short word it is.
/** An impostor has little to say: the longest text of one. */
const LONGEST = 1_000;
/** The longest where a good copy shows that the page was another. */
const LONGEST_BESIDE_COPY = 2_000;
/** A text this short need not agree with its headline. */
const BARE = 150;
/** A login without a field for a password is believed in a text this short. */
const LONGEST_WITHOUT_FIELD = 300;
/** Phrases count when the text begins with them, within so many UTF-16 code units. */
const BEGINNING = 300;
/** First lines of a text that may be its headline: navigation that was not known as such can come before. */
const LINES = 3;
/** A page that reloads itself within so many seconds, and says next to nothing, waits for a script to let visitors in. */
const SOON_S = 10;

/** Characters that a text must have had to be able to shrink, and the share it shrinks to. */
const SHRINKABLE = 500;
const SHRUNK_TO = 0.05;

/** An answer is hardly the copy's text when less than this share of it stands there too. */
const SAME_SHARE = 0.5;
/** Texts are compared by pieces of so many characters, of at most so much of each. */
const PIECE = 5;
const COMPARED = 10_000;

/** A first answer that is no page; null for one that may be. */
export function impostorAtFirst(page: Face): Impostor | null {
  const size = sizeWithin(page.text, LONGEST);
  if (size === null) return null;
  if (page.hasChallengeMark || isReloading(page, size)) return 'content.blocked';
  const headlines = headlinesOf(page);
  const named = kinds.filter((words) => says(headlines, words));
  if (named.length === 0) return null;
  const text = foldWords(page.text);
  if (aboutSuchPages.test(text)) return null;
  return named.find((words) => agrees(page, text, size, words))?.impostor ?? null;
}

/** Does the text say what the headline of this kind does? */
function agrees({ hasPasswordField }: Face, text: string, size: number, words: ImpostorWords): boolean {
  if (words !== loginWords) return size <= BARE || hasPhrase(text, words);
  return hasPasswordField || (size <= LONGEST_WITHOUT_FIELD && hasPhrase(text, words));
}

/** May an answer with other content than the good copy be an impostor, so that the copy has to be looked at? Cheap. */
export function isSuspect(page: Face): boolean {
  return sizeWithin(page.text, LONGEST_BESIDE_COPY) !== null;
}

/**
 * What a changed answer is instead of the page, null when it is the page. `isTwin`: another page of the host has the very
 * same content.
 */
export function impostorBeside(page: Face, copy: GoodCopy, isTwin: boolean): Impostor | null {
  const sign = signOf(page) ?? (isTwin ? 'content.soft404' : null);
  if (sign !== null && isHardly(page.text, copy.text)) return sign;
  const isShrunk = copy.text.length > SHRINKABLE && page.text.length < SHRUNK_TO * copy.text.length;
  return isShrunk ? 'content.shrunk' : null;
}

/** Does a URL lead to a login, by a whole part of its path? */
export function isLogin(url: string): boolean {
  const { pathname } = new URL(url);
  return /\/(?:(?:wp-|user-|member-)?(?:log|sign)[-_]?(?:in|on)|sso|saml2?|oauth2?)(?:\.\w{1,5})?(?:\/|$)/i.test(
    pathname,
  );
}

/** One sign is enough. */
function signOf(page: Face): Impostor | null {
  const size = sizeWithin(page.text, LONGEST_BESIDE_COPY);
  if (size === null) return null;
  if (page.hasChallengeMark || isReloading(page, size)) return 'content.blocked';
  const headlines = headlinesOf(page);
  const beginning = foldWords(page.text.slice(0, BEGINNING));
  const kind =
    kinds.find((words) => says(headlines, words)) ?? kinds.find((words) => hasPhrase(beginning, words));
  if (kind !== undefined) return kind.impostor;
  return page.hasPasswordField && headlines.some((line) => speaksOfLogin.test(line)) ? 'content.login' : null;
}

/** Bytes of a text, null when there are more than `most`. */
function sizeWithin(text: string, most: number): number | null {
  const size = text.length > most ? text.length : Buffer.byteLength(text);
  return size > most ? null : size;
}

function isReloading({ url, refresh }: Face, size: number): boolean {
  return refresh !== null && refresh.delay <= SOON_S && refresh.url === url && size <= BARE;
}

/** What a page calls itself: its title and the parts of it, its first heading, its first lines. */
function headlinesOf({ title, headings, text }: Face): string[] {
  const lines = text.slice(0, BEGINNING).split('\n', LINES);
  const folded = foldWords(title.slice(0, BEGINNING));
  const parts = folded.split(/[|–—·•»«‹›_]|\s-\s|:\s|\s::\s|：|\s?-{2,}\s?/);
  const others = [(headings[0] ?? '').slice(0, BEGINNING), ...lines].map(foldWords);
  return [folded, ...parts, ...others].map((line) =>
    line.replace(/^[\s\p{P}\p{S}]+/u, '').replace(/[\s\p{P}\p{S}]+$/u, ''),
  );
}

function says(headlines: readonly string[], { headline }: ImpostorWords): boolean {
  return headlines.some((line) => line !== '' && headline.some((pattern) => pattern.test(line)));
}

function hasPhrase(text: string, { phrase }: ImpostorWords): boolean {
  return phrase.some((pattern) => pattern.test(text));
}

/** Is less than half of a text in the copy's? */
function isHardly(text: string, copy: string): boolean {
  const known = new Set(piecesOf(copy));
  const pieces = piecesOf(text);
  const shared = pieces.filter((piece) => known.has(piece)).length;
  return shared < SAME_SHARE * pieces.length || pieces.length === 0;
}

function piecesOf(text: string): string[] {
  const start = text.slice(0, COMPARED);
  return Array.from({ length: Math.max(0, start.length - PIECE + 1) }, (_, at) =>
    start.slice(at, at + PIECE),
  );
}

/**
 * What a page asks of crawlers in `X-Robots-Tag` headers and `<meta name="robots">`: noindex, nofollow, noarchive,
 * nosnippet and their relatives. No standard; this follows the documentation of the large search engines. All values
 * count together and the stricter wins, so `noindex, index` is noindex.
 */
import { EARLIEST_NOW_MS, parseDate } from '../parse/date.ts';
import type { Directives } from '../types.ts';
import { productTokenOf } from './parse.ts';

/**
 * The directives of all header values and meta contents that concern a page, true meaning permitted. An agent prefix
 * (`otherbot: noindex, nofollow`) binds the rest of its value to that agent; `productToken` says which one we are.
 * `nowMs` decides whether an `unavailable_after` date has passed. Unknown words are ignored; never throws.
 */
export function robotsDirectives(
  values: readonly string[],
  productToken: string,
  nowMs: number = EARLIEST_NOW_MS,
): Directives {
  const product = productTokenOf(productToken);
  const denied = new Set<keyof Directives>();
  for (const value of values) {
    for (const { agent, name, argument } of readDirectives(value)) {
      const isForUs = agent === null || agent === '*' || agent === 'robots' || agent === product;
      if (isForUs) for (const what of deniedBy(name, argument, nowMs)) denied.add(what);
    }
  }
  return {
    index: !denied.has('index'),
    follow: !denied.has('follow'),
    archive: !denied.has('archive'),
    snippet: !denied.has('snippet'),
  };
}

interface Directive {
  /** In lower case; null when the value names none. */
  readonly agent: string | null;
  readonly name: string;
  /** What follows the colon; empty when there is none. */
  readonly argument: string;
}

/** Directives that take an argument after a colon; before any other colon stands an agent. */
const WITH_ARGUMENT: ReadonlySet<string> = new Set([
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
  'unavailable_after',
]);

/** Characters of a value that are read; no honest value is longer. */
const MAX_VALUE_LENGTH = 4096;

function readDirectives(value: string): Directive[] {
  const found: Directive[] = [];
  let agent: string | null = null;
  const text = value
    .slice(0, MAX_VALUE_LENGTH)
    .toLowerCase()
    .replace(/\s*:\s*/g, ':');
  // Words are parted by commas or white space; only a date may hold either, and it reaches as far as it is a date.
  // Odd places of the list hold what parts them.
  const words = text.split(/([\s,;]+)/);
  for (let i = 0; i < words.length; i += 2) {
    let [name, rest] = cutAtColon(words[i] ?? '');
    while (rest !== null && !WITH_ARGUMENT.has(name)) {
      agent = name;
      [name, rest] = cutAtColon(rest);
    }
    if (name === 'unavailable_after' && rest !== null) {
      const date = longestDate(rest, words, i);
      rest = date.text;
      i = date.end;
    }
    if (name !== '') found.push({ agent, name, argument: rest ?? '' });
  }
  return found;
}

function cutAtColon(word: string): [name: string, rest: string | null] {
  const colon = word.indexOf(':');
  return colon < 0 ? [word, null] : [word.slice(0, colon), word.slice(colon + 1)];
}

/** Words in the longest form of date: week day, day, month, year, time, zone. */
const MAX_DATE_WORDS = 6;

/** `start` and as many of the words after index `from` as make a date together. `end` is the index of the last. */
function longestDate(start: string, words: readonly string[], from: number): { text: string; end: number } {
  for (let end = Math.min(words.length - 1, from + 2 * MAX_DATE_WORDS); end > from; end -= 2) {
    const text = start + words.slice(from + 1, end + 1).join('');
    if (parseDate(text) !== null) return { text, end };
  }
  return { text: start, end: from };
}

function deniedBy(name: string, argument: string, nowMs: number): readonly (keyof Directives)[] {
  switch (name) {
    case 'none':
      return ['index', 'follow'];
    case 'noindex':
      return ['index'];
    case 'nofollow':
      return ['follow'];
    case 'noarchive':
    case 'nocache':
      return ['archive'];
    case 'nosnippet':
      return ['snippet'];
    case 'max-snippet':
      return argument === '0' ? ['snippet'] : [];
    case 'unavailable_after':
      return (parseDate(argument, nowMs) ?? Number.POSITIVE_INFINITY) < nowMs ? ['index'] : [];
    default:
      return [];
  }
}

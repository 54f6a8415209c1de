/** The language of a page: as it declares, unless its script says otherwise. */

/** How much text is looked at. */
const SAMPLE_LENGTH = 2_000;
/** Share of letters a script needs before it decides. */
const SCRIPT_SHARE = 0.3;

/** Scripts that tell a language, or narrow it down; checked in order. */
const scripts: readonly { readonly pattern: RegExp; readonly languages: readonly string[] }[] = [
  { pattern: /[\p{Script=Hiragana}\p{Script=Katakana}]+/gu, languages: ['ja'] },
  { pattern: /\p{Script=Hangul}+/gu, languages: ['ko'] },
  { pattern: /\p{Script=Han}+/gu, languages: ['zh', 'ja', 'ko', 'yue', 'wuu'] },
  {
    pattern: /\p{Script=Cyrillic}+/gu,
    languages: ['ru', 'uk', 'bg', 'sr', 'mk', 'be', 'kk', 'ky', 'mn', 'tg', 'uz'],
  },
  { pattern: /\p{Script=Greek}+/gu, languages: ['el'] },
  { pattern: /\p{Script=Hebrew}+/gu, languages: ['he', 'yi'] },
  { pattern: /\p{Script=Arabic}+/gu, languages: ['ar', 'fa', 'ur', 'ps', 'ckb', 'ug'] },
  { pattern: /\p{Script=Thai}+/gu, languages: ['th'] },
  { pattern: /\p{Script=Devanagari}+/gu, languages: ['hi', 'mr', 'ne', 'sa'] },
  { pattern: /\p{Script=Bengali}+/gu, languages: ['bn', 'as'] },
  { pattern: /\p{Script=Tamil}+/gu, languages: ['ta'] },
  { pattern: /\p{Script=Georgian}+/gu, languages: ['ka'] },
  { pattern: /\p{Script=Armenian}+/gu, languages: ['hy'] },
];

/** Share of kana that makes a text in Chinese characters Japanese. */
const KANA_SHARE = 0.05;

/**
 * Primary language subtag of BCP 47 in lower case, null when nothing is known.
 *
 * @param declared What the page says (html lang, Content-Language, og:locale). Believed unless the text is in a script
 *   the language is not written in: templates carry `lang="en"` around everything.
 */
export function detectLanguage(text: string, declared: string | null): string | null {
  const language = primarySubtag(declared);
  const possible = languagesOfScript(text.slice(0, SAMPLE_LENGTH));
  if (possible === null) return language;
  return language !== null && possible.includes(language) ? language : (possible[0] ?? language);
}

/** `zh-Hant-TW`, `en_US`, ` DE ` → `zh`, `en`, `de`; null for what is no language tag. The first of a list counts. */
export function primarySubtag(declared: string | null): string | null {
  const match = /^\s*([a-z]{2,3})(?:[-_][a-z0-9]+)*\s*(?:,|$)/i.exec(declared ?? '');
  const language = match?.[1]?.toLowerCase() ?? null;
  if (language === 'und' || language === 'mul' || language === 'zxx') return null;
  return obsoleteSubtags[language ?? ''] ?? language;
}

/** Subtags replaced in the IANA registry, and wrong ones seen often (country codes). */
const obsoleteSubtags: Readonly<Record<string, string>> = {
  iw: 'he',
  in: 'id',
  ji: 'yi',
  cn: 'zh',
  jp: 'ja',
  kr: 'ko',
};

function languagesOfScript(sample: string): readonly string[] | null {
  if (!BEYOND_LATIN.test(sample)) return null;
  const letters = count(sample, /\p{Letter}+/gu);
  if (letters === 0) return null;
  for (const { pattern, languages } of scripts) {
    const isKana = languages[0] === 'ja';
    if (count(sample, pattern) > (isKana ? KANA_SHARE : SCRIPT_SHARE) * letters) return languages;
  }
  return null;
}

/** Letters beyond Latin Extended-B; punctuation (U+2000 …) aside. Most pages have none, and so no script listed above. */
const BEYOND_LATIN = /[\u0250-\u1fff\u2070-\uffff]/;

/** Characters of the runs that match. */
function count(text: string, pattern: RegExp): number {
  let length = 0;
  for (const run of text.match(pattern) ?? []) length += run.length;
  return length;
}

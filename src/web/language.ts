/** In which language a page speaks, and its words, numbers and times. Pure. */
import { en, type MessageKey } from './messages/en.ts';
import { zhCn } from './messages/zh-cn.ts';

export type Language = 'en' | 'zh-CN';

/** Languages with their own names. */
export const languages: readonly (readonly [Language, string])[] = [
  ['en', 'English'],
  ['zh-CN', '简体中文'],
];

type Params = Readonly<Record<string, string>>;
/** A key with the forms `.one` and `.other`. */
type PluralKey = MessageKey extends infer Key ? (Key extends `${infer Stem}.one` ? Stem : never) : never;

/** The voice of one language. */
export interface Voice {
  readonly language: Language;
  say(key: MessageKey, params?: Params): string;
  /** The form for that many, with `{count}` written as the language does. */
  count(key: PluralKey, count: number): string;
  number(value: number): string;
  /** `3 days ago`, `3 天前`. */
  ago(at: number, now: number): string;
  /** Date and time, in the zone of this machine. */
  date(at: number): string;
}

/** `?lang=` decides, then Accept-Language (RFC 9110, 12.5.4), then English. Any Chinese is answered in Chinese. */
export function chooseLanguage(wanted: string | undefined, acceptLanguage: string | undefined): Language {
  const ranges = (acceptLanguage ?? '').slice(0, 1_000).split(',').map(readRange);
  const accepted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  for (const tag of [wanted ?? '', ...accepted.map((range) => range.tag)]) {
    const known = languageOf(tag);
    if (known !== null) return known;
  }
  return 'en';
}

export function voiceOf(language: Language): Voice {
  return voices[language];
}

function createVoice(language: Language): Voice {
  const messages: Readonly<Record<MessageKey, string>> = language === 'en' ? en : zhCn;
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const say: Voice['say'] = (key, params = {}) =>
    messages[key].replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  return {
    language,
    say,
    count: (key, count) =>
      say(`${key}.${plurals.select(count) === 'one' ? 'one' : 'other'}`, { count: numbers.format(count) }),
    number: (value) => numbers.format(value),
    ago: (at, now) => relative.format(...distance(at - now)),
    date: (at) => dates.format(at),
  };
}

function readRange(range: string): { readonly tag: string; readonly weight: number } {
  const [tag = '', ...params] = range.split(';').map((part) => part.trim());
  const q = params.find((param) => /^q=/i.test(param));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return { tag, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

function languageOf(tag: string): Language | null {
  if (/^zh\b/i.test(tag)) return 'zh-CN';
  return /^en\b/i.test(tag) ? 'en' : null;
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** A span in its largest whole unit. */
function distance(ms: number): [number, Intl.RelativeTimeFormatUnit] {
  const step = steps.find(([, size]) => Math.abs(ms) >= size);
  return step === undefined ? [Math.trunc(ms / 1_000), 'second'] : [Math.trunc(ms / step[1]), step[0]];
}

/** Made once: Intl objects cost more than a whole page. */
const voices: Readonly<Record<Language, Voice>> = { en: createVoice('en'), 'zh-CN': createVoice('zh-CN') };

/** Endless made-up prose in several scripts and encodings, with words as unevenly used as in real text. */
import { legacyEncoder } from '../src/demo/encode.ts';
import { seededRandom } from './seeded-random.ts';

export interface Prose {
  readonly language: string;
  /** WHATWG name. */
  readonly encoding: string;
  /** Share of the pages written in it. */
  readonly share: number;
  /** So many words, joined as the script does. */
  words(random: () => number, count: number): string;
  encode(text: string): Uint8Array;
  /** Whole paragraphs of HTML, encoded, up to about `bytes`; `at` in [0, 1) says from where. */
  passage(at: number, bytes: number): Uint8Array;
}

/** One script: its letters, or a range of double-byte codes of which each is a character. */
interface Script {
  readonly language: string;
  readonly encoding: string;
  readonly share: number;
  readonly letters: string | { readonly encoding: string; readonly leads: readonly [number, number] };
  readonly space: string;
  readonly stop: string;
}

/** Encoded prose kept for each script, bytes; passages are slices of it. */
const POOL_BYTES = 2_000_000;
const VOCABULARY = 20_000;
const LATIN = 'a e i o u an en er in on st th tr ch l m n p r s t d g b w';

const scripts: readonly Script[] = [
  { language: 'en', encoding: 'utf-8', share: 0.55, letters: LATIN, space: ' ', stop: '. ' },
  // Level 1 of GB 2312 and of Big5 and JIS: the characters in common use.
  {
    language: 'zh',
    encoding: 'utf-8',
    share: 0.2,
    letters: { encoding: 'gbk', leads: [0xb0, 0xd6] },
    space: '',
    stop: '。',
  },
  {
    language: 'zh',
    encoding: 'gbk',
    share: 0.05,
    letters: { encoding: 'gbk', leads: [0xb0, 0xd6] },
    space: '',
    stop: '。',
  },
  {
    language: 'zh-Hant',
    encoding: 'big5',
    share: 0.05,
    letters: { encoding: 'big5', leads: [0xa4, 0xc5] },
    space: '',
    stop: '。',
  },
  {
    language: 'ja',
    encoding: 'shift_jis',
    share: 0.05,
    letters: { encoding: 'shift_jis', leads: [0x89, 0x97] },
    space: '',
    stop: '。',
  },
  {
    language: 'fr',
    encoding: 'windows-1252',
    share: 0.05,
    letters: `${LATIN} é è à ç ô û ê`,
    space: ' ',
    stop: '. ',
  },
  {
    language: 'ru',
    encoding: 'windows-1251',
    share: 0.05,
    letters: 'а е и о у ан ен ер ст пр к л м н п р с т в д',
    space: ' ',
    stop: '. ',
  },
];

export function proses(seed: number): Prose[] {
  return scripts.map((script, index) => proseOf(script, seed + index));
}

function proseOf(script: Script, seed: number): Prose {
  const vocabulary = vocabularyOf(script, seededRandom(seed, 3));
  const encode =
    script.encoding === 'utf-8' ? (text: string) => Buffer.from(text) : legacyEncoder(script.encoding);
  const words = (random: () => number, count: number): string =>
    Array.from({ length: count }, () => pick(vocabulary, random)).join(script.space);
  const { pool, starts } = poolOf(script, words, encode, seededRandom(seed, 4));
  return {
    language: script.language,
    encoding: script.encoding,
    share: script.share,
    words,
    encode,
    passage(at, bytes) {
      const first = Math.floor(at * starts.length * 0.5);
      const start = starts[first] ?? 0;
      const next = starts.findIndex((offset, index) => index > first && offset >= start + bytes);
      return pool.subarray(start, Math.max(start, starts[next - 1] ?? pool.length));
    },
  };
}

function poolOf(
  { stop }: Script,
  words: (random: () => number, count: number) => string,
  encode: (text: string) => Uint8Array,
  random: () => number,
): { pool: Uint8Array; starts: number[] } {
  const paragraphs: Uint8Array[] = [];
  const starts: number[] = [];
  let bytes = 0;
  while (bytes < POOL_BYTES) {
    const sentences = Array.from({ length: 3 + Math.floor(random() * 4) }, () =>
      words(random, 8 + Math.floor(random() * 16)),
    );
    const paragraph = encode(`<p>${sentences.join(stop)}${stop}</p>\n`);
    starts.push(bytes);
    paragraphs.push(paragraph);
    bytes += paragraph.length;
  }
  return { pool: Buffer.concat(paragraphs), starts };
}

function vocabularyOf({ letters }: Script, random: () => number): string[] {
  const pieces = typeof letters === 'string' ? letters.split(' ') : charactersOf(letters);
  const length = typeof letters === 'string' ? 4 : 2;
  return Array.from({ length: VOCABULARY }, () =>
    Array.from(
      { length: 1 + Math.floor(random() * length) },
      () => pieces[Math.floor(random() * pieces.length)],
    ).join(''),
  );
}

function charactersOf({
  encoding,
  leads: [first, last],
}: {
  encoding: string;
  leads: readonly [number, number];
}): string[] {
  const decoder = new TextDecoder(encoding);
  const leads = Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  // Trail bytes from 0xa1 are pairs in all three encodings.
  const trails = Array.from({ length: 0xf0 - 0xa1 }, (_, offset) => 0xa1 + offset);
  return leads.flatMap((lead) => trails.map((trail) => decoder.decode(Uint8Array.of(lead, trail))));
}

/** The nth word is used about 1/n as often as the first (Zipf): its rank is uniform on a logarithmic scale. */
function pick(vocabulary: readonly string[], random: () => number): string {
  return vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? '';
}

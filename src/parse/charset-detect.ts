/**
 * The encoding of a body that declares none, guessed from its bytes.
 *
 * UTF-8 proves itself: text in another encoding is hardly ever valid UTF-8. The rest is statistics, done by `chardet`
 * on the words that are not ASCII, since markup and English would outvote them; what it proposes must also decode.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';

/** Enough words to be sure, few enough to be quick. */
const SAMPLE_BYTES = 8_192;
/** Below this confidence (0–100, chardet's) a guess is no better than the default. */
const LEAST_CONFIDENCE = 15;

/** WHATWG names of what chardet can tell apart and a web page may be in. */
const names: Readonly<Record<string, string>> = {
  Big5: 'big5',
  'EUC-JP': 'euc-jp',
  'EUC-KR': 'euc-kr',
  GB18030: 'gb18030',
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-2': 'iso-8859-2',
  'ISO-8859-5': 'iso-8859-5',
  'ISO-8859-6': 'iso-8859-6',
  'ISO-8859-7': 'iso-8859-7',
  'ISO-8859-8': 'windows-1255',
  'ISO-8859-9': 'windows-1254',
  'KOI8-R': 'koi8-r',
  Shift_JIS: 'shift_jis',
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  'windows-1252': 'windows-1252',
  'windows-1253': 'windows-1253',
  'windows-1254': 'windows-1254',
  'windows-1255': 'windows-1255',
  'windows-1256': 'windows-1256',
  'windows-1257': 'windows-1257',
  'windows-874': 'windows-874',
};

/** WHATWG name of the encoding a body is most likely in; null for plain ASCII or when nothing stands out. */
export function detectEncoding(body: Uint8Array): string | null {
  if (isAscii(body)) return hasJapaneseEscape(body) ? 'iso-2022-jp' : null;
  if (isUtf8(body)) return 'utf-8';
  const sample = foreignWords(body);
  for (const { name, confidence } of analyse(sample)) {
    const encoding = names[name];
    if (confidence < LEAST_CONFIDENCE) break;
    if (encoding !== undefined && decodes(sample, encoding)) return encoding;
  }
  return null;
}

/** ISO-2022-JP shifts into two-byte Japanese by ESC $ @ or ESC $ B (RFC 1468). */
function hasJapaneseEscape(body: Uint8Array): boolean {
  const at = body.indexOf(0x1b);
  return at !== -1 && body[at + 1] === 0x24 && (body[at + 2] === 0x40 || body[at + 2] === 0x42);
}

/** Words that have a byte above ASCII, one space between them, up to the sample's size. */
function foreignWords(body: Uint8Array): Uint8Array {
  const sample = new Uint8Array(SAMPLE_BYTES);
  let size = 0;
  let start = 0;
  let isForeign = false;
  for (let i = 0; i <= body.length && size < SAMPLE_BYTES; i++) {
    const byte = body[i] ?? 0;
    if (byte > 0x7f) isForeign = true;
    if (byte > 0x20 && byte !== 0x3c && byte !== 0x3e && i < body.length) continue;
    if (isForeign) {
      const word = body.subarray(start, Math.min(i, start + SAMPLE_BYTES - size));
      sample.set(word, size);
      size = Math.min(size + word.length + 1, SAMPLE_BYTES);
      sample.fill(0x20, size - 1, size);
    }
    start = i + 1;
    isForeign = false;
  }
  return sample.subarray(0, size);
}

/** A multi-byte guess that its own decoder refuses is wrong; the last character may have been cut. */
function decodes(sample: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false; // TypeError is how a broken sequence is told
  }
}

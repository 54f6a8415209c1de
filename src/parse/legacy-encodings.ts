/**
 * Bytes to text, with the encodings set right that `TextDecoder` of Node.js gets wrong.
 *
 * Node decodes through ICU, whose tables are older than the Encoding Standard's: windows-1252 leaves 0x80–0x9F as
 * control characters (Node ≤ 22 at least), gbk lacks the euro sign and eighty others, euc-kr lacks 8,822 syllables.
 * big5 without the Hong Kong extension is left as it is.
 */

/** 0x80–0x9F of windows-1252 (Encoding Standard, index windows-1252). */
const WINDOWS_1252_HIGH =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/**
 * Text of `bytes` in an encoding known by its WHATWG name. Broken sequences become U+FFFD; a byte order mark is left
 * out.
 */
export function decodeAs(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'windows-1252') return decodeWindows1252(bytes);
  if (encoding === 'gbk') return new TextDecoder('gb18030').decode(bytes); // the standard's gbk decoder is gb18030's
  if (encoding === 'euc-kr') return decodeEucKr(bytes);
  return new TextDecoder(encoding).decode(bytes);
}

function decodeWindows1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return latin1.replaceAll(
    /[\u0080-\u009f]/g,
    (char) => WINDOWS_1252_HIGH[char.charCodeAt(0) - 0x80] ?? char,
  );
}

/**
 * EUC-KR with the syllables of Unified Hangul Code: the ones KS X 1001 lacks, in Unicode order, in pairs of a lead
 * 0x81–0xC6 and a trail outside 0xA1–0xFE (for leads above 0xA0).
 */
function decodeEucKr(bytes: Uint8Array): string {
  const decoder = new TextDecoder('euc-kr');
  let extension: string[] | null = null;
  let text = '';
  let start = 0;
  for (let i = 0; i < bytes.length; i++) {
    const lead = bytes[i] ?? 0;
    if (lead < 0x81 || lead === 0xff) continue;
    const index = extensionIndex(lead, bytes[i + 1] ?? 0);
    if (index !== -1) {
      extension ??= unifiedHangulExtension();
      text += decoder.decode(bytes.subarray(start, i)) + (extension[index] ?? '\ufffd');
      start = i + 2;
    }
    if ((bytes[i + 1] ?? 0) > 0x40) i++;
  }
  return text + decoder.decode(bytes.subarray(start));
}

/** Trails in use below 0xA1, in order: 0x41–0x5A, 0x61–0x7A, 0x81–0xA0. */
const LOW_TRAILS = 26 + 26 + 32;
/** … and with 0xA1–0xFE, which leads up to 0xA0 use too. */
const ALL_TRAILS = LOW_TRAILS + 94;

function extensionIndex(lead: number, trail: number): number {
  if (lead > 0xc6 || (lead > 0xa0 && trail > 0xa0)) return -1;
  let column = -1;
  if (trail >= 0x41 && trail <= 0x5a) column = trail - 0x41;
  else if (trail >= 0x61 && trail <= 0x7a) column = trail - 0x61 + 26;
  else if (trail >= 0x81 && trail <= 0xfe) column = trail - 0x81 + 52;
  if (column === -1) return -1;
  const rows = lead - 0x81;
  const fullRows = Math.min(rows, 0xa1 - 0x81);
  return fullRows * ALL_TRAILS + (rows - fullRows) * LOW_TRAILS + column;
}

/** The 8,822 Hangul syllables that are not among the 2,350 of KS X 1001 (rows 0xB0–0xC8), in order. */
function unifiedHangulExtension(): string[] {
  const rows: number[] = [];
  for (let lead = 0xb0; lead <= 0xc8; lead++) {
    for (let trail = 0xa1; trail <= 0xfe; trail++) rows.push(lead, trail);
  }
  const known = new Set(new TextDecoder('euc-kr').decode(Uint8Array.from(rows)));
  const syllables: string[] = [];
  for (let code = 0xac00; code <= 0xd7a3; code++) {
    const syllable = String.fromCharCode(code);
    if (!known.has(syllable)) syllables.push(syllable);
  }
  return syllables;
}

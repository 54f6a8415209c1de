/**
 * Text to bytes in a legacy two-byte encoding. Node only decodes them, so the table is its decoder read backwards:
 * every pair of bytes is decoded once and remembered by the character it stands for.
 */

/** Lead bytes of GBK and Big5 (Encoding Standard, gb18030 and Big5 decoders). */
const FIRST_LEAD = 0x81;
const LAST_LEAD = 0xfe;
/** Trail bytes: none below this stands for itself in a pair. */
const FIRST_TRAIL = 0x40;

/** An encoder; it throws a RangeError for a character the encoding does not have. */
export function legacyEncoder(encoding: 'gbk' | 'big5'): (text: string) => Uint8Array {
  const pairs = pairsOf(encoding);
  return (text) => {
    const bytes: number[] = [];
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0;
      const pair = pairs.get(character);
      if (code < 0x80) bytes.push(code);
      else if (pair !== undefined) bytes.push(pair >> 8, pair & 0xff);
      else throw new RangeError(`${encoding} has no "${character}"`);
    }
    return Uint8Array.from(bytes);
  };
}

function pairsOf(encoding: string): ReadonlyMap<string, number> {
  const decoder = new TextDecoder(encoding);
  const pairs = new Map<string, number>();
  for (let lead = FIRST_LEAD; lead <= LAST_LEAD; lead++) {
    for (let trail = FIRST_TRAIL; trail <= 0xfe; trail++) {
      const text = decoder.decode(Uint8Array.of(lead, trail));
      const isOneCharacter = [...text].length === 1 && text !== '\ufffd';
      if (isOneCharacter && !pairs.has(text)) pairs.set(text, (lead << 8) | trail);
    }
  }
  return pairs;
}

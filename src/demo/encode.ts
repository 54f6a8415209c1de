/**
 * Text to bytes in a legacy encoding. Node only decodes them, so the table is its decoder read backwards: every byte
 * and every pair of bytes is decoded once and remembered by the character it stands for.
 */

/** Trail bytes of two-byte encodings start here (Encoding Standard: GBK, Big5, Shift_JIS). */
const FIRST_TRAIL = 0x40;

/** An encoder for an encoding of one or two bytes a character; it throws a RangeError for a character it does not have. */
export function legacyEncoder(encoding: string): (text: string) => Uint8Array {
  const table = tableOf(encoding);
  return (text) => {
    const bytes: number[] = [];
    for (const character of text) {
      const code = table.get(character);
      if (code === undefined) throw new RangeError(`${encoding} has no "${character}"`);
      if (code > 0xff) bytes.push(code >> 8);
      bytes.push(code & 0xff);
    }
    return Uint8Array.from(bytes);
  };
}

/** Characters by code: the byte, or lead × 256 + trail. */
function tableOf(encoding: string): ReadonlyMap<string, number> {
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, number>();
  const add = (code: number, ...bytes: number[]): boolean => {
    const text = decoder.decode(Uint8Array.from(bytes));
    const isCharacter = [...text].length === 1 && text !== '\ufffd';
    if (isCharacter && !table.has(text)) table.set(text, code);
    return isCharacter;
  };
  for (let lead = 0; lead <= 0xff; lead++) {
    if (add(lead, lead)) continue;
    for (let trail = FIRST_TRAIL; trail <= 0xff; trail++) add((lead << 8) | trail, lead, trail);
  }
  return table;
}

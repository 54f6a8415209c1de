import { describe, expect, test } from 'vitest';
import { legacyEncoder } from './encode.ts';

describe('legacyEncoder', () => {
  test.each([
    ['gbk', '停水通知: abc', [0xcd, 0xa3]],
    ['big5', '颱風期間', [0xbb, 0xe4]],
    ['shift_jis', '東京タワー ｱ', [0x93, 0x8c]],
    ['windows-1251', 'Привет', [0xcf, 0xf0]],
    ['windows-1252', 'éclair à la crème', [0xe9, 0x63]],
  ])('%s is what its decoder reads', (encoding, text, start) => {
    const bytes = legacyEncoder(encoding)(text);
    expect([...bytes.slice(0, 2)]).toEqual(start);
    expect(new TextDecoder(encoding, { fatal: true }).decode(bytes)).toBe(text);
  });

  test('a character it does not have is an error, not a question mark', () => {
    expect(() => legacyEncoder('windows-1251')('日')).toThrow(RangeError);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeLinks, encodeLinks } from './link-list.ts';

describe('link lists', () => {
  test.each([
    { ids: [], bytes: [] },
    { ids: [0], bytes: [0] },
    { ids: [1, 128], bytes: [1, 127] },
    { ids: [300, 300, 7], bytes: [7, 0xa5, 0x02] },
    { ids: [128], bytes: [0x80, 0x01] },
    { ids: [2 ** 53 - 1], bytes: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f] },
  ])('$ids is $bytes', ({ ids, bytes }) => {
    expect([...encodeLinks(ids)]).toEqual(bytes);
  });

  test('any set of ids comes back sorted', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat()), (ids) => {
        expect(decodeLinks(encodeLinks(ids))).toEqual([...new Set(ids)].sort((a, b) => a - b));
      }),
    );
  });

  test('bytes cut short lose only what was cut', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat(), { minLength: 1 }), fc.nat(), (ids, at) => {
        const bytes = encodeLinks(ids);
        const all = decodeLinks(bytes);
        const some = decodeLinks(bytes.subarray(0, at % bytes.length));
        expect(some).toEqual(all.slice(0, some.length));
      }),
    );
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutPassages } from './passages.ts';

test('a short text is one passage, an empty one none', () => {
  expect(cutPassages('A text.')).toEqual(['A text.']);
  expect(cutPassages('')).toEqual([]);
});

test('cuts at paragraphs, else at sentences, else between words', () => {
  const paragraphs = `${'word '.repeat(120)}\n${'word. '.repeat(120)}`;
  expect(cutPassages(paragraphs)[0]).toBe(`${'word '.repeat(120)}\n`);
  expect(cutPassages('One sentence. '.repeat(100))[0]).toMatch(/sentence\. $/);
  expect(cutPassages('一句话。'.repeat(300))[0]).toMatch(/。$/);
  expect(cutPassages('word '.repeat(300))[0]).toMatch(/word $/);
});

test('passages are the text again, none too long, none splitting a character', () => {
  const piece = fc.constantFrom('word ', 'A sentence. ', '一句话。', '😀', '\n', 'x'.repeat(700));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 300 }), (pieces) => {
      const text = pieces.join('');
      const passages = cutPassages(text);
      expect(passages.join('')).toBe(text);
      for (const passage of passages) {
        expect(passage.length).toBeLessThanOrEqual(1000);
        expect(passage).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
      }
    }),
  );
});

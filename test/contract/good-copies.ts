/** What every search index must tell of the pages it holds, for answers to be compared with (crawl/visit-page.ts). */
import { beforeEach, describe, expect, test } from 'vitest';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { documentOf, page, put, remove, verify } from '../support/documents.ts';

export function goodCopiesContract(name: string, create: () => SearchIndex): void {
  describe(`${name}: good copies (R23)`, () => {
    const text = 'One paragraph.\nAnd another, 中文。';
    const { contentHash } = documentOf(text);
    let index: SearchIndex;
    beforeEach(async () => {
      index = create();
      await index.write([
        put(page(1), text),
        put(page(2), text),
        put(page(3, 'https://other.test/'), 'else'),
      ]);
    });

    test('a document is as it was put, that of a twin too', async () => {
      expect(await index.document(1)).toEqual(documentOf(text));
      expect(await index.document(2)).toEqual(documentOf(text));
      await index.write([verify(page(1), 5_000)]);
      expect(await index.document(1)).toMatchObject({ text, fetchedAt: 5_000 });
    });

    test('there is none of a page that is unknown or removed', async () => {
      await index.write([remove(page(1))]);
      expect(await index.document(1)).toBeNull();
      expect(await index.document(99)).toBeNull();
      expect((await index.document(2))?.text).toBe(text);
    });

    test('content is elsewhere when another page of the host has it', async () => {
      expect(await index.isElsewhere(1, 'site.test', contentHash)).toBe(true);
      expect(await index.isElsewhere(2, 'site.test', contentHash)).toBe(true);
      expect(await index.isElsewhere(99, 'site.test', contentHash)).toBe(true);
      expect(await index.isElsewhere(3, 'other.test', contentHash)).toBe(false);
      expect(await index.isElsewhere(1, 'site.test', 'unknown')).toBe(false);
      await index.write([remove(page(1))]);
      expect(await index.isElsewhere(2, 'site.test', contentHash)).toBe(false);
    });
  });
}

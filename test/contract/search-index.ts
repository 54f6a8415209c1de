/**
 * What every search index must do, whatever stores it. The suite takes a factory, so each implementation runs the same
 * tests. R… in names are requirements; `fault …` and `bug-…` are mistakes of naive crawlers.
 */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseQuery } from '../../src/search/query.ts';
import type { SearchHit, SearchIndex, SearchOptions, SearchResult } from '../../src/search/search-index.ts';
import { keep, page, put, remove, verify } from '../support/documents.ts';

export function searchIndexContract(name: string, create: () => SearchIndex): void {
  let index: SearchIndex;
  beforeEach(() => {
    index = create();
  });
  const search = async (input: string, options?: SearchOptions): Promise<SearchResult> =>
    index.search(parseQuery(input), options);
  const found = async (input: string): Promise<number[]> =>
    (await search(input)).hits.map((hit) => hit.id).sort();
  const first = async (input: string): Promise<SearchHit> => {
    const [hit] = (await search(input)).hits;
    if (hit === undefined) throw new Error(`nothing found for ${input}`);
    return hit;
  };

  describe(`${name}: what is found (R45, R46)`, () => {
    beforeEach(async () => {
      await index.write([
        put(page(1), '中华人民共和国成立于1949年。首都\n北京。', { language: 'zh' }),
        put(
          page(2),
          'Use node:fs and readFileSync in C++ or .NET; install @scope/pkg v1.2.3, std::vector and foo_bar.',
        ),
        put(page(3), 'The quick brown\nfox jumps over e-mail drivers.', {
          title: 'Animals',
          headings: ['Foxes at night'],
        }),
        put(
          page(4, 'https://docs.example.org:8080/asyncio-guide'),
          '用Ｐｙｔｈｏｎ语言编程很简单，naïve café 한국어 검색 東京タワー',
        ),
        put(page(5, 'https://example.org/'), 'fox and hound'),
      ]);
    });

    test.each([
      ['人民', [1]],
      ['共和国', [1]],
      ['华', [1]],
      ['国', [1]],
      ['人民共和国', [1]],
      ['中华人民共和国', [1]],
      ['华民', []],
      ['首都北京', [1]],
      ['Python', [4]],
      ['用Python', [4]],
      ['"用Python语言"', [4]],
      ['"python语"', [4]],
      ['编程语言', [4]],
      ['"编程语言"', []],
      ['naive CAFE', [4]],
      ['naïve', [4]],
      ['한국', [4]],
      ['검색', [4]],
      ['タワー', [4]],
      ['node:fs', [2]],
      ['NODE:FS', [2]],
      ['readFileSync', [2]],
      ['readfilesync', [2]],
      ['file sync', [2]],
      ['C++', [2]],
      ['Ｃ＋＋', [2]],
      ['.NET', [2]],
      ['net', [2]],
      ['@scope/pkg', [2]],
      ['v1.2.3', [2]],
      ['std::vector', [2]],
      ['foo_bar', [2]],
      ['foobar', [2]],
      ['foo-bar', [2]],
      ['"brown fox"', [3]],
      ['“brown fox”', [3]],
      ['「brown fox」', [3]],
      ['"brown fox', [3]],
      ['"fox brown"', []],
      ['email driver', [3]],
      ['e-mail', [3]],
      ['fox', [3, 5]],
      ['the fox', [3, 5]],
      ['foxes', [3, 5]],
      ['fox -hound', [3]],
      ['fox -"quick brown"', [5]],
      ['hound OR drivers', [3, 5]],
      ['hound | drivers', [3, 5]],
      ['fox site:example.org', [5]],
      ['site:example.org', [4, 5]],
      ['site:docs.example.org', [4]],
      ['site:docs.example.org:8080', [4]],
      ['site:docs.example.org:81', []],
      ['site:ample.org', []],
      ['fox -site:example.org', [3]],
      ['asyncio', [4]],
      ['night', [3]],
      ['animals', [3]],
      ['-fox', []],
      ['', []],
    ])('%j finds %j', async (input, ids) => {
      expect(await found(input)).toEqual(ids);
    });

    test('few pages with all words bring in pages with most of them, behind', async () => {
      await index.write([put(page(6), 'quick hound')]);
      const result = await search('quick fox hound');
      expect(result.isRelaxed).toBe(true);
      expect(result.hits.map((hit) => hit.id).sort()).toEqual([3, 5, 6]);
      expect((await search('如何学习Python编程语言')).hits.map((hit) => hit.id)).toEqual([4]);
    });
  });

  describe(`${name}: writing (R29, R30, faults 5, 7, 9)`, () => {
    const long = (word: string): string =>
      Array.from({ length: 5 }, (_, index) => `${word}${index} ${'filler words here. '.repeat(50)}`).join(
        '\n',
      );

    test('all passages of a page are there, and are replaced together', async () => {
      await index.write([put(page(1), long('alpha'))]);
      for (let part = 0; part < 5; part++) expect(await found(`alpha${part}`)).toEqual([1]);
      await index.write([put(page(1), long('beta'))]);
      for (let part = 0; part < 5; part++) {
        expect(await found(`alpha${part}`)).toEqual([]);
        expect(await found(`beta${part}`)).toEqual([1]);
      }
      expect(await index.count()).toBe(1);
    });

    test('writing twice is writing once', async () => {
      const outcomes = [put(page(1), 'zebra'), put(page(2), 'zebra too'), verify(page(1), 2000)];
      await index.write(outcomes);
      const once = await search('zebra');
      await index.write(outcomes);
      expect(await search('zebra')).toEqual(once);
    });

    test('bug-099: a removed page is not found, and can come back', async () => {
      await index.write([put(page(1), 'zebra'), remove(page(2))]);
      await index.write([remove(page(1))]);
      expect(await found('zebra')).toEqual([]);
      expect(await index.count()).toBe(0);
      await index.write([put(page(1), 'zebra')]);
      expect(await found('zebra')).toEqual([1]);
    });

    test('keep changes nothing; verify only when it was last seen', async () => {
      await index.write([put(page(1), 'zebra', { fetchedAt: 1000 })]);
      const before = await first('zebra');
      await index.write([keep(page(1))]);
      expect(await first('zebra')).toEqual(before);
      await index.write([verify(page(1), 5000), verify(page(7), 5000)]);
      expect(await first('zebra')).toEqual({ ...before, fetchedAt: 5000 });
    });

    test('faults 3 and 4: a page changes when its content does, not when it first comes', async () => {
      await index.write([put(page(1), 'zebra', { fetchedAt: 1000 })]);
      expect((await first('zebra')).changedAt).toBeNull();
      await index.write([put(page(1), 'zebra', { fetchedAt: 2000 })]);
      expect(await first('zebra')).toMatchObject({ changedAt: null, fetchedAt: 2000 });
      await index.write([put(page(1), 'zebra crossing', { fetchedAt: 3000 })]);
      expect((await first('zebra')).changedAt).toBe(3000);
    });
  });

  describe(`${name}: pages with the same content (R24)`, () => {
    const a = page(1, 'https://a.test/1');
    const b = page(2, 'https://a.test/2');
    const c = page(3, 'https://c.test/3');
    beforeEach(() => index.write([put(a, 'zebra'), put(b, 'zebra'), put(c, 'zebra')]));

    test('are one hit that names the others', async () => {
      const result = await search('zebra');
      expect(result.hits.map((hit) => [hit.id, hit.duplicates])).toEqual([[1, [b.url, c.url]]]);
      expect(result.total).toBe(1);
      expect(await index.count()).toBe(3);
    });

    test('fault 9: a twin takes over when the one shown goes or changes', async () => {
      await index.write([remove(c), put(a, 'quagga')]);
      expect(await first('zebra')).toMatchObject({ id: 2, duplicates: [], snippet: 'zebra' });
      await index.write([put(a, 'zebra')]);
      expect((await search('zebra')).hits).toMatchObject([{ id: 2, duplicates: [a.url] }]);
      await index.write([remove(b)]);
      expect(await first('zebra')).toMatchObject({ id: 1, duplicates: [] });
    });

    test('are found by the site each of them is on', async () => {
      expect((await search('zebra site:c.test')).hits).toMatchObject([{ id: 3 }]);
    });

    test('bug-100: variants fold into their canonical page when it is indexed', async () => {
      const proper = page(10, 'https://a.test/p');
      await index.write([
        put(page(11, 'https://a.test/p?print'), 'okapi printed okapi', { canonical: proper.url }),
        put(page(12, 'https://a.test/p?utm=1'), 'okapi', { canonical: proper.url }),
        put(page(13, 'https://a.test/q'), 'okapi elsewhere', { canonical: 'https://a.test/missing' }),
      ]);
      expect(await found('okapi')).toEqual([11, 12, 13]);
      await index.write([put(proper, 'okapi')]);
      expect(await found('okapi')).toEqual([10, 13]);
      expect((await search('okapi')).hits.find((hit) => hit.id === 10)?.duplicates.length).toBe(2);
    });
  });

  describe(`${name}: pages with nearly the same text (R24)`, () => {
    /** Sentences of different words, so many that one of them is little. */
    const essay = (subject: string, sentences = 40): string =>
      Array.from(
        { length: sentences },
        (_, n) => `The ${subject} of part${n} needs word${n * 7} and word${n * 11}.`,
      ).join(' ');
    const version = (number: string, site = 'docs.test'): Parameters<typeof put> => [
      page(Math.round(Number(number) * 100), `https://${site}/${number}/queue`),
      `${essay('queue')} New in ${number}.`,
      { title: `Queues in ${number}` },
    ];
    const ids = async (input: string, options?: SearchOptions): Promise<unknown[]> =>
      (await search(input, options)).hits.map((hit) => [hit.id, hit.similar]);

    test('are one hit, the best, until all are asked for', async () => {
      await index.write(['3.09', '3.10', '3.11'].map((number) => put(...version(number))));
      expect(await ids('queue')).toEqual([[309, 2]]);
      expect(await ids('queue 3.11')).toEqual([[311, 2]]);
      expect(await ids('queue', { isUnfolded: true })).toEqual([
        [309, 0],
        [310, 0],
        [311, 0],
      ]);
      expect(await search('queue')).toMatchObject({ total: 3, isTotalExact: true, hasMore: false });
      expect(await index.count()).toBe(3);
    });

    test('stay apart on different hosts, with different titles, and when there is little text', async () => {
      const [target, text] = version('3.10', 'other.test');
      await index.write([
        put(...version('3.09')),
        put(target, text, { title: 'Queues in 3.10' }),
        put(page(1, 'https://docs.test/a'), `${text} `, { title: 'Stacks' }),
        ...[2, 3].map((id) =>
          put(page(id), `No queue on day ${id}. ${'Back to the month. '.repeat(4)}`, { title: 'Day' }),
        ),
      ]);
      expect((await ids('queue')).length).toBe(5);
    });

    test('are told anew when a page changes', async () => {
      await index.write([put(...version('3.09')), put(...version('3.10'))]);
      expect(await ids('queue')).toEqual([[309, 1]]);
      await index.write([
        put(page(310), `${essay('queue', 10)} rewritten queue`, { title: 'Queues in 3.10' }),
      ]);
      expect((await ids('queue')).length).toBe(2);
    });

    test('fill pages of results without gap or repeat, however many stand behind one', async () => {
      const texts = Array.from({ length: 12 }, (_, topic) => essay(`topic${topic} zebra`));
      await index.write(
        texts.flatMap((text, topic) =>
          Array.from({ length: 30 }, (_, n) =>
            put(page(topic * 100 + n + 1), `${text} Version ${n}.`, {
              title: `Topic ${'x'.repeat(topic)} ${n}`,
            }),
          ),
        ),
      );
      const hits: SearchHit[] = [];
      for (const offset of [0, 5, 10, 15]) {
        const result = await search('zebra', { offset, limit: 5 });
        expect(result).toMatchObject({ total: 360, isTotalExact: true, hasMore: offset < 10 });
        hits.push(...result.hits);
      }
      expect(new Set(hits.map((hit) => hit.title.replace(/\d+/, ''))).size).toBe(12);
      expect(hits.length).toBe(12);
    });
  });

  describe(`${name}: results`, () => {
    test('pages follow each other without gap or repeat, and the total is exact', async () => {
      await index.write(Array.from({ length: 35 }, (_, n) => put(page(n + 1), `zebra number ${n}`)));
      const ids: number[] = [];
      for (const offset of [0, 10, 20, 30, 40]) {
        const result = await search('zebra', { offset, limit: 10 });
        expect(result).toMatchObject({ total: 35, isTotalExact: true });
        ids.push(...result.hits.map((hit) => hit.id));
      }
      for (const odd of [-1, 0.5, Number.NaN])
        expect((await search('zebra', { offset: odd })).hits.length).toBe(10);
      expect((await search('zebra', { offset: 1e9, limit: 1e9 })).hits).toEqual([]);
      expect(ids.length).toBe(35);
      expect(new Set(ids).size).toBe(35);
    });

    test('a hit shows the best passage, with marks on the very characters', async () => {
      const text = `${'前言。'.repeat(400)}\n😀 使用Ｃ＋＋编程，ﬁnd the café 👩‍💻 here.\n${'end. '.repeat(300)}`;
      await index.write([put(page(1), text, { title: '😀 Ｃ＋＋ 编程' })]);
      const hit = await first('C++ 编程 find cafe');
      expect(hit.marks.map(([start, end]) => hit.snippet.slice(start, end))).toEqual([
        'Ｃ＋＋',
        '编程',
        'ﬁnd',
        'café',
      ]);
      expect(hit.titleMarks.map(([start, end]) => hit.title.slice(start, end))).toEqual(['Ｃ＋＋', '编程']);
    });

    test('nosnippet shows no text of the page, nor its description', async () => {
      await index.write([
        put(page(1), 'secret zebra', { title: 'Zebra', description: 'a zebra', hasSnippet: false }),
      ]);
      expect(await first('secret')).toMatchObject({ snippet: '', marks: [], title: 'Zebra' });
    });

    test('noarchive is told', async () => {
      await index.write([put(page(1), 'zebra', { hasSnapshot: false })]);
      expect((await first('zebra')).hasSnapshot).toBe(false);
    });

    test('any text can be searched for', async () => {
      await index.write([put(page(1), 'zebra "quoted" NEAR(a b) title:x * ^ c++')]);
      const syntax = fc.constantFrom(
        '"',
        '*',
        '^',
        '(',
        ')',
        ':',
        '-',
        '+',
        '{',
        '}',
        ' OR ',
        ' NOT ',
        ' AND ',
        'NEAR(',
        'title:',
        'site:',
        '华',
        'x',
        ' ',
        "'",
        '\\',
        '\0',
        '“',
        '－',
      );
      const input = fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.array(syntax).map((parts) => parts.join('')),
      );
      await fc.assert(
        fc.asyncProperty(input, async (text) => {
          const { hits } = await search(text);
          for (const hit of hits) {
            for (const [start, end] of hit.marks)
              expect(0 <= start && start < end && end <= hit.snippet.length).toBe(true);
          }
        }),
        { numRuns: 300 },
      );
    });

    test('whatever words a page has, it is found by them', async () => {
      const words = [
        'alpha',
        'Beta',
        'c++',
        'node:fs',
        '人民',
        '共和国',
        '한국어',
        'naïve',
        'v1.2',
        'foo_bar',
        'XMLHttp',
      ];
      const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(text, fc.nat(), async (chosen, pick) => {
          const fresh = create();
          await fresh.write([put(page(1), chosen.join(' '))]);
          const word = chosen[pick % chosen.length] ?? '';
          expect((await fresh.search(parseQuery(word))).total).toBe(1);
          expect((await fresh.search(parseQuery(`"${chosen.join(' ')}"`))).total).toBe(1);
        }),
        { numRuns: 60 },
      );
    });
  });
}

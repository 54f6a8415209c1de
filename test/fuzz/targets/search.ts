/** What people type into the search box, run against a small index. */
import assert from 'node:assert/strict';
import { parseQuery } from '../../../src/search/query.ts';
import { SqliteSearchIndex } from '../../../src/search/sqlite.ts';
import { openMemoryDatabase } from '../../../src/store/database.ts';
import { page, put } from '../../support/documents.ts';
import type { Target } from '../target.ts';

const texts = [
  'A zebra runs over the wide plain. E-mail it to node:fs drivers.',
  '人民共和国的斑马在平原上奔跑。Python教程',
  'The end of the WITH clause, C++ and naïve cafés.',
  'シマウマは速い。얼룩말은 빠르다. ม้าลายวิ่งเร็ว',
];
const hosts = ['a.test', 'docs.a.test', 'b.test', 'c.test:8080'];
const all = { limit: 100 };

export function searchTarget(): Target {
  const index = new SqliteSearchIndex(openMemoryDatabase());
  index.write(
    texts.map((text, n) => put(page(n + 1, `https://${hosts[n]}/${n}`), text, { title: text.slice(0, 12) })),
  );
  return {
    corpus: [
      'zebra',
      '"wide plain"',
      'zebra OR 斑马',
      '-zebra plain',
      'site:a.test zebra',
      '-site:a.test the',
      '人民共和国',
      'e-mail node:fs',
      '「平原」',
    ],
    words: [
      ...[
        'zebra ',
        'plain ',
        'the ',
        '人民',
        '斑马',
        'シマ',
        '얼룩말',
        'ม้าลาย',
        'Python教程',
        'c++',
        'e-mail',
        'node:fs',
        'cafés',
        ' ',
      ],
      ...[
        '"',
        '“',
        '”',
        '「',
        '」',
        '『',
        '-',
        '－',
        '--',
        ' OR ',
        ' | ',
        'OR',
        'AND ',
        'NOT ',
        'NEAR(',
        ')',
        '*',
        '^',
        '{title} : ',
        ':',
        '+',
      ],
      ...[
        'site:',
        '-site:',
        'site:a.test ',
        'site:[::1] ',
        'site:http://',
        '\0',
        "'",
        ';',
        '%',
        '\ud800',
        '\u0301',
        '\u200d',
        'ﬁ',
        'İ',
        'ß',
      ],
    ],
    run(input) {
      const query = parseQuery(input);
      const result = index.search(query, all);
      return () => {
        assert.ok(query.groups.flat().length <= 32, 'a query has a bound');
        assert.ok(result.total >= result.hits.length, 'a total counts what is shown');
        for (const hit of result.hits) {
          checkMarks(hit.snippet, hit.marks);
          checkMarks(hit.title, hit.titleMarks);
          const name = hit.host.replace(/:\d+$/, '');
          const isOf = (site: string): boolean =>
            hit.host === site || name === site || name.endsWith(`.${site}`) || hit.host.endsWith(`.${site}`);
          assert.ok(query.sites.length === 0 || query.sites.some(isOf), 'a hit is of a host asked for');
          assert.ok(!query.excludedSites.some(isOf), 'no hit is of a host left out');
        }
        const longer = index.search(parseQuery(`${input.slice(0, 900)} `), all);
        if (input.length < 900)
          assert.deepEqual(longer.hits, result.hits, 'a blank behind a query changes nothing');
      };
    },
  };
}

function checkMarks(text: string, marks: readonly (readonly [number, number])[]): void {
  let at = 0;
  for (const [start, end] of marks) {
    assert.ok(start >= at && end > start && end <= text.length, 'marks lie in the text, in order');
    at = end;
  }
}

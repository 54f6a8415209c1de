/** Values of robots metas and X-Robots-Tag headers, one a line. */
import assert from 'node:assert/strict';
import { robotsDirectives } from '../../../src/robots/directives.ts';
import type { Directives } from '../../../src/types.ts';
import { caseInputs } from '../corpus.ts';
import type { Target } from '../target.ts';

const NOW_MS = Date.UTC(2026, 6, 1);

export function directivesTarget(): Target {
  const names = [
    'noindex',
    'nofollow',
    'none',
    'index',
    'follow',
    'all',
    'noarchive',
    'nocache',
    'nosnippet',
    'max-snippet:0',
  ];
  return {
    corpus: [
      ...caseInputs(
        'robots-meta',
        'robots_meta',
        ['html'],
        ({ html }) => /content="([^"]*)"/.exec(html)?.[1] ?? html,
      ),
      'freshet: noindex\notherbot: noarchive, nosnippet',
      'unavailable_after: 25 Jun 2025 15:00:00 PST, noarchive',
      'max-snippet:-1, max-image-preview:large, max-video-preview:0',
    ],
    words: [
      ...names,
      ',',
      ', ',
      ' ',
      ':',
      ';',
      '\n',
      'freshet:',
      'otherbot:',
      'unavailable_after:',
      '2025-01-01',
      'Wed, 01 Jan 2025',
    ],
    run(input) {
      const values = input.split('\n');
      const read = (list: readonly string[]): Directives => robotsDirectives(list, 'freshet', NOW_MS);
      const directives = read(values);
      return () => {
        assert.deepEqual(read(values.toReversed()), directives, 'the order of values changes nothing');
        assert.deepEqual(read([...values, ...values]), directives, 'saying it twice changes nothing');
        const strictest = read([...values, 'none, noarchive, nosnippet']);
        assert.deepEqual(Object.values(strictest), [false, false, false, false], 'the stricter wins');
        assert.deepEqual(read([...values, 'all']), directives, 'nothing permits what was denied');
      };
    },
  };
}

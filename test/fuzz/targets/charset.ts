/** Bodies in any encoding: the first line is the Content-Type, the rest the bytes. */
import assert from 'node:assert/strict';
import {
  charsetOfContentType,
  declaredEncoding,
  decodeBody,
  encodingForLabel,
} from '../../../src/parse/charset.ts';
import { caseInputs, demoAnswers } from '../corpus.ts';
import { bytesOf, cutLine, HALF_A_CHARACTER, type Target } from '../target.ts';

/** Node decodes these as the Encoding Standard says; the others have tables of ours (parse/legacy-encodings.ts). */
const SOUND_IN_NODE: ReadonlySet<string> = new Set([
  'utf-8',
  'utf-16le',
  'utf-16be',
  'gb18030',
  'shift_jis',
  'euc-jp',
  'koi8-r',
]);

export function charsetTarget(): Target {
  const hex = (text: string): string => Buffer.from(text, 'hex').toString('latin1');
  const labels = caseInputs('encoding', 'labels', ['label', 'encoding'], ({ label }) => label);
  return {
    corpus: [
      ...caseInputs('encoding', 'prescan', ['body_hex'], ({ body_hex }) => `text/html\n${hex(body_hex)}`),
      ...caseInputs(
        'encoding',
        'decode',
        ['content_type', 'body_hex'],
        (one) => `${one.content_type}\n${hex(one.body_hex)}`,
      ),
      ...caseInputs(
        'encoding',
        'xml',
        ['content_type', 'body_hex'],
        (one) => `${one.content_type}\n${hex(one.body_hex)}`,
      ),
      ...caseInputs('encoding', 'content_type', ['header'], ({ header }) => `${header}\ncaf\xe9`),
      ...demoAnswers().map(
        ({ headers, body }) => `${headers['content-type']}\n${Buffer.from(body).toString('latin1')}`,
      ),
    ],
    words: [
      ...[
        'text/html',
        'text/plain',
        'application/xml',
        ';',
        '=',
        '"',
        '\\',
        ',',
        ' ',
        '; charset=',
        '\n',
        '<meta charset=',
        '>',
        '<!--',
        '-->',
      ],
      ...[
        '<?xml version="1.0" encoding="',
        '"?>',
        '<meta http-equiv=content-type content="text/html;charset=',
        "'",
        '\xef\xbb\xbf',
        '\xff\xfe',
        '\xfe\xff',
      ],
      ...[
        '\0',
        '\x1b$B',
        '\x1b(B',
        '~{',
        '\xa4\xa2',
        '\x81\x30\x81\x30',
        '\xe3\x81\x82',
        '\xed\xa0\x80',
        '\xf0\x9f\x98\x80',
        '\x80',
        '\xff',
        '\xd8\x00',
      ],
      ...labels,
    ],
    run(input) {
      const [contentType, rest] = cutLine(input);
      const body = bytesOf(rest);
      const { text, encoding } = decodeBody(body, contentType);
      const declared = declaredEncoding(body);
      const labelled = charsetOfContentType(contentType);
      return () => {
        assert.ok(!HALF_A_CHARACTER.test(text), 'text has no halves of characters');
        // Big5 has two-byte characters that are a letter and a mark.
        assert.ok(text.length <= body.length, 'text is no longer than its bytes');
        for (const name of [encoding, declared, labelled])
          if (name !== null) assert.equal(encodingForLabel(name), name, 'an encoding has its standard name');
        if (SOUND_IN_NODE.has(encoding))
          assert.equal(text, new TextDecoder(encoding).decode(body), 'text is what the standard says');
      };
    },
  };
}

/** HTML pages as bytes: what is indexed of them, where they lead, and their copy that can do nothing. */
import assert from 'node:assert/strict';
import { LINK_LIMIT } from '../../../src/parse/links.ts';
import { isParsableType, parsePage } from '../../../src/parse/page.ts';
import { tokensOf } from '../../../src/search/document-tokens.ts';
import { inertHtml } from '../../../src/web/inert.ts';
import { actors } from '../../support/actors.ts';
import { caseInputs, demoAnswers } from '../corpus.ts';
import { bytesOf, HALF_A_CHARACTER, octets, type Target } from '../target.ts';

const PAGE = 'https://a.test/dir/page?x=1';

const words: readonly string[] = [
  ...[
    '<',
    '>',
    '</',
    '/>',
    '"',
    "'",
    '=',
    '<!--',
    '-->',
    '--!>',
    '<!',
    '<?',
    ']]>',
    '<![CDATA[',
    '&',
    '&amp',
    '&#x0;',
    '&#xd800;',
    '&#',
    '&lt;',
  ],
  ...[
    '<p>',
    '<div>',
    '</div>',
    '<b>',
    '<i>',
    '</b>',
    '<a href="/x">',
    '<a href=javascript:1>',
    '</a>',
    '<table>',
    '<tr>',
    '<td>',
    '<caption>',
  ],
  ...[
    '<ul>',
    '<li>',
    '<select>',
    '<option>',
    '<button>',
    '<form>',
    '<input type=password>',
    '<h1>',
    '</h1>',
    '<title>',
    '</title>',
    '<br>',
    '</p>',
  ],
  ...[
    '<script>',
    '</script>',
    '<style>',
    '</style>',
    '<textarea>',
    '<xmp>',
    '<plaintext>',
    '<noscript>',
    '<template>',
    '</template>',
    '<iframe>',
  ],
  ...[
    '<svg>',
    '</svg>',
    '<math>',
    '<mtext>',
    '<mi>',
    '<foreignObject>',
    '<desc>',
    '<annotation-xml encoding="text/html">',
    '<font color=x>',
  ],
  ...[
    '<base href="/b/">',
    '<meta charset=gbk>',
    '<meta name=robots content=noindex>',
    '<meta http-equiv=refresh content="0;url=/y">',
  ],
  ...[
    '<link rel=canonical href=/c>',
    '<html lang=zh>',
    '<head>',
    '<body>',
    '<frameset>',
    '<main>',
    '<article>',
    '<nav>',
    '<header>',
    '<pre>',
  ],
  ...[
    '<img src=x onerror=1>',
    '<img src="data:image/png;base64,AA">',
    ' style="a:url(x)"',
    ' hidden',
    ' onclick=1',
    '@import "x";',
    'url(',
    '\\75rl(',
  ],
  ...[
    '\0',
    '\r',
    '\n',
    '\t',
    ' ',
    'word ',
    '人民',
    '\xff',
    '\xef\xbb\xbf',
    '<script type=application/ld+json>',
    '{"datePublished":"2026"}',
  ],
];

const corpus = (): string[] => [
  ...caseInputs('extraction', 'cases', ['html'], ({ html }) => octets(html)),
  ...caseInputs('links', 'links', ['html'], ({ html }) => octets(html)),
  ...caseInputs('links', 'robots_meta', ['html'], ({ html }) => octets(html)),
  ...demoAnswers()
    .filter(({ headers }) => /html/.test(headers['content-type'] ?? ''))
    .map(({ body }) => Buffer.from(body).toString('latin1')),
];

export function pagesTarget(): Target {
  return {
    corpus: corpus(),
    words: words.map(octets),
    run(input) {
      const body = bytesOf(input);
      isParsableType(null, body);
      const page = parsePage(
        body,
        { url: PAGE, contentType: 'text/html', robotsHeaders: [], receivedAt: 0 },
        'freshet',
      );
      const tokens = tokensOf(page);
      return () => {
        assert.ok(page.links.length <= LINK_LIMIT, 'links have a bound');
        for (const { url } of page.links) assert.ok(isWebUrl(url), 'a link is a web address');
        for (const url of [page.base, page.canonical, page.refresh].filter((one) => one !== null))
          assert.ok(
            URL.canParse(typeof url === 'string' ? url : url.url),
            'what a page declares is an address',
          );
        for (const text of [page.title, page.text, page.description, ...page.headings]) {
          assert.ok(!HALF_A_CHARACTER.test(text), 'text has no halves of characters');
          assert.ok(text.length <= 2 * input.length, 'no text comes from nowhere');
        }
        assert.ok(
          JSON.stringify(tokens).length < 100 * (input.length + 100),
          'an index is not much larger than the page',
        );
      };
    },
  };
}

export function copiesTarget(): Target {
  const mark = (text: string): [number, number][] => (text.length > 2 ? [[1, 2]] : []);
  return {
    corpus: corpus(),
    words,
    run(html) {
      const copy = inertHtml(html, PAGE, mark);
      return () => {
        if (html.length < 8_192) assert.deepEqual(actors(copy), [], 'nothing in a copy acts');
        assert.ok(copy.length <= 100 + 40 * html.length, 'a copy is not much larger than the page');
      };
    },
  };
}

function isWebUrl(url: string): boolean {
  return /^https?:\/\//.test(url) && URL.canParse(url);
}

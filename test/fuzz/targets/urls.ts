/** URLs: links and their base, normal forms, what people type, and globs over them. */
import assert from 'node:assert/strict';
import { typedUrl } from '../../../src/cli/typed-url.ts';
import { compileGlob } from '../../../src/crawl/glob.ts';
import { compileScope, refusal } from '../../../src/crawl/scope.ts';
import { defaultTrapLimits, trapOf } from '../../../src/crawl/traps.ts';
import { checkUrl } from '../../../src/url/address.ts';
import { urlHash } from '../../../src/url/key.ts';
import { normalizeUrl, resolveLink } from '../../../src/url/normalize.ts';
import { joinUrl, queueKey, registrableDomain, splitUrl } from '../../../src/url/site.ts';
import { caseInputs } from '../corpus.ts';
import { cutLine, type Target } from '../target.ts';

const words: readonly string[] = [
  ...[
    'http://',
    'https://',
    'HTTP:',
    '//',
    '/',
    '\\',
    '?',
    '#',
    '&',
    '=',
    ';',
    ':',
    '@',
    '.',
    '..',
    '/./',
    '/../',
    '%2e',
    '%2E%2e/',
    '%%32e',
  ],
  ...[
    '%',
    '%2f',
    '%C3%A9',
    '%ff',
    '%25',
    '%00',
    '+',
    ' ',
    '\t',
    '\n',
    '*',
    '**',
    '/**/',
    '[::1]',
    '[',
    ']',
    '127.1',
    '0x7f.1',
    '1.2.3.4..',
  ],
  ...[
    'a.test',
    'xn--',
    'xn--bcher-kva',
    'bücher',
    '文档',
    '。',
    'ß',
    '\u00ad',
    ':80',
    ':443',
    ':99999',
    'utm_source=x',
    'sid=1',
    ';jsessionid=1',
  ],
  ...[
    '&amp;',
    '??',
    'a=b',
    'javascript:',
    'data:',
    'localhost',
    'user:pass@',
    '\ud800',
    '~',
    '|',
    '"',
    '<',
    '^',
    '`',
    '{',
  ],
];

/** The first line is the base, the rest the link. */
export function urlsTarget(): Target {
  return {
    corpus: [
      ...caseInputs(
        'url-normalisation',
        'resolve',
        ['input', 'base'],
        ({ input, base }) => `${base}\n${input}`,
      ),
      ...caseInputs('url-normalisation', 'pairs', ['a', 'b'], ({ a, b }) => `${a}\n${b}`),
      ...caseInputs('ssrf', 'urls', ['url'], ({ url }) => `http://a.test/\n${url}`),
    ],
    words,
    run(input) {
      const [base, href] = cutLine(input);
      const link = resolveLink(href, base);
      const key = normalizeUrl(link ?? href);
      const allowed = checkUrl(href);
      const typed = typedUrl(href);
      return () => {
        assert.equal(typedUrl(typed), typed, 'help for typed URLs is given once');
        if (link !== null) {
          assert.ok(/^https?:/.test(link) && !link.includes('#'), 'a link is a web address without fragment');
          assert.equal(resolveLink(link, null), link, 'a resolved link is resolved');
          assert.equal(normalizeUrl(`${link}#x`), key, 'a fragment changes no key');
        }
        if (allowed.ok)
          assert.deepEqual(checkUrl(allowed.url), allowed, 'a URL that may be fetched stays so');
        if (key !== null) checkKey(key);
      };
    },
  };
}

function checkKey(key: string): void {
  assert.equal(normalizeUrl(key), key, 'a normal form is its own');
  assert.match(key, /^https?:\/\/[\x21-\x7e]+$/, 'a normal form is visible ASCII');
  assert.equal(new URL(key).host, queueKey(key), 'the queue is the host');
  assert.equal(joinUrl(splitUrl(key)), key, 'parts make the whole');
  const hash = urlHash(key);
  assert.ok(Number.isSafeInteger(hash) && hash >= 0, 'a hash is a whole number');
  const { hostname } = new URL(key);
  const domain = registrableDomain(hostname);
  assert.ok(domain === null || `.${hostname}`.endsWith(`.${domain}`), 'a host is in its domain');
  trapOf(key, defaultTrapLimits, 0);
}

/** The first line is a glob, the rest a URL. */
export function globsTarget(): Target {
  return {
    corpus: [
      ...[
        '/docs/**',
        '*.pdf',
        '*?sort=*',
        '/p?a&b=1',
        '//*.a.test/x',
        'https://a.test/x',
        '/文档/**',
        '/a%2fb',
        '/a/**/b',
      ].map((glob) => `${glob}\nhttp://a.test/docs/a/x/b.pdf?b=1&sort=2`),
      ...caseInputs('url-normalisation', 'pairs', ['a', 'b'], ({ a, b }) => `${a}\n${b}`),
    ],
    words,
    run(input) {
      const [glob, text] = cutLine(input);
      const url = normalizeUrl(text) ?? 'http://a.test/a/b?c=d';
      const isMatch = compileGlob(glob)(url);
      const scope = compileScope({
        ...{ strategy: 'same-domain', hosts: [queueKey(url)], skipExtensions: [], maxDepth: 5 },
        ...{ include: [glob], exclude: [] },
      });
      const refused = refusal(scope, url, 0);
      return () => {
        assert.equal(refused === null, isMatch, 'what is included is in scope');
        if (isMatch) assert.ok(compileGlob(`${glob.trim()}`)(url), 'blanks around a glob are none of it');
        if (!/[*]/.test(url)) assert.ok(compileGlob(url)(url), 'a URL is a glob for itself');
        const { pathname } = new URL(url);
        if (
          /^\/(?!\/)[a-z*/]*$/.test(glob) &&
          !/\*\*\*/.test(glob) &&
          glob.length < 100 &&
          (glob.match(/\*/g)?.length ?? 0) < 5
        )
          assert.equal(
            isMatch,
            expressionOf(glob).test(pathname),
            'a glob agrees with its regular expression',
          );
      };
    },
  };
}

function expressionOf(glob: string): RegExp {
  const whole = glob.endsWith('/') ? `${glob}**` : glob;
  const source = whole.replace(/(?<=\/)\*\*\/|\*\*|\*/g, (star) =>
    star === '**/' ? '(?:.*/)?' : star === '**' ? '.*' : '[^/]*',
  );
  return new RegExp(`^${source}$`, 's');
}

/** What clients of the server send: IndexNow bodies; and the headers that choose language and own host. */
import assert from 'node:assert/strict';
import { isOwnHost } from '../../../src/web/guard.ts';
import { readParameters, readSubmission } from '../../../src/web/indexnow.ts';
import { chooseLanguage, languages } from '../../../src/web/language.ts';
import { cutLine, type Target } from '../target.ts';

/** JSON as it is posted. */
export function indexNowTarget(): Target {
  const push = {
    host: 'a.test',
    key: 'abcdef0123456789',
    urlList: ['https://a.test/x', 'https://a.test/y?z'],
  };
  return {
    corpus: [
      JSON.stringify(push),
      JSON.stringify({
        ...push,
        keyLocation: 'https://a.test/dir/key.txt',
        urlList: ['https://a.test/dir/x#y'],
      }),
      JSON.stringify({ ...push, host: 'A.TEST:443', urlList: ['http://a.test/', 'https://a.test:443/'] }),
    ],
    words: [
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '\\u0000',
        '\\ud800',
        'null',
        '1e999',
        'true',
        '"host":',
        '"key":',
        '"keyLocation":',
        '"urlList":',
      ],
      ...[
        '"a.test"',
        '"https://a.test/',
        '/',
        '..',
        '%2f',
        '%5c',
        '#',
        '?',
        '@',
        'a.test',
        'b.test',
        'abcdef01',
        'HTTPS:',
        ':443',
        '[::1]',
        '。',
        '\n',
      ],
    ],
    run(input) {
      const readings = [readSubmission(parsed(input)), readParameters(input, 'abcdef01', undefined)];
      return () => {
        for (const reading of readings) {
          if (!reading.isWellFormed) continue;
          const { keyFile, key, urls } = reading.submission;
          assert.match(key, /^[\w-]{8,128}$/, 'a key is one');
          assert.equal(new Set(urls).size, urls.length, 'every URL comes once');
          const folder = new URL('.', keyFile);
          for (const url of urls) {
            const { host, pathname, href } = new URL(url);
            assert.equal(href, url, 'a URL is absolute');
            assert.ok(
              host === folder.host && pathname.startsWith(folder.pathname),
              'a key speaks for its folder only',
            );
          }
        }
      };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The first line is a Host header, the rest an Accept-Language header. */
export function requestHeadersTarget(): Target {
  const own = ['search.test', '[fd00::1]'];
  return {
    corpus: [
      '127.0.0.1:7700\nen-GB,en;q=0.9,zh;q=0.8',
      'search.test\nzh-CN',
      '[::1]:80\nfr;q=0, *;q=0.1',
      'LOCALHOST.\nde',
    ],
    words: [
      ...[
        'localhost',
        '127.0.0.1',
        '[::1]',
        'search.test',
        'evil.test',
        '.',
        ':',
        ':80',
        '@',
        '/',
        '\\',
        '#',
        '?',
        ' ',
        '\t',
        '\n',
        '%',
        '\0',
      ],
      ...['en', 'zh', 'zh-Hant', '-', ',', ';', 'q=', ';q=0.5', ';q=1e9', ';q=NaN', '*', '=', '0', '1'],
    ],
    run(input) {
      const [host, accept] = cutLine(input);
      const isOurs = isOwnHost(host, own);
      const language = chooseLanguage(undefined, accept);
      return () => {
        assert.ok(
          languages.some(([known]) => known === language),
          'a language is one of ours',
        );
        if (!isOurs || !URL.canParse(`http://${host}/`)) return;
        const name = new URL(`http://${host}/`).hostname.replace(/\.$/, '');
        assert.ok(
          [...own, 'localhost', '127.0.0.1', '[::1]'].includes(name),
          'a browser takes an own host for the same',
        );
      };
    },
  };
}

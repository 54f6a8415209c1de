import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { honestPages } from '../../test/support/honest-pages.ts';
import { blockedPages, framed, loginPages, plain, soft404Pages } from '../../test/support/impostor-pages.ts';
import { parsePage } from '../parse/page.ts';
import type { ParsedPage } from '../types.ts';
import { type Face, type Impostor, impostorAtFirst, impostorBeside, isLogin } from './impostor.ts';

const ADDRESS = 'http://a.test/p';

function read(html: string): ParsedPage {
  return parsePage(
    Buffer.from(html),
    { url: ADDRESS, contentType: 'text/html; charset=utf-8', robotsHeaders: [], receivedAt: 0 },
    'freshet',
  );
}

const prose = Array.from(
  { length: 40 },
  (_, n) => `Sentence ${n} of the story tells of something else. `,
).join('');
const copy = read(framed('Story', `<h1>Story</h1><p>${prose}</p>`));

const impostors: readonly (readonly [Impostor, string, string])[] = [
  ...soft404Pages.map(([name, html]) => ['content.soft404', name, html] as const),
  ...loginPages.map(([name, html]) => ['content.login', name, html] as const),
  ...blockedPages.map(([name, html]) => ['content.blocked', name, html] as const),
];

describe('at the first visit', () => {
  test.each(impostors)('%s: %s', (reason, _, html) => {
    expect(impostorAtFirst(read(html))).toBe(reason);
  });

  test.each(honestPages)('a page: %s', (_, html) => {
    expect(impostorAtFirst(read(html))).toBeNull();
  });
});

describe('beside a good copy', () => {
  test.each(impostors)('%s: %s', (reason, _, html) => {
    expect(impostorBeside(read(html), copy, false)).toBe(reason);
  });

  test.each([...honestPages, ...impostors.map(([, name, html]) => [name, html] as const)])(
    'a page that says nothing new is the page: %s',
    (_, html) => {
      const page = read(html);
      const before = { text: `${page.text}\nMore, until yesterday.` };
      if (page.text.length > 20) expect(impostorBeside(page, before, false)).toBeNull();
    },
  );
});

describe('beside a good copy, more is a sign', () => {
  const beside = (html: string, isTwin = false): Impostor | null => impostorBeside(read(html), copy, isTwin);

  test.each([
    [
      'content.soft404',
      'a phrase',
      plain('Gazette', '<p>Sorry! We couldn’t find what you were looking for.</p>'),
    ],
    ['content.login', 'a phrase', plain('Gazette', '<p>Please sign in to continue reading.</p>')],
    [
      'content.login',
      'a field below a headline',
      framed('Welcome to the staff login portal', '<h1>Hello</h1><p>Type both.</p>'),
    ],
    ['content.blocked', 'a phrase', plain('Gazette', '<p>We noticed unusual traffic from your network.</p>')],
    ['content.shrunk', 'nearly nothing', plain('Story', '<h1>Story</h1>')],
    ['content.shrunk', 'the beginning of the text', plain('Story', `<p>${prose.slice(0, 50)}</p>`)],
    ['content.shrunk', 'an app without its text', '<title>Story</title><div id=root></div>'],
  ] as const)('%s: %s', (reason, _, html) => {
    expect(beside(html)).toBe(reason);
  });

  test('another page of the host has the same content', () => {
    const front = framed(
      'Example Gazette',
      `<h1>News</h1><p>${'Rain is expected in the north tomorrow. '.repeat(80)}</p>`,
    );
    expect(beside(front)).toBeNull();
    expect(beside(front, true)).toBe('content.soft404');
  });

  test('a twin that changes with its twin is a page', () => {
    expect(beside(framed('Story', `<h1>Story</h1><p>${prose} One more.</p>`), true)).toBeNull();
  });

  test.each([
    [
      'a new text of the usual size',
      framed('Tide', `<h1>Tide</h1><p>${'The tide turns at noon today. '.repeat(60)}</p>`),
    ],
    [
      'a new short text',
      framed(
        'Closed',
        '<h1>Closed on Monday</h1><p>The museum is closed on Monday, and on Tuesday before noon; groups may ask at the door.</p>',
      ),
    ],
    ['half of the text', framed('Story', `<h1>Story</h1><p>${prose.slice(0, 900)}</p>`)],
    [
      'its text and a notice',
      framed(
        'Story',
        `<h1>Story</h1><p>Parts of this site are temporarily unavailable.</p><p>${prose.slice(0, 900)}</p>`,
      ),
    ],
  ])('a page: %s', (_, html) => {
    expect(beside(html)).toBeNull();
  });

  test('a short page cannot shrink', () => {
    expect(
      impostorBeside(
        read(plain('Note', '<p>.</p>')),
        { text: 'A note of some fifty characters, and no more than that.' },
        false,
      ),
    ).toBeNull();
  });
});

describe('addresses of logins', () => {
  test.each([
    '/login',
    '/wp-login.php?redirect_to=%2F',
    '/user/sign_in',
    '/auth/sign-in/',
    '/SSO?x=1',
    '/a/logon.aspx',
    '/saml2/redirect',
  ])('%s', (path) => {
    expect(isLogin(`https://a.test${path}`)).toBe(true);
  });

  test.each([
    '/',
    '/blog/login-tips',
    '/signing',
    '/catalogin',
    '/docs/oauth2-flow',
    '/index?next=/login',
    '/design',
  ])('not %s', (path) => {
    expect(isLogin(`https://a.test${path}`)).toBe(false);
  });
});

describe('whatever a page holds', () => {
  const words = fc.constantFrom(
    '404',
    'page',
    'not found',
    'log in',
    'to',
    'the',
    '页面',
    '不存在',
    '登录',
    '|',
    ' - ',
    '\n',
    '(',
    '”',
    'maintenance',
    '😀',
    '\ud800',
  );
  const text = fc.array(fc.oneof(words, fc.string()), { maxLength: 60 }).map((parts) => parts.join(' '));
  const face: fc.Arbitrary<Face> = fc.record({
    url: fc.constant(ADDRESS),
    title: text,
    headings: fc.array(text, { maxLength: 3 }),
    text,
    refresh: fc.option(fc.record({ delay: fc.double(), url: fc.constantFrom(ADDRESS, 'http://a.test/') })),
    hasPasswordField: fc.boolean(),
    hasChallengeMark: fc.boolean(),
  });

  test('it is judged, and a page is no impostor beside itself', () => {
    fc.assert(
      fc.property(face, (page) => {
        impostorAtFirst(page);
        fc.pre(page.text.length > 10);
        expect(impostorBeside(page, page, true)).toBeNull();
      }),
    );
  });

  test.each(['a', ' ', '-', '4', '页', 'page ', 'not found ', '|', 'sorry, ', 'log in to '])(
    'time does not grow with the square of its size: %j',
    (piece) => {
      const long = piece.repeat(200_000);
      const page: Face = {
        url: ADDRESS,
        title: long,
        headings: [long],
        text: long,
        refresh: null,
        hasPasswordField: true,
        hasChallengeMark: false,
      };
      const short = { ...page, text: long.slice(0, 900) };
      const startedAt = performance.now();
      for (const one of [page, short]) {
        impostorAtFirst(one);
        impostorBeside(one, { text: long }, true);
      }
      expect(performance.now() - startedAt).toBeLessThan(500);
    },
  );
});

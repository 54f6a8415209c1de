/** Demo site: a cabinet of odd pages. Every address answers in a way that crawlers have stumbled over. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Frame, htmlPage } from './markup.ts';
import {
  type Answer,
  answer,
  type DemoPage,
  type DemoSite,
  type Fate,
  indexed,
  keptOut,
  never,
  type Origins,
  plain,
  redirect,
} from './page.ts';

const frame: Frame = {
  site: 'The Cabinet of Odd Pages',
  language: 'en',
  nav: [['Cabinet', '/']],
  footer: 'Each page says what is odd about it.',
};

/** A wait one can sit through in a demo, seconds. */
const RETRY_AFTER_S = 1;
/** Above the default limit of 5 MB for a decoded body (R17). */
const LARGE_BYTES = 6_000_000;

/** `slowMs`: how long the slow page takes. */
export function oddSite(origins: Origins, slowMs: number): DemoSite {
  const pages = [
    ...redirects(origins),
    ...unwilling,
    ...statuses,
    ...bodies(slowMs),
    ...directives,
    ...doubles(origins.odd),
    ...unreadable,
  ];
  return {
    robots: () => plain('User-agent: *\nDisallow: /private/\n'),
    pages: [cabinet(pages, origins), ...pages],
  };
}

/** The start page links every oddity that no other oddity leads to, and some things that are no pages at all. */
function cabinet(pages: readonly DemoPage[], origins: Origins): DemoPage {
  const inner = [
    '/redirect/older',
    '/redirect/loop-b',
    '/redirect/long/',
    '/hidden/rel-nofollow',
    '/hidden/behind-nofollow',
  ];
  const shown = pages.filter(
    ({ path }) => path === '/redirect/long/1' || !inner.some((start) => path.startsWith(start)),
  );
  const text = `
${shown.map(({ path }) => `- [${path}](${path})`).join('\n')}

Also [somebody else](${origins.outside}/), [a secret of this machine](http://127.0.0.1:1/secret),
[mail](mailto:nobody@example.org) and [a script](javascript:alert(1)).

<p>Please <a rel="nofollow" href="/hidden/rel-nofollow">do not follow this link</a>.</p>`;
  return { path: '/', fate: indexed, answer: () => page('The cabinet', text) };
}

function redirects(origins: Origins): DemoPage[] {
  const to = (
    path: string,
    status: 301 | 302 | 307,
    location: string,
    fate: Fate = keptOut(null),
  ): DemoPage => ({
    path,
    fate,
    answer: () => redirect(status, location),
  });
  const long = [1, 2, 3, 4, 5].map((hop) => to(`/redirect/long/${hop}`, 302, `/redirect/long/${hop + 1}`));
  return [
    to('/redirect/old', 301, '/redirect/older'),
    to('/redirect/older', 301, `${origins.odd}/redirect/home`),
    still('/redirect/home', 'The end of a chain', 'Two permanent redirects lead here.'),
    to('/redirect/elsewhere', 302, `${origins.docs}/guide/install`),
    to('/redirect/outside', 302, `${origins.outside}/`, keptOut('redirect.scope')),
    to('/redirect/secret', 302, 'http://127.0.0.1:1/secret', keptOut('redirect.scope')),
    to('/redirect/loop-a', 302, '/redirect/loop-b', keptOut(null)),
    to('/redirect/loop-b', 302, '/redirect/loop-a', keptOut('redirect.loop')),
    to('/redirect/self', 307, '/redirect/self', keptOut('redirect.loop')),
    ...long,
    to('/redirect/long/6', 302, '/redirect/long/7', keptOut('redirect.limit')),
    still(
      '/redirect/long/7',
      'Too far',
      'Six redirects lead here, one more than are followed.',
      never('redirect.limit'),
    ),
  ];
}

/** Pages that work at the second try. */
const unwilling: readonly DemoPage[] = [
  {
    path: '/busy',
    fate: indexed,
    answer: ({ count }) =>
      count > 0
        ? page('Busy for a moment', 'The first request was answered with 429 and a Retry-After.')
        : withHeader(answer('Too many requests\n', 'text/plain', 429), 'retry-after', String(RETRY_AFTER_S)),
  },
  {
    path: '/flaky',
    fate: indexed,
    answer: ({ count }) =>
      count > 0
        ? page('Up again', 'The first request was answered with 503.')
        : answer('Service unavailable\n', 'text/plain', 503),
  },
  {
    path: '/cut-off',
    fate: indexed,
    answer({ count }) {
      const whole = page(
        'Whole at last',
        'The first answer broke off in the middle, and half a page is not a page.',
      );
      return count > 0 ? whole : { ...whole, cutAfter: 200 };
    },
  },
];

const statuses: readonly DemoPage[] = [
  failing('/missing', 404, keptOut('http.404')),
  failing('/gone', 410, keptOut('http.410')),
  failing('/forbidden', 403, keptOut('http.403')),
  failing('/login-needed', 401, keptOut('http.401')),
];

function bodies(slowMs: number): DemoPage[] {
  const large = page('Large', 'more and more '.repeat(LARGE_BYTES / 14));
  return [
    {
      path: '/slow',
      fate: indexed,
      answer: () => ({ ...page('Slow', 'This page took its time and was worth the wait.'), delayMs: slowMs }),
    },
    { path: '/large', fate: keptOut('content.size'), answer: () => large },
    { path: '/large-packed', fate: keptOut('content.size'), answer: () => packed('gzip', large) },
    {
      path: '/packed/gzip',
      fate: indexed,
      answer: () => packed('gzip', page('Packed by gzip', 'Unpacked, this is a page.')),
    },
    {
      path: '/packed/br',
      fate: indexed,
      answer: () => packed('br', page('Packed by Brotli', 'Smaller still, yet a page.')),
    },
    {
      path: '/plain',
      fate: indexed,
      answer: () => plain('Plain text about marmalade\n\nNo markup, and still worth finding.\n'),
    },
    { path: '/empty', fate: keptOut('content.empty'), answer: () => answer('') },
    {
      path: '/readings',
      fate: keptOut('content.type'),
      answer: () => answer('{"rain":0.2}\n', 'application/json'),
    },
  ];
}

/** What pages and links ask of crawlers. */
const directives: readonly DemoPage[] = [
  still('/private/diary', 'Diary', 'robots.txt says no.', never('robots.disallow')),
  meta('/hidden/noindex', 'noindex', 'Not for the index', keptOut('directive.noindex')),
  {
    path: '/hidden/noindex-header',
    fate: keptOut('directive.noindex'),
    answer: () =>
      withHeader(page('Not for the index either', 'A header says so.'), 'x-robots-tag', 'noindex'),
  },
  meta('/hidden/noarchive', 'noarchive', 'Found, but no copy is shown', indexed),
  meta(
    '/hidden/nofollow',
    'nofollow',
    'Found, but its links are not',
    indexed,
    '[Behind it](/hidden/behind-nofollow)',
  ),
  still('/hidden/behind-nofollow', 'Behind', 'Only a nofollow page links here.', never('directive.nofollow')),
  still(
    '/hidden/rel-nofollow',
    'Behind a link',
    'Only a nofollow link leads here.',
    never('directive.nofollow'),
  ),
];

function doubles(origin: string): DemoPage[] {
  const twin = () => page('Twins', 'One text under two addresses: results show it once.');
  const canonical = { head: `<link rel="canonical" href="${origin}/canonical/main">` };
  const text = 'Two addresses, and both name this one as the proper one.';
  return [
    { path: '/twins/one', fate: indexed, answer: twin },
    { path: '/twins/two', fate: { kind: 'folded', into: '/twins/one' }, answer: twin },
    { path: '/canonical/main', fate: indexed, answer: () => page('The proper address', text, canonical) },
    {
      path: '/canonical/print',
      fate: { kind: 'folded', into: '/canonical/main' },
      answer: () => page('The proper address, printed', `${text} This one is for paper.`, canonical),
    },
  ];
}

/** Files that are no pages; most are known by their names. */
const unreadable: readonly DemoPage[] = [
  {
    path: '/files/leaflet.pdf',
    fate: keptOut('content.type'),
    answer: () => answer('%PDF-1.4\n%%EOF\n', 'application/pdf'),
  },
  { path: '/files/photo.jpg', fate: never('scope.extension'), answer: () => answer('', 'image/jpeg') },
  {
    path: '/files/readings.zip',
    fate: never('scope.extension'),
    answer: () => answer('', 'application/zip'),
  },
];

function page(title: string, text: string, more: { head?: string } = {}): Answer {
  return answer(htmlPage(frame, { title, text, ...more }));
}

function still(path: string, title: string, text: string, fate: Fate = indexed): DemoPage {
  return { path, fate, answer: () => ({ ...page(title, text), validator: 'etag' }) };
}

function meta(
  path: string,
  directive: string,
  title: string,
  fate: Fate,
  text = 'A meta element says so.',
): DemoPage {
  const head = `<meta name="robots" content="${directive}">`;
  return { path, fate, answer: () => page(title, text, { head }) };
}

function failing(path: string, status: number, fate: Fate): DemoPage {
  return { path, fate, answer: () => ({ ...page(`Status ${status}`, 'Nothing to see.'), status }) };
}

function withHeader(made: Answer, name: string, value: string): Answer {
  return { ...made, headers: { ...made.headers, [name]: value } };
}

function packed(coding: 'gzip' | 'br', made: Answer): Answer {
  const body = coding === 'gzip' ? gzipSync(made.body) : brotliCompressSync(made.body);
  return withHeader({ ...made, body }, 'content-encoding', coding);
}

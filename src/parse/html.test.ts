import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { type ParsedHtml, parseHtml } from './html.ts';
import { LINK_LIMIT } from './links.ts';

interface PageCase {
  readonly id: string;
  readonly level: string;
  readonly url: string;
  readonly html: string;
}
interface LinkCase extends PageCase {
  readonly links: string[] | null;
  readonly nofollow?: string[];
  readonly feeds?: string[];
  readonly anchor_text?: Record<string, string>;
  readonly generate?: string;
  readonly expect_contains_any?: string[][];
}
const cases = JSON.parse(readFileSync('test/fixtures/cases/links.json', 'utf8')) as {
  links: LinkCase[];
  base: (PageCase & { expect: string })[];
  refresh: (PageCase & { expect: ParsedHtml['refresh'] })[];
  canonical: (PageCase & { expect: string | null })[];
  robots_meta: (PageCase & {
    headers?: unknown;
    bot?: string;
    expect: { index: boolean; follow: boolean };
  })[];
};

/** Links the case calls optional: pages of a series are followed by link rel=next as well. */
const optional: Record<string, string[]> = { 'link-039': ['http://example.org/p2'] };
/** Policy: the query of a link is encoded as UTF-8 whatever the encoding of the page, as `new URL` does. */
const otherPolicy = new Set(['link-046']);

const byId = <T extends { id: string }>(list: readonly T[]) => list.map((item) => [item.id, item] as const);
const urls = (page: ParsedHtml, nofollow = false): string[] =>
  page.links.filter((link) => link.nofollow === nofollow).map((link) => link.url);
const at = (html: string, url = 'http://a.test/'): ParsedHtml => parseHtml(html, url);

describe('conformance cases', () => {
  const plain = cases.links.filter(({ id, generate }) => generate === undefined && !otherPolicy.has(id));
  test.each(byId(plain))('%s', (id, item) => {
    const page = parseHtml(item.html, item.url);
    const followed = urls(page).filter((url) => !optional[id]?.includes(url));
    if (item.links !== null) expect(followed).toEqual(item.links);
    if (item.nofollow) expect(urls(page, true)).toEqual(item.nofollow);
    if (item.feeds) expect(page.feeds).toEqual(item.feeds);
    for (const [url, text] of Object.entries(item.anchor_text ?? {})) {
      expect(page.links.find((link) => link.url === url)?.text).toBe(text);
    }
    if (item.expect_contains_any) {
      expect(item.expect_contains_any.some((any) => any.every((url) => followed.includes(url)))).toBe(true);
    }
  });

  test('link-033, link-034, link-035: many, long and broken', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `<a href="/n/${i}">`).join('');
    expect(urls(at(many))).toHaveLength(10_000);
    const long = `<a href="/${'a'.repeat(1_048_576)}"><a href="/v">`;
    expect(urls(at(long))).toContain('http://a.test/v');
    expect(urls(at('<a '.repeat(200_000)))).toEqual([]);
  });

  test.each(byId(cases.base))('%s', (_, { html, url, expect: expected }) => {
    expect(urls(parseHtml(html, url))).toEqual([expected]);
  });

  test.each(byId(cases.refresh))('%s', (_, { html, url, expect: expected }) => {
    expect(parseHtml(html, url).refresh).toEqual(expected);
  });

  test.each(byId(cases.canonical))('%s', (_, { html, url, expect: expected }) => {
    expect(parseHtml(html, url).canonical).toBe(expected);
  });

  const metas = cases.robots_meta.filter(({ html, headers }) => html !== undefined && headers === undefined);
  test.each(byId(metas))('%s', (_, { html, bot, expect: expected }) => {
    const { index, follow } = parseHtml(html, 'http://a.test/', { productToken: bot ?? 'ExampleBot' }).robots;
    expect({ index, follow }).toEqual({ index: expected.index, follow: expected.follow });
  });
});

describe('links', () => {
  test('bug-045: the first base with an href decides, valid or not', () => {
    const url = 'http://a.test/x/y.html';
    expect(urls(at("<head><base href='/root/'></head><a href='p'>", url))).toEqual(['http://a.test/root/p']);
    expect(urls(at('<base href=/1/><base href=/2/><a href=p>', url))).toEqual(['http://a.test/1/p']);
    expect(urls(at('<base href="javascript:x"><a href=p>', url))).toEqual(['http://a.test/x/p']);
    expect(urls(at('<base href="data:text/html,x"><a href=p>', url))).toEqual(['http://a.test/x/p']);
    expect(urls(at('<template><base href=/1/></template><a href=p>', url))).toEqual(['http://a.test/x/p']);
  });

  test('bug-046: rel is a set of tokens', () => {
    const page = at(
      "<a rel='noreferrer nofollow' href=/1><a rel='NoFollow' href=/2><a rel='nofollowing' href=/3><a rel='ugc\tsponsored' href=/4>",
    );
    expect(urls(page)).toEqual(['http://a.test/3']);
    expect(urls(page, true)).toEqual(['http://a.test/1', 'http://a.test/2', 'http://a.test/4']);
  });

  test.each([
    ['nofollow', true],
    ['ugc', true],
    ['sponsored', true],
    ['noopener UGC external', true],
    ['a\tsponsored\nb', true],
    ['a\fnofollow\rb', true],
    ['nofollow,noopener', false],
    ['no-follow', false],
    ['nofollow\u00a0noopener', false],
    ['nofollow\vnoopener', false],
    ['sponsoredlinks', false],
    ['', false],
  ])('bug-046: rel=%j declines to vouch for the link: %s', (rel, isDeclined) => {
    expect(at(`<a rel="${rel}" href=/x>`).links).toMatchObject([{ nofollow: isDeclined }]);
  });

  test('bug-047: what is no address of a page is no link', () => {
    const page = at(
      "<img src=' data:image/png;base64,AAAA\nBBBB'><a href='DATA:text/html,x'><a href='java\nscript:alert(1)'><a href='mailto:a@b'><a href='tel:1'>",
    );
    expect(page.links).toEqual([]);
  });

  test('bug-048: a fragment leads to the page itself', () => {
    expect(urls(at("<a href='#test'>T</a>", 'http://a.test/box/test.html'))).toEqual([
      'http://a.test/box/test.html',
    ]);
  });

  test('a link vouched for once is followed', () => {
    expect(urls(at('<a href=/a rel=nofollow>1</a><a href="/a#x">2</a>'))).toEqual(['http://a.test/a']);
  });

  test('srcset, poster, cite and template are not followed; translations are', () => {
    const page = at(
      '<link rel=alternate hreflang=de href=/de><img srcset="/1.png 2x" src=/2.png><video poster=/3.png></video>' +
        '<blockquote cite=/4></blockquote><template><a href=/5></template><style>a{background:url(/6)}</style>',
    );
    expect(urls(page)).toEqual(['http://a.test/de']);
  });

  test('the text is the first one there is, without that of scripts', () => {
    const page = at('<a href=/1> <img src=x></a><a href=/1>A <b>bold</b><script>x</script>\n one</a> after');
    expect(page.links).toEqual([{ url: 'http://a.test/1', nofollow: false, text: 'A bold one' }]);
  });

  test('bug-064: links beyond the limit are left out, and it shows', () => {
    const many = Array.from({ length: LINK_LIMIT + 1 }, (_, i) => `<a href="/n/${i}">${i}</a>`).join('');
    const page = at(many);
    expect(page.links).toHaveLength(LINK_LIMIT);
    expect(page.linksLeftOut).toBe(1);
  });
});

describe('declarations', () => {
  test.each([
    ['0; url=/n', 0, '/n'],
    ['0,/n', 0, '/n'],
    ['5 /n', 5, '/n'],
    ['1.9;URL = "/n"x', 1, '/n'],
    [".5;url='/n", 0, '/n'],
    ['3;url', 3, '/url'],
    ['  7 ; uRl=/n', 7, '/n'],
  ])('refresh %s', (content, delay, path) => {
    const html = `<meta http-equiv=Refresh content="${content.replaceAll('"', '&quot;')}">`;
    expect(at(html).refresh).toEqual({ delay, url: `http://a.test${path}` });
  });

  test.each(['', ';url=/n', 'x;url=/n', '0x/n', '-1;url=/n', '0;', '0;url=javascript:x'])(
    'no refresh: %s',
    (content) => {
      expect(at(`<meta http-equiv=refresh content="${content}">`).refresh).toBeNull();
    },
  );

  test('the first refresh counts, against the base', () => {
    const page = at(
      '<meta http-equiv=refresh content="1;a"><meta http-equiv=refresh content="0;b"><base href=/d/>',
    );
    expect(page.refresh).toEqual({ delay: 1, url: 'http://a.test/d/a' });
  });

  test('title: of HTML, not of drawings; references decoded; white space folded', () => {
    expect(
      at('<svg><title>Icon</title></svg><title> A &amp;\n B &lt;b> </title><title>2</title>').title,
    ).toBe('A & B <b>');
  });

  test('canonical in a head that was never closed, but not in the body', () => {
    expect(at('<title>t</title><link rel="shortlink canonical" href=/c><p>x').canonical).toBe(
      'http://a.test/c',
    );
    const pixel = '<noscript><img src=/p.gif><div>x</div></noscript>';
    expect(at(`<head>${pixel}<link rel=canonical href=/c></head>`).canonical).toBe('http://a.test/c');
    expect(at('<title>t</title><p>x<link rel=canonical href=/c>').canonical).toBeNull();
    expect(at('<link rel=canonical href="">').canonical).toBeNull();
  });

  test('canonical with another scheme is the same page, on another host it is not', () => {
    expect(at('<link rel=canonical href="https://a.test/c">').canonical).toBe('https://a.test/c');
    expect(at('<link rel=canonical href="http://b.test/c">').canonical).toBeNull();
  });

  test('date and author from JSON-LD, however it is wrapped', () => {
    const block =
      '{"@graph":[{"@type":"WebSite"},{"datePublished":"2024-01-02","author":[{"name":"Lee D"}]}]}';
    const page = at(
      `<script type="application/ld+json">{broken</script><script type="application/ld+json">${block}</script>`,
    );
    expect([page.published, page.author]).toEqual(['2024-01-02', 'Lee D']);
  });
});

describe('like a browser', () => {
  const pieces = (
    '<a_href="/1">|<a_href=/2>|</a>|<p>|</p>|<div>|</div>|<table>|<tr>|<td>|</table>|<b>|</b>|<!--|-->|--!>|<!-->|<script>|' +
    '</script>|<style>|</style>|<title>|</title>|T1|<textarea>|</textarea>|<iframe_src="/3">|</iframe>|<svg>|</svg>|<math>|' +
    '</math>|<mtext>|<foreignObject>|</foreignObject>|<desc>|<template>|</template>|<area_href="/4">|<xmp>|</xmp>|<noembed>|' +
    `<ul>|<li>|</ul>|<br>|</br>|<|>|"|'|=|&amp;|&lt|&copy|&#0;|&#x80;|</|<!|<?|<![CDATA[|]]>|<a_href="/5|<body>|<head>|</head>|` +
    `<a_href='/6'_href="/7">|<A_HREF="/8?a=1&amp;b=2&copy=3">|<a/href=/9/>|<a_=href=/10_href=/11>|</body>|<button>|</button>|` +
    '<img_alt=x>|<h1>|<a_href="/12"/>|<path/>|<title/>|<a\nhref\n=\n/13>|_|x|<form>|<input>|<option>|</script_|</title\t>|' +
    '<script/>|<!--_<script>|<a_href>|<mi>|<annotation-xml_encoding="text/html">|<font_color=red>|<center>'
  ).split('|');
  const damaged = fc
    .array(fc.constantFrom(...pieces), { maxLength: 14 })
    .map((parts) => parts.join('').replaceAll('_', ' '));

  test('links and title of damaged pages agree with a full parser', () => {
    fc.assert(
      fc.property(damaged, (html) => {
        const page = at(html);
        const whole = readTree(html);
        expect(page.links.map((link) => link.url).sort()).toEqual(whole.links);
        expect(page.title).toBe(whole.title);
      }),
      { numRuns: 3_000, seed: 20_26 },
    );
  });
});

/** Links and title by a full HTML parser; the title is the first that says anything. */
function readTree(html: string): { links: string[]; title: string } {
  const hrefs = new Set<string>();
  let title = '';
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('attrs' in node) {
      const name =
        node.tagName === 'iframe' ? 'src' : node.tagName === 'a' || node.tagName === 'area' ? 'href' : '';
      const value = node.attrs.find((attribute) => attribute.name === name)?.value;
      if (value !== undefined) hrefs.add(value);
      const isTitle = node.tagName === 'title' && node.namespaceURI.endsWith('xhtml');
      const [text] = node.childNodes;
      if (isTitle && title === '' && text && 'value' in text)
        title = text.value.replaceAll(/\s+/g, ' ').trim();
    }
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parse(html, { scriptingEnabled: false }));
  const links = [...hrefs]
    .filter((href) => URL.canParse(href, 'http://a.test/'))
    .map((href) => {
      const url = new URL(href, 'http://a.test/');
      url.hash = '';
      return url.href;
    });
  return { links: [...new Set(links)].sort(), title };
}

describe('hostile pages', () => {
  test('whatever the page, there is clean text and links are addresses', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('<a href=', '<p>', '<pre>'))),
        (parts) => {
          const page = at(parts.join(''));
          expect(page.text).not.toMatch(/(?![\t\n])\p{Cc}/u);
          for (const { url } of page.links) expect(url).toMatch(/^https?:\/\/[^#]*$/);
        },
      ),
    );
  });

  test.each<[string, string]>([
    ['deep inline', '<b>'.repeat(300_000)],
    ['deep blocks', '<div>'.repeat(200_000)],
    ['end tags of nothing', '<div>'.repeat(50_000) + '</i>'.repeat(200_000)],
    ['lists in lists', '<li><div>'.repeat(100_000)],
    ['regions in regions', '<nav class=sidebar>'.repeat(50_000)],
    ['drawings in drawings', '<svg>'.repeat(100_000) + '</math>'.repeat(100_000)],
    ['cells', `<table>${'<tr><td>x'.repeat(100_000)}`],
    ['open anchor', `<a href=/x>${'text '.repeat(200_000)}`],
    [
      'white space',
      `<p>x${' \n'.repeat(500_000)}x<pre>x${' '.repeat(500_000)}x</pre>${' <br> '.repeat(100_000)}`,
    ],
    ['NULs', '\0'.repeat(1_000_000)],
    ['references', '&amp'.repeat(200_000) + '&#1'.repeat(200_000)],
    ['escaped scripts', `<script>${'<!--<script>'.repeat(100_000)}`],
    ['quotes', '<a b="'.repeat(200_000)],
    ['refresh', `<meta http-equiv=refresh content="${'1'.repeat(500_000)}x">`],
    ['class', `<div class="${'sidebar x'.repeat(100_000)}" style="${'display :'.repeat(100_000)}">x`],
    ['comments', '<!--'.repeat(200_000)],
  ])('%s: time is linear', (_, html) => {
    const started = performance.now();
    at(html);
    expect(performance.now() - started).toBeLessThan(2_500);
  });

  test('what is kept does not keep the page alive', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const kept: unknown[] = [];
    const filler = Array.from({ length: 30 }, (_, i) => String(i % 10).repeat(1_000_000));
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (const comment of filler) {
      const { blocks, ...page } = at(
        `<html lang=en-for-a-long-while><title>A title longer than a slice</title><h1>A heading longer than a slice</h1>
        <a href="/a/longer/than/a/slice"><i>A text</i> longer than a slice</a><meta name=robots content="noindex, nofollow">
        <meta name=description content="A description longer than a slice"><!--${comment}-->`,
      );
      kept.push(page);
    }
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
    expect(kept).toHaveLength(30);
  });
});

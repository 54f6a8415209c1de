import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actors } from '../../test/support/actors.ts';
import { inertHtml, inertText } from './inert.ts';

const PAGE = 'https://a.example/dir/page';
/** What is left of a page after the skeleton. */
const inert = (html: string, marker: Parameters<typeof inertHtml>[2] = () => []): string =>
  inertHtml(html, PAGE, marker).replace('<!doctype html><meta charset="utf-8"><title></title>', '');

describe('nothing that acts is left', () => {
  test.each([
    ['<script>alert(1)</script>text', 'text'],
    ['<SCRIPT SRC=//evil.example></SCRIPT >text', 'text'],
    ['<script>"</scr"+"ipt>"; <!-- <script> </script> --></script>text', 'text'],
    ['<p onclick="x()" ONLOAD=x() onfocus=x autofocus>text</p>', '<p>text</p>'],
    ['<img src=x onerror=alert(1) alt="a picture">', '<img alt="a picture">'],
    ['<svg onload=alert(1)><script>1</script><style>x</style><text>drawn</text></svg>after', 'after'],
    ['<svg><p>broken out</p>', '<p>broken out</p>'],
    ['<math><mtext><style>x</style></mtext></math>after', '<style>x</style>after'],
    ['<iframe src=//evil.example>fallback</iframe>', ''],
    ['<iframe srcdoc="<script>1</script>"></iframe>', ''],
    ['<object data=x.swf>kept</object><embed src=x><video src=x autoplay>kept</video>', 'keptkept'],
    [
      '<meta http-equiv=refresh content="0;url=//evil.example"><base href=//evil.example><link rel=prefetch href=/x>',
      '',
    ],
    ['<form action=//evil.example><input name=a autofocus><button formaction=x>Send</button></form>', 'Send'],
    ['<template><img src=x></template>', ''],
    ['<noscript><img src=x onerror=1>shown</noscript>', '<img>shown'],
    ['<xmp><script>1</script></xmp><textarea></textarea><script>1</script></textarea>', ''],
    ['<title></title><style>a</title>', '<style>a\\3c /title>'],
    ['<!--><img src=x onerror=1>-->', '<img>--&gt;'],
    ['<![CDATA[<img onerror=1>]]>', ']]&gt;'],
    [
      '<div style="color:red" class="a" id="b" data-x="1">x</div>',
      '<div class="a" id="b" style="color:red">x</div>',
    ],
    ['<p title="&quot;&gt;&lt;script&gt;">x</p>', '<p title="&quot;&gt;&lt;script&gt;">x</p>'],
    ['&lt;script&gt;alert(1)&lt;/script&gt;', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['<style><!-- a > b { color: red } --></style>', '<style> a > b { color: red } </style>'],
    ['<style>a{}</style><b>x</b>', '<style>a{}</style><b>x</b>'],
    ['<style>"<script>"', '<style>"\\3c script>"'],
    ['<unknown>kept</unknown>', 'kept'],
  ])('%s', (html, expected) => expect(inert(html)).toBe(expected));
});

describe('links', () => {
  const outside = (url: string): string => `<a href="${url}" target="_blank" rel="noopener noreferrer">x</a>`;
  test.each([
    ['<a href="../b?c&amp;d#e">x</a>', outside('https://a.example/b?c&amp;d#e')],
    ['<base href="https://b.example/x/"><a href=y>x</a>', outside('https://b.example/x/y')],
    ['<a href=y>x</a><base href="https://b.example/x/">', outside('https://b.example/x/y')],
    ['<base href="javascript:alert(1)//"><a href=y>x</a>', outside('https://a.example/dir/y')],
    ['<a href="#top" target=_top ping=/p download>x</a>', '<a href="#top">x</a>'],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href=" java\nscript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="data:text/html,x">x</a>', '<a>x</a>'],
    ['<a href="mailto:a@b.example">x</a>', '<a>x</a>'],
    ['<a href="https://[">x</a>', '<a>x</a>'],
    ['<a name=here>x</a>', '<a name="here">x</a>'],
  ])('%s', (html, expected) => expect(inert(html)).toBe(expected));
});

describe('CSS', () => {
  test.each([
    ['a{b:url(//evil.example)}', 'a{b:none(//evil.example)}'],
    ['a{b:URL( "x" )}', 'a{b:none( "x" )}'],
    ['a{b:\\75 rl(x)}', 'a{b:75 rl(x)}'],
    ['a{b:u\\r\\l(x)}', 'a{b:none(x)}'],
    ['@import "x";', 'none( "x";'],
    ['@\\import url(x);', 'none( none(x);'],
    ['@IMPORT\n"x";', 'none(\n"x";'],
    ['a{b:image-set("x" 1x), -webkit-image-set(url(x) 1x)}', 'a{b:none("x" 1x), -webkit-none(none(x) 1x)}'],
    ['@font-face{src:url("data:font/woff2;base64,AA")}', '@font-face{src:url("data:font/woff2;base64,AA")}'],
    ['a{b:url(data:image/png;base64,AA)}', 'a{b:url(data:image/png;base64,AA)}'],
    ['a{b:url(data:text/html,x)}', 'a{b:none(data:text/html,x)}'],
    ['a{b:url(/**/data:image/png,x)}', 'a{b:none(/**/data:image/png,x)}'],
    ['a>b{color:red}', 'a>b{color:red}'],
  ])('%s loads nothing, in an element or an attribute', (css, expected) => {
    expect(inert(`<style>${css}</style>`)).toBe(`<style>${expected}</style>`);
    const [, value] = /^<p style="(.*)">$/s.exec(inert(`<p style='${css}'>`)) ?? [];
    expect(value?.replaceAll('&quot;', '"').replaceAll('&gt;', '>')).toBe(expected);
  });
});

test.each([
  ['data:image/png;base64,AAAA', true],
  ['data:image/svg+xml;base64,AAAA', false],
  ['data:text/html;base64,AAAA', false],
  ['https://a.example/x.png', false],
  ['data:image/png;base64,AA" onerror="1', false],
])('an image at %s is kept: %s', (src, isKept) => {
  expect(inert(`<img src='${src}'>`)).toBe(isKept ? `<img src="${src}">` : '<img>');
});

test('words are marked in text only', () => {
  const marker = (text: string): [number, number][] =>
    [...text.matchAll(/b/g)].map((match) => [match.index, match.index + 1]);
  expect(inert('<b title=b>abc</b><style>b</style>', marker)).toBe(
    '<b title="b">a<mark>b</mark>c</b><style>b</style>',
  );
  expect(inertText('<b>', marker)).toContain('&lt;<mark>b</mark>&gt;</pre>');
});

test('whatever comes, a browser finds nothing that acts', () => {
  const piece = fc.constantFrom(
    ...[
      '<',
      '>',
      '</',
      '"',
      "'",
      '=',
      ' ',
      '/',
      '<!--',
      '-->',
      '<script>',
      '</script>',
      '<style>',
      '</style>',
      '<svg>',
      '</svg>',
    ],
    ...[
      '<math>',
      '<mtext>',
      '<p',
      '<img src=x onerror=1',
      '<a href="javascript:1"',
      '<table>',
      '<select>',
      '<noscript>',
      '<title>',
    ],
    ...[
      '<textarea>',
      '<template>',
      '<xmp>',
      '<iframe>',
      '<annotation-xml encoding="text/html">',
      '<foreignObject>',
      '&lt;',
      '\0',
    ],
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 4, arbitrary: piece }, fc.string()), { maxLength: 30 }),
      (pieces) => {
        const found = actors(inertHtml(pieces.join(''), PAGE, () => []));
        expect(found).toEqual([]);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('takes linear time, however deep or broken', () => {
  const started = performance.now();
  inert('<div>'.repeat(400_000));
  inert(`${'<b>'.repeat(200_000)}${'</i>'.repeat(200_000)}`);
  inert('<style>'.repeat(200_000));
  inert(`<a ${'x=y '.repeat(300_000)}>`);
  expect(performance.now() - started).toBeLessThan(10_000);
});

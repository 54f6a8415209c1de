import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { extractMainContent } from './page.ts';

interface ExtractionCase {
  readonly id: string;
  readonly html: string;
  readonly title: string | null;
  readonly must_contain: string[];
  readonly must_not_contain: string[];
  readonly search_terms?: string[];
  readonly metadata?: Record<string, string>;
}
const { cases } = JSON.parse(readFileSync('test/fixtures/cases/extraction.json', 'utf8')) as {
  cases: ExtractionCase[];
};

const extract = (html: string) => extractMainContent(html, 'http://a.test/x');
const sentence =
  'The crawler keeps a queue of addresses and asks each server politely, one request at a time. ';
const prose = (words: number): string => sentence.repeat(Math.ceil(words / 17));

test.each(cases.map((item) => [item.id, item] as const))('%s', (_, item) => {
  const content = extract(item.html);
  if (item.title !== null) expect(content.title).toBe(item.title);
  for (const part of [...item.must_contain, ...(item.search_terms ?? [])])
    expect(content.text).toContain(part);
  for (const part of item.must_not_contain) expect(content.text).not.toContain(part);
  expect(content).toMatchObject(item.metadata ?? {});
});

test('two short paragraphs of Chinese are enough to be believed', () => {
  const { text } = extract(
    '<nav><a href=/>首页</a> <a href=/b>博客</a></nav><main><h1>标题</h1><p>搜索引擎的内容不断变化，爬虫必须有礼貌地访问每一个网站，遵守规则。' +
      '<p>第二段也有足够长的文字，是正文的一部分，而不是导航。</main><footer>版权所有</footer>',
  );
  expect(text).toMatch(/^标题\n搜索引擎.*\n第二段.*。$/);
});

describe('what is not content', () => {
  const links = Array.from(
    { length: 60 },
    (_, i) => `<a href=/p${i}>Partner purpose number ${i}</a> Noticeword `,
  ).join('');

  test.each([
    ['a header', `<header>${links}</header>`],
    ['a cookie notice', `<div class=cookie>${links}</div>`],
    [
      'a cookie notice without links',
      `<div id="cookieConsent">${'Noticeword about partners and purposes. '.repeat(150)}</div>`,
    ],
  ])('bug-118: %s longer than the article', (_, notice) => {
    const { text } = extract(`<body>${notice}<article><p>${prose(250)}</p></article>`);
    expect(text).toContain(sentence.trim());
    expect(text).not.toContain('Noticeword');
    expect(extract(`<body>${notice}<div><p>${prose(250)}</p></div>`).text).not.toContain('Noticeword');
  });

  test('hidden elements, form controls, noscript and drawings', () => {
    const hidden =
      '<div hidden>Hiddenword</div><p style="color:red; display: none">Hiddenword</p><span aria-hidden=true>Hiddenword</span>' +
      '<template><p>Hiddenword</template><button>Hiddenword</button><select><option>Hiddenword</select>' +
      '<noscript>Hiddenword</noscript><svg><title>Hiddenword</title><text>Hiddenword</text></svg><textarea>Hiddenword</textarea>';
    const { text } = extract(`<main><p>${prose(80)}</p>${hidden}<p>Last words</p></main>`);
    expect(text).not.toContain('Hiddenword');
    expect(text).toContain('Last words');
  });

  test('class names are compared token by token', () => {
    const { text } = extract(
      `<div class="download-thread"><p>${prose(60)}Downloadword</p></div><div class="admin header-less"><p>${prose(60)}</p></div>` +
        `<div class="page-sidebar">Sidebarword ${sentence}</div><div class="topNav">Navword</div>`,
    );
    expect(text).toContain('Downloadword');
    expect(text).not.toMatch(/Sidebarword|Navword/);
  });

  test('a layout class around everything does not hide the page', () => {
    const { text } = extract(
      `<body class="nav-open"><div class="sidebar-layout with-banner"><div><p>${prose(200)}</p></div></div>`,
    );
    expect(text).toContain(sentence.trim());
  });

  test('unmarked link lists around an article', () => {
    const list = Array.from({ length: 8 }, (_, i) => `<li><a href=/${i}>Teaserword number ${i}</a>`).join('');
    const { text } = extract(
      `<div><ul>${list}</ul></div><div><p>${prose(200)}</p></div><div><ul>${list}</ul></div>`,
    );
    expect(text).not.toContain('Teaserword');
  });

  test('teaser articles beside the one with the heading', () => {
    const teasers = `<article><p>Teaserword ${prose(30)}</p></article>`.repeat(6);
    const { text } = extract(`<article><h1>Title</h1><p>Mainword ${prose(120)}</p></article>${teasers}`);
    expect(text).toContain('Mainword');
    expect(text).not.toContain('Teaserword');
  });

  test('a page of navigation alone still has its words', () => {
    expect(extract('<nav><a href=/>Home page</a></nav>').text).toBe('Home page');
    expect(extract('<nav><a href=/>Home</a></nav><p>Short.').text).toContain('Short.');
  });
});

describe('documentation is kept whole', () => {
  test('Sphinx', () => {
    const { text, title } = extract(`<html><body>
      <div class="related" role="navigation"><a href=/>Navword</a></div>
      <div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main">
      <section id="navigation"><h1>Navigation<a class="headerlink" href="#navigation">¶</a></h1><p>Introword ${sentence}</p>
      <aside class="footnote">Footnoteword</aside>
      <div class="admonition note"><p class="admonition-title">Note</p><p>Noteword</p></div>
      <div class="highlight"><pre><span></span>$ freshet crawl
  --depth 2</pre></div>
      <section id="comments"><h2>Comments</h2><dl class="py function"><dt class="sig">crawl(<em>seeds</em>)</dt><dd><p>Definitionword</p></dd></dl></section>
      <section id="menu"><table class="docutils"><tr><th>Option</th><td>Cellword</td></tr></table></section>
      <div class="toctree-wrapper"><ul><li><a href=a>Tocword a</a></li><li><a href=b>Tocword b</a></li><li><a href=c>Tocword c</a></li></ul></div>
      </section></div></div></div>
      <div class="sphinxsidebar" role="navigation">Navword</div></div><div class="footer">Navword</div></body></html>`);
    for (const word of ['Introword', 'Footnoteword', 'Noteword', 'Definitionword', 'Cellword', 'Tocword b']) {
      expect(text).toContain(word);
    }
    expect(text).toContain('$ freshet crawl\n  --depth 2');
    expect(text).toContain('crawl(seeds)');
    expect(text).not.toMatch(/Navword|¶/);
    expect(title).toBe('Navigation');
  });

  test('Javadoc, with and without main', () => {
    const page = (open: string, close: string): string => `<body>
      <div class="topNav"><ul class="navList"><li><a href=x>Navword</a></ul></div>${open}
      <div class="header"><div class="subTitle">java.lang</div><h2 title="Class String" class="title">Class String</h2></div>
      <div class="contentContainer"><div class="description"><div class="block">Blockword ${prose(60)}</div></div>
      <div class="summary"><table class="memberSummary"><tr><td><code>int</code></td><td><code><a href=i>indexOf</a>(int ch)</code>
      <div class="block">Summaryword of the method.</div></td></tr></table></div>
      <div class="details"><ul class="blockList"><li><h4>indexOf</h4><pre>public int indexOf(int ch)</pre><dl><dt>Parameters:</dt><dd>Paramword</dd></dl></ul></div></div>
      ${close}<div class="bottomNav">Navword</div></body>`;
    for (const html of [page('', ''), page('<main role="main">', '</main>')]) {
      const { text } = extract(html);
      for (const word of ['Class String', 'Blockword', 'Summaryword', 'indexOf(int ch)', 'Paramword'])
        expect(text).toContain(word);
      expect(text).not.toContain('Navword');
    }
  });

  test('a manual page', () => {
    const { text } =
      extract(`<body><table class="head"><tr><td>CURL(1)</td><td>General Commands</td></tr></table>
      <div class="manual-text"><section class="Sh"><h1 id="NAME">NAME</h1><p>curl — transfer a URL</p></section>
      <section class="Sh"><h1 id="OPTIONS">OPTIONS</h1><dl class="Bl-tag"><dt><b>-o</b> file</dt><dd>Optionword</dd></dl></section>
      <section class="Sh"><h1 id="SEE_ALSO">SEE ALSO</h1><p><a href=w>wget(1)</a></p></section></div>
      <table class="foot"><tr><td>Footword</td></tr></table></body>`);
    for (const word of ['transfer a URL', '-o file', 'Optionword', 'wget(1)']) expect(text).toContain(word);
  });

  test('DocBook', () => {
    const { text } =
      extract(`<body><div class="navheader"><table><tr><td><a href=p>Navword</a></td></tr></table></div>
      <div class="sect1" id="header"><h2 class="title">Headers</h2><p>Sectword ${prose(40)}</p>
      <pre class="programlisting">int main(void)
{
}</pre><div class="itemizedlist"><ul><li><p>Itemword</p></li></ul></div></div>
      <div class="navfooter">Navword</div></body>`);
    expect(text).toContain('Sectword');
    expect(text).toContain('int main(void)\n{\n}');
    expect(text).toContain('Itemword');
    expect(text).not.toContain('Navword');
  });

  test('an index of links is its links', () => {
    const list = Array.from(
      { length: 40 },
      (_, i) => `<li><a href=/${i}>function number ${i}</a> (module)`,
    ).join('');
    expect(extract(`<h1>Index</h1><p>Everything there is.</p><ul>${list}</ul>`).text).toContain(
      'function number 39',
    );
  });
});

describe('lines', () => {
  const lines = (html: string): string => extract(`<main>${html}</main>`).text;
  test.each([
    ['<p>one<p>two', 'one\ntwo'],
    ['<p>a\n  b\t<b>c</b> d</p>', 'a b c d'],
    ['one<br>two<br><br> three', 'one\ntwo\nthree'],
    ['<dl><dt>term<dd>meaning</dl>', 'term\nmeaning'],
    ['<table><tr><th>a<th>b<tr><td>1<td>2</table>', 'a b\n1 2'],
    ['<ul><li>one<li>two<ul><li>three</ul></ul>', 'one\ntwo\nthree'],
    ['a&nbsp;&#x3000;b&#8239;c', 'a b c'],
    ['gam&shy;ma&#65279;x', 'gammax'],
    ['<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>', '漢字'],
    ['<pre>\n\n  x\n\n    y  \n</pre>', '  x\n\n    y'],
    ['x<sub>2</sub>', 'x2'],
    ['<math><mi>x</mi><annotation>\\TeX</annotation></math> y', 'x y'],
    ['می&zwnj;خواهم', 'می\u200cخواهم'],
  ])('%s', (html, text) => {
    expect(lines(html)).toBe(text);
  });
});

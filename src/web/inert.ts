/**
 * Makes a stored page safe to show on our own origin. Two walls, each enough by itself: response headers under which a
 * browser runs and loads nothing, and an allow-list pass that leaves nothing to run or load.
 */

import { breaksOut } from '../parse/foreign-content.ts';
import { parseHtml } from '../parse/html.ts';
import type { Attributes } from '../parse/html-tag.ts';
import { tokenizeHtml } from '../parse/html-tokenizer.ts';
import { linkable, segmentsOf } from './safe-text.ts';

/** Finds what to mark in a piece of text: [start, end) offsets in order. */
export type Marker = (text: string) => readonly (readonly [start: number, end: number])[];

/**
 * Headers of a stored page. Under them a hostile page was seen to run and load nothing (test/e2e/browser-snapshot.test.ts);
 * `sandbox` and `frame-ancestors` work in headers only. Popups are allowed so that links open.
 */
export const inertHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    'sandbox allow-popups allow-popups-to-escape-sandbox; ' +
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; " +
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // Else a browser looks up the hosts of all links, and so tells what is read.
  'X-DNS-Prefetch-Control': 'off',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex, noarchive',
  'Cache-Control': 'private, no-store',
};

/**
 * A page's HTML with only what cannot act: text, structure, inline styles, links made absolute that open elsewhere,
 * images held in the page itself. Linear in the size of the page; never throws.
 */
export function inertHtml(html: string, url: string, marker: Marker): string {
  const base = parseHtml(html, url).base;
  const out: string[] = [];
  /** Name of the element whose content is left out; null: none. */
  let skipped: string | null = null;
  let isStyle = false;
  tokenizeHtml(html, {
    onOpenTag(name, attributes) {
      // HTML inside SVG either ends the SVG or is its foreignObject: shown in both cases.
      if (skipped === 'svg' && (name === 'foreignobject' || breaksOut(name, attributes))) skipped = null;
      if (skipped !== null) return skipped !== 'svg';
      if (dropped.has(name)) skipped = name;
      else if (elements.has(name)) out.push(`<${name}${attributesOf(name, attributes, base)}>`);
      isStyle = name === 'style';
      return name !== 'svg';
    },
    onCloseTag(name) {
      isStyle = false;
      if (name === 'foreignobject') skipped = 'svg';
      else if (skipped === name) skipped = null;
      else if (skipped === null && elements.has(name) && !voidElements.has(name)) out.push(`</${name}>`);
    },
    isInForeignContent: () => skipped === 'svg',
    onText(text) {
      if (skipped !== null) return;
      out.push(isStyle ? inertCss(text) : markedText(text, marker));
    },
  });
  return document(out.join(''));
}

/** A plain text file as a page. */
export function inertText(text: string, marker: Marker): string {
  return document(`<pre style="white-space:pre-wrap">${markedText(text, marker)}</pre>`);
}

function document(body: string): string {
  return `<!doctype html><meta charset="utf-8"><title></title>${body}`;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Elements that are kept; of all others only the content is, and of the dropped ones not even that. */
const elements = words(
  'a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del ' +
    'details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li ' +
    'main mark menu nav ol p pre q rp rt ruby s samp section small span strike strong style sub summary sup table ' +
    'tbody td tfoot th thead time tr tt u ul var wbr',
);
const voidElements = words('br col hr img wbr');
const dropped = words('script template title textarea iframe noembed noframes xmp plaintext select svg');
const attributeNames = words(
  'abbr align alt bgcolor border cellpadding cellspacing class color colspan datetime dir face headers height id lang ' +
    'name open reversed rowspan scope size span start style title type valign value width',
);

function attributesOf(name: string, attributes: Attributes, base: string): string {
  let text = '';
  for (const key of attributes.size === 0 ? [] : attributeNames) {
    const value = attributes.get(key);
    if (value !== undefined) text += ` ${key}="${escaped(key === 'style' ? inertCss(value) : value)}"`;
  }
  if (name === 'a') text += linkAttributes(attributes.get('href'), base);
  if (name === 'img') text += imageAttributes(attributes.get('src'));
  return text;
}

/** A link within the page stays there; others open outside of the frame and tell nobody where they came from. */
function linkAttributes(href: string | undefined, base: string): string {
  if (href === undefined) return '';
  if (href.startsWith('#')) return ` href="${escaped(href)}"`;
  const target = linkable(href, base);
  return target === null ? '' : ` href="${escaped(target)}" target="_blank" rel="noopener noreferrer"`;
}

/** Only pixels that are in the page itself; an image from the site would tell it who reads the copy. */
function imageAttributes(src: string | undefined): string {
  const isPixels =
    src !== undefined && /^data:image\/(?:png|gif|jpeg|webp);base64,[a-z0-9+/=\s]*$/i.test(src);
  return isPixels ? ` src="${escaped(src)}"` : '';
}

function markedText(text: string, marker: Marker): string {
  return segmentsOf(text, marker(text))
    .map((segment) => (segment.isMarked ? `<mark>${escaped(segment.text)}</mark>` : escaped(segment.text)))
    .join('');
}

/**
 * Whatever has a URL to load, but for pixels and fonts in the style sheet itself (CSS Images 4, 3; CSS Values 4, 4.5; CSS
 * Cascade 5, 2). Also in strings and comments, where it is only text: nothing has to be understood to be sure.
 */
const LOADS = /@import|(?:url|src|image|image-set)\((?!\s*["']?data:(?:image|font)\/)/gi;

/**
 * CSS that loads nothing. Escapes go first, since any name may be written with them. Old pages wrap their CSS in comment
 * marks; any other "<" might end the element.
 */
function inertCss(css: string): string {
  return css
    .replace(/<!--|-->|\\/g, '')
    .replace(LOADS, 'none(')
    .replaceAll('<', '\\3c ');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}

/**
 * In and out of SVG and MathML inside HTML (HTML standard 13.2.6, "foreign content"), where titles, styles and scripts
 * are ordinary elements and text in them is ordinary text.
 */
import type { Attributes } from './html-tag.ts';

/** What the elements at a place belong to. */
export type Namespace = 'html' | 'svg' | 'math';

/** Elements of SVG and MathML whose content is HTML again ("integration points"). */
const integrationPoints: Readonly<Record<Namespace, ReadonlySet<string>>> = {
  html: new Set(),
  svg: new Set(['foreignobject', 'desc', 'title']),
  math: new Set(['mi', 'mo', 'mn', 'ms', 'mtext']),
};

/** HTML start tags that cannot be in foreign content and end it (13.2.6.5). */
const breakouts: ReadonlySet<string> = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
    'nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
);

/** The namespace of an element found where the namespace is `here`. */
export function namespaceOf(name: string, here: Namespace): Namespace {
  return here === 'html' && (name === 'svg' || name === 'math') ? name : here;
}

/** The namespace inside an element of namespace `own`. */
export function namespaceInside(name: string, attributes: Attributes, own: Namespace): Namespace {
  if (own === 'html' || integrationPoints[own].has(name)) return 'html';
  return name === 'annotation-xml' && own === 'math' && isHtmlAnnotation(attributes) ? 'html' : own;
}

/** Whether a start tag in foreign content is one of HTML after all. */
export function breaksOut(name: string, attributes: Attributes): boolean {
  if (name === 'font') return attributes.has('color') || attributes.has('face') || attributes.has('size');
  return breakouts.has(name);
}

function isHtmlAnnotation(attributes: Attributes): boolean {
  const encoding = attributes.get('encoding')?.toLowerCase();
  return encoding === 'text/html' || encoding === 'application/xhtml+xml';
}

/** What of a page could act, as a browser's parser sees it. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

/** Elements that run, load or send, whatever their attributes are. */
const ACTING =
  /^(?:script|svg|math|iframe|frame|object|embed|video|audio|link|base|form|input|button|template)$/;
/** Attributes that run, load, send, or hold a page of their own. */
const ACTS =
  /^(?:on.*|srcdoc|ping|action|formaction|background|srcset|http-equiv|data|poster|manifest|xlink:href)$/;
/** CSS that loads, but for pixels and fonts within the page; escapes may spell any of it, so none are left. */
const LOADS = /\\(?!3c )|@import|(?:url|src|image|image-set)\((?!\s*["']?data:(?:image|font)\/)/i;

/** The elements, attributes and styles of a page that could run, load or lead to a script. */
export function actors(html: string): string[] {
  const waiting: DefaultTreeAdapterTypes.Node[] = [parse(html)];
  const found: string[] = [];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (ACTING.test(node.nodeName)) found.push(node.nodeName);
    if ('attrs' in node)
      found.push(...node.attrs.filter(isActing).map(({ name, value }) => `${name}=${value}`));
    if (!('childNodes' in node)) continue;
    if (node.nodeName === 'style')
      found.push(...node.childNodes.map(textOf).filter((css) => LOADS.test(css)));
    waiting.push(...node.childNodes);
  }
  return found;
}

function isActing({ name, value }: { readonly name: string; readonly value: string }): boolean {
  if (name === 'src') return !/^data:image\/(?!svg)/i.test(value);
  if (name === 'href') return !/^(?:https?:|#)/.test(value);
  return ACTS.test(name) || (name === 'style' && LOADS.test(value));
}

function textOf(node: DefaultTreeAdapterTypes.Node): string {
  return 'value' in node ? node.value : '';
}

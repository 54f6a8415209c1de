/** The links of a page: collected as written, resolved when its base is known. */
import type { FoundLink } from '../types.ts';
import { resolveLink } from '../url/normalize.ts';
import { detach } from './detach.ts';
import type { Attributes } from './html-tag.ts';

/** Links beyond so many different ones are left out: no page for readers has more. */
export const LINK_LIMIT = 20_000;
/** Longest anchor text kept; more is the text of a page whose link was never closed. */
const TEXT_LIMIT = 500;

/** rel values by which a page declines to vouch for a link (HTML standard; ugc and sponsored are Google's, 2019). */
const decliningRels: ReadonlySet<string> = new Set(['nofollow', 'ugc', 'sponsored']);

interface WrittenLink {
  readonly href: string;
  isNofollow: boolean;
  text: string;
}

/** Gathers links in order, one per spelling. */
export class LinkCollector {
  /** Links left out because of the limit, counted as often as they are written. */
  leftOut = 0;
  private readonly written: Map<string, WrittenLink> = new Map();
  private anchor: WrittenLink | null = null;
  private anchorText = '';

  /** Takes a link without text: area, frame, iframe, link. */
  add(href: string | undefined, attributes: Attributes): WrittenLink | null {
    if (href === undefined) return null;
    const isNofollow = hasAny(relTokens(attributes), decliningRels);
    const known = this.written.get(href);
    if (known !== undefined) {
      known.isNofollow &&= isNofollow; // one vouched for is enough
      return known;
    }
    if (this.written.size >= LINK_LIMIT) {
      this.leftOut++;
      return null;
    }
    const link: WrittenLink = { href, isNofollow, text: '' };
    this.written.set(href, link);
    return link;
  }

  /** An anchor begins; it ends one that is still open, for anchors do not nest. */
  openAnchor(attributes: Attributes): void {
    this.closeAnchor();
    this.anchor = this.add(attributes.get('href'), attributes);
  }

  /** Text, or the alternative text of an image, that may be inside an anchor. */
  addText(text: string): void {
    if (this.anchor !== null && this.anchorText.length < TEXT_LIMIT)
      this.anchorText += text.slice(0, TEXT_LIMIT);
  }

  closeAnchor(): void {
    if (this.anchor !== null && this.anchor.text === '') {
      this.anchor.text = this.anchorText.replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_LIMIT);
    }
    this.anchor = null;
    this.anchorText = '';
  }

  /**
   * The links as absolute http(s) URLs without fragment, one per URL, in order of first appearance. Queries are encoded
   * as UTF-8 whatever the encoding of the page (browsers use the page's), so that a key does not depend on the referrer.
   */
  resolve(base: string): FoundLink[] {
    this.closeAnchor();
    const found = new Map<string, FoundLink>();
    for (const { href, isNofollow, text } of this.written.values()) {
      const url = resolveLink(href, base);
      if (url === null) continue;
      const known = found.get(url);
      const nofollow = (known?.nofollow ?? true) && isNofollow;
      found.set(url, { url, nofollow, text: known?.text || detach(text) });
    }
    return [...found.values()];
  }
}

/** The rel attribute as lower-case tokens, parted by ASCII white space alone (HTML standard, set of space-separated tokens). */
export function relTokens(attributes: Attributes): string[] {
  const rel = attributes.get('rel');
  return rel === undefined ? [] : rel.toLowerCase().split(/[\t\n\f\r ]+/);
}

function hasAny(tokens: readonly string[], wanted: ReadonlySet<string>): boolean {
  return tokens.some((token) => wanted.has(token));
}

/**
 * What part of a page an element begins: its content, or navigation, notices and the like around it.
 *
 * Elements and roles say it plainly; class names and ids are hints, compared token by token ("download" is no "ad").
 */
import type { Attributes } from './html-tag.ts';

/**
 * By its own word: main, article · chrome (navigation, page header or footer) · aside (within content).
 * By its class: notice (consent banner, other overlay, discussion) · clutter (adverts, menus …) · header (of a page or of
 * its content) · frame (side bars, tool bars …; content within content if it reads like it).
 */
export type RegionRole = 'main' | 'article' | 'chrome' | 'notice' | 'clutter' | 'frame' | 'header' | 'aside';

/** A part of a page. */
export interface Region {
  readonly role: RegionRole | 'page';
  readonly parent: Region | null;
  /** Position in the list of regions of its page: a parent comes before its children. */
  readonly index: number;
  /** Inside a main or article element, where a name is more likely a topic than a part of the page. */
  readonly isWithinContent: boolean;
  /** A main or an h1 is inside: whatever its class says, this is no mere decoration. */
  holdsContent: boolean;
}

const chromeRoles: ReadonlySet<string> = words(
  'navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar tablist',
);

const notices: ReadonlySet<string> = words(
  'cookie cookies cookiebar consent gdpr ccpa onetrust modal popup lightbox offcanvas comments ' +
    'commentlist disqus respond replies',
);

const clutter: ReadonlySet<string> = words(
  'advert adverts advertisement advertisements advertising ads ad adsense adunit dfp sponsored sponsor sponsors ' +
    'promo promos promotion newsletter subscribe subscription signup login share sharing shares sharebar social ' +
    'socials taboola outbrain recirc breadcrumb breadcrumbs navbar navbox ' +
    'nav navigation navlist menu submenu dropdown footer pagination pager pagenav related recommended ' +
    'recommendations readmore trending sphinxsidebar sphinxsidebarwrapper navheader navfooter skiplink noprint ' +
    'editsection',
);

const frames: ReadonlySet<string> = words(
  'sidebar sidenav side rail widget widgets toolbar tools toc tags links topbar popular latest teaser teasers author ' +
    'bio byline',
);

const headers: ReadonlySet<string> = words('header masthead banner');

/** Only these are looked at for hints: a heading or a paragraph of that name is content. */
const containers: ReadonlySet<string> = words(
  'div section ul ol dl table form aside header details figure span td',
);

/** Judges the elements of one page; remembers what its class names hint at, since a page repeats few of them often. */
export class Roles {
  readonly #hints = new Map<string, RegionRole | null>();

  /** The role an element gives what is inside it; null when it changes nothing. */
  of(name: string, attributes: Attributes, parent: Region): RegionRole | null {
    if (name === 'main' || name === 'article') return name;
    if (name === 'nav' || name === 'footer') return 'chrome';
    if (name === 'header') return parent.isWithinContent ? null : 'chrome';
    if (attributes.size === 0) return name === 'aside' ? asideRole(parent) : null;
    const role = attributes.get('role')?.trim().toLowerCase();
    if (role === 'main') return 'main';
    if (role !== undefined && chromeRoles.has(role)) return 'chrome';
    const hint = containers.has(name) ? this.#hintOf(attributes, parent) : null;
    return hint ?? (name === 'aside' ? asideRole(parent) : null);
  }

  #hintOf(attributes: Attributes, parent: Region): RegionRole | null {
    const className = attributes.get('class');
    const classHint = this.#strongest(className);
    if (classHint !== null || parent.isWithinContent) return classHint;
    // Generated documentation makes the ids of sections from their headings: a topic, not a part of the page.
    const isTopic = className !== undefined && /\b(?:sect|level)/.test(className);
    return isTopic ? null : this.#strongest(attributes.get('id'));
  }

  #strongest(value: string | undefined): RegionRole | null {
    if (value === undefined || value === '') return null;
    const known = this.#hints.get(value);
    if (known !== undefined) return known;
    const hint = strongest(value);
    this.#hints.set(value, hint);
    return hint;
  }
}

/** Beside the content an aside is not content; within it, it is a note more often than not. */
function asideRole(parent: Region): RegionRole {
  return parent.isWithinContent ? 'aside' : 'chrome';
}

function strongest(value: string): RegionRole | null {
  let hint: RegionRole | null = null;
  for (const [token] of value.matchAll(/[A-Z]?[a-z]+|[A-Z]+/g)) {
    const word = token.toLowerCase();
    if (notices.has(word)) return 'notice';
    if (clutter.has(word)) hint = 'clutter';
    else if (frames.has(word)) hint ??= 'frame';
    else if (headers.has(word)) hint ??= 'header';
  }
  return hint;
}

/** True when an element and all inside it is not shown. */
export function isHidden(attributes: Attributes): boolean {
  if (attributes.size === 0) return false;
  const hidden = attributes.get('hidden');
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true;
  if (attributes.get('aria-hidden') === 'true') return true;
  const style = attributes.get('style');
  return style !== undefined && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

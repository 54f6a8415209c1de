/**
 * An HTML page read in one pass: declarations, links, headings and text. No tree is built, nothing recurses, and time
 * is linear in the size of the page, whatever it holds.
 */
import { robotsDirectives } from '../robots/directives.ts';
import type { Directives, FoundLink } from '../types.ts';
import { detach } from './detach.ts';
import { breaksOut, type Namespace, namespaceInside, namespaceOf } from './foreign-content.ts';
import { BLOCK, CELL, factsOf, INERT, PREFORMATTED, SILENT, VOID } from './html-elements.ts';
import type { Attributes } from './html-tag.ts';
import { type HtmlHandler, tokenizeHtml } from './html-tokenizer.ts';
import { LinkCollector, relTokens } from './links.ts';
import { chooseMainText } from './main-text.ts';
import { DeclarationCollector, type Declarations } from './metadata.ts';
import { OpenElements } from './open-elements.ts';
import { isHidden, type Region, Roles } from './regions.ts';
import { BlockCollector, type TextBlock } from './text-blocks.ts';

/** Headings beyond these are left out. */
const HEADING_LIMIT = 200;

/** What one pass over a page yields. */
export interface ParsedHtml extends Omit<Declarations, 'robots'> {
  /** Absolute http(s) URLs without fragment, one per URL, in order; `nofollow` when no occurrence vouches for it. */
  readonly links: readonly FoundLink[];
  /** Links beyond those that are kept (20,000), counted as often as they are written. */
  readonly linksLeftOut: number;
  /** What the robots metas ask. */
  readonly robots: Directives;
  readonly hasPasswordField: boolean;
  readonly headings: readonly string[];
  /** The one h1 outside navigation and page header; null when there is none or several. */
  readonly mainHeading: string | null;
  /** Main content: paragraphs, table rows and lines of code, separated by line breaks. */
  readonly text: string;
  /** All the text of the page, from which `text` was chosen. It keeps the page in memory, unlike the rest. */
  readonly blocks: readonly TextBlock[];
}

export interface HtmlOptions {
  /** Name under which robots metas may address us; only `robots` is heard without it. */
  readonly productToken?: string;
  /** Whether the date of an `unavailable_after` has passed; without it, only dates before 2026 have. */
  readonly nowMs?: number;
}

/**
 * Parses a page found at `url` (after redirects). Never throws for what the page holds.
 *
 * Links in noscript count, for Freshet runs no scripts; declarations in it do not, for they are about browsers without.
 */
export function parseHtml(html: string, url: string, options: HtmlOptions = {}): ParsedHtml {
  const productToken = options.productToken ?? '';
  const page = new PageReader(url, productToken);
  tokenizeHtml(html, page);
  const { blocks, regions } = page.finish();
  const { robots, ...declarations } = page.declarations.finish();
  const choice = chooseMainText(blocks, regions);
  return {
    ...declarations,
    links: page.links.resolve(declarations.base),
    linksLeftOut: page.links.leftOut,
    robots: robotsDirectives(robots, productToken, options.nowMs),
    hasPasswordField: page.hasPasswordField,
    headings: choice.headings.slice(0, HEADING_LIMIT).map((heading) => detach(heading.text)),
    mainHeading: choice.mainHeading === null ? null : detach(choice.mainHeading),
    text: detach(choice.text), // joining a single block gives a piece of the page
    blocks,
  };
}

/** What holds at a place in a page. */
interface Place {
  readonly namespace: Namespace;
  readonly region: Region;
  readonly isInLink: boolean;
  readonly isPreformatted: boolean;
  /** Text here is not shown as text. */
  readonly isSilent: boolean;
  /** Declarations here are not about this page. */
  readonly isInert: boolean;
  /** Inside a template: not part of the page at all. */
  readonly isTemplate: boolean;
}

/** Elements that may stand in the head; any other one ends it (HTML standard 13.2.6.4.4). */
const headElements: ReadonlySet<string> = new Set(
  'html head title base basefont bgsound link meta script style template noscript noframes'.split(' '),
);

/** What documentation puts beside a heading to link to it. */
const permalinkMarks: ReadonlySet<string> = new Set(['¶', '#', '§']);

/** link elements that lead to pages a reader may want. */
const followedRels: ReadonlySet<string> = new Set(['next', 'prev', 'previous']);

class PageReader implements HtmlHandler {
  readonly declarations: DeclarationCollector;
  readonly links: LinkCollector = new LinkCollector();
  hasPasswordField = false;
  private readonly text: BlockCollector = new BlockCollector();
  private readonly roles: Roles = new Roles();
  private readonly open: OpenElements<Place>;
  private isInHead = true;
  /** The element whose text is not text of the page but wanted. */
  private capture: 'title' | 'json-ld' | null = null;

  constructor(url: string, productToken: string) {
    this.declarations = new DeclarationCollector(url, productToken);
    const [region] = this.text.regions;
    if (region === undefined) throw new Error('a page has a region');
    this.open = new OpenElements<Place>({
      namespace: 'html',
      region,
      isInLink: false,
      isPreformatted: false,
      isSilent: false,
      isInert: false,
      isTemplate: false,
    });
  }

  onOpenTag(name: string, attributes: Attributes, isSelfClosing: boolean): boolean {
    if (this.isInForeignContent() && breaksOut(name, attributes)) this.leaveForeignContent();
    const namespace = namespaceOf(name, this.open.here.namespace);
    const isHtml = namespace === 'html';
    const facts = isHtml ? factsOf(name) : factsOf(name) & SILENT;
    if (this.isInHead && !this.open.here.isInert && !headElements.has(name)) this.leaveHead();
    if (isHtml) this.open.makeRoomFor(name, facts);
    const { here } = this.open;
    if (facts & BLOCK) this.text.breakBlock(headingLevel(name));
    else if (facts & CELL) this.addText(' ', here);
    if (!here.isTemplate) this.readTag(name, attributes, isHtml, here);
    const isEmpty = isHtml ? (facts & VOID) !== 0 : isSelfClosing;
    if (!isEmpty) this.open.push(name, this.placeInside(name, attributes, namespace, facts));
    return isHtml;
  }

  onCloseTag(name: string): void {
    const facts = factsOf(name);
    this.capture = null;
    if (name === 'a') this.links.closeAnchor();
    if (name === 'p' || name === 'br') this.leaveForeignContent();
    if (facts & BLOCK || name === 'p') this.text.breakBlock(0);
    else if (facts & CELL) this.addText(' ', this.open.here);
    if (!(facts & VOID)) this.open.close(name);
    else if (name === 'br') this.text.addLineBreak(); // `</br>` is a line break too
  }

  onText(text: string): void {
    if (this.capture === 'title') this.declarations.addTitle(text);
    else if (this.capture === 'json-ld') this.declarations.addJsonLd(text);
    const { here } = this.open;
    if (here.isSilent || (here.isInLink && permalinkMarks.has(text))) return;
    if (this.isInHead && /\S/.test(text)) this.leaveHead();
    this.addText(text, here);
    if (here.isInLink) this.links.addText(text);
  }

  isInForeignContent(): boolean {
    return this.open.here.namespace !== 'html';
  }

  finish(): Pick<BlockCollector, 'blocks' | 'regions'> {
    this.text.breakBlock(0);
    return this.text;
  }

  /** The first thing that cannot be in the head ends it, whether it was closed or not. */
  private leaveHead(): void {
    this.isInHead = false;
    this.open.close('head');
  }

  private leaveForeignContent(): void {
    this.open.leaveWhile((place) => place.namespace !== 'html');
  }

  private addText(text: string, place: Place): void {
    if (!place.isSilent) this.text.add(text, place.region, place.isInLink, place.isPreformatted);
  }

  /** What a tag says by itself. */
  private readTag(name: string, attributes: Attributes, isHtml: boolean, here: Place): void {
    switch (name) {
      case 'a':
        this.links.openAnchor(attributes);
        return;
      case 'area':
        this.links.add(attributes.get('href'), attributes);
        return;
      case 'frame':
      case 'iframe':
        this.links.add(attributes.get('src'), attributes);
        return;
      case 'img':
        this.links.addText(attributes.get('alt') ?? '');
        return;
      case 'br':
        this.text.addLineBreak();
        return;
      case 'input':
        this.hasPasswordField ||= attributes.get('type')?.trim().toLowerCase() === 'password';
        return;
      case 'script':
        if (/^\s*application\/ld\+json/i.test(attributes.get('type') ?? '')) this.capture = 'json-ld';
        return;
    }
    if (isHtml && !here.isInert) this.readDeclaration(name, attributes);
  }

  private readDeclaration(name: string, attributes: Attributes): void {
    switch (name) {
      case 'html':
        this.declarations.addHtml(attributes);
        return;
      case 'title':
        this.capture = 'title';
        return;
      case 'base':
        this.declarations.addBase(attributes);
        return;
      case 'meta':
        this.declarations.addMeta(attributes);
        return;
      case 'link':
        this.declarations.addLink(attributes, this.isInHead);
        if (leadsOn(attributes)) this.links.add(attributes.get('href'), attributes);
    }
  }

  private placeInside(name: string, attributes: Attributes, own: Namespace, facts: number): Place {
    const { here } = this.open;
    const namespace = namespaceInside(name, attributes, own);
    const role = here.isSilent ? null : this.roles.of(name, attributes, here.region);
    const hides = (facts & SILENT) !== 0 || isHidden(attributes);
    const isLink = name === 'a' && attributes.has('href');
    const changes =
      role !== null || hides || isLink || (facts & PREFORMATTED) !== 0 || namespace !== here.namespace;
    if (!changes) return here;
    return {
      namespace,
      region: role === null ? here.region : this.text.beginRegion(role, here.region),
      isInLink: here.isInLink || isLink,
      isPreformatted: here.isPreformatted || (facts & PREFORMATTED) !== 0,
      isSilent: here.isSilent || hides,
      isInert: here.isInert || (facts & INERT) !== 0,
      isTemplate: here.isTemplate || name === 'template',
    };
  }
}

/** Pages of a series and translations of the page; style sheets, icons and feeds lead to no page. */
function leadsOn(attributes: Attributes): boolean {
  const rel = relTokens(attributes);
  return (
    rel.some((token) => followedRels.has(token)) || (rel.includes('alternate') && attributes.has('hreflang'))
  );
}

function headingLevel(name: string): number {
  const level = name.length === 2 && name[0] === 'h' ? Number(name[1]) : 0;
  return level >= 1 && level <= 6 ? level : 0;
}

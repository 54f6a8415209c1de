/**
 * The main content of a page, chosen among its blocks; pure.
 *
 * A page that says what its content is (main, article) is believed when there is something in it. Otherwise the content
 * is what is left when navigation, notices and blocks of links are taken away. Documentation is kept whole: code, tables
 * and lists weigh as much as prose.
 */
import type { Region } from './regions.ts';
import type { TextBlock } from './text-blocks.ts';

/** Characters below which a choice is doubted: about 25 words. */
const LITTLE_TEXT = 150;
/** A part with a larger share of its characters in links is a list of links. */
const LINK_DENSITY = 0.5;
/** So many lines of links in a row are navigation … */
const LINK_RUN = 3;
/** … if nearly all of each line is link. */
const LINK_LINE_DENSITY = 0.8;
/** An article this much of all articles' text is the one the page is about; the others are teasers. */
const DOMINANT_ARTICLE = 2 / 3;

/** What was chosen. */
export interface MainText {
  readonly text: string;
  readonly headings: readonly TextBlock[];
  readonly mainHeading: string | null;
}

/** Chooses the main content. `regions` are those of the page, parents before children. */
export function chooseMainText(blocks: readonly TextBlock[], regions: readonly Region[]): MainText {
  const parts = measure(blocks, regions);
  const content = blocks.filter((block) => parts[block.region.index]?.isContent);
  const chosen = firstWithText([
    () => declaredContent(content, parts),
    () => withoutLinkRuns(content),
    () => content,
    () => blocks.filter((block) => !parts[block.region.index]?.isNavigation),
    () => blocks,
  ]);
  const headings = content.filter((block) => block.level > 0);
  const first = headings.filter((block) => block.level === 1);
  return {
    text: chosen.map((block) => block.text).join('\n'),
    headings,
    mainHeading: first.length === 1 ? (first[0]?.text ?? null) : null,
  };
}

/** A region with what the blocks say about it. */
interface Part {
  readonly region: Region;
  textLength: number;
  linkLength: number;
  isContent: boolean;
  isNavigation: boolean;
  /** The outermost main or article around it. */
  main: Part | null;
  article: Part | null;
}

function measure(blocks: readonly TextBlock[], regions: readonly Region[]): Part[] {
  const parts = regions.map((region): Part => {
    return {
      region,
      textLength: 0,
      linkLength: 0,
      isContent: true,
      isNavigation: false,
      main: null,
      article: null,
    };
  });
  for (const block of blocks) {
    const part = parts[block.region.index];
    if (part === undefined) continue;
    part.textLength += block.text.length;
    part.linkLength += block.linkLength;
  }
  for (const part of parts.toReversed()) {
    const parent = parts[part.region.parent?.index ?? -1];
    if (parent === undefined) continue;
    parent.textLength += part.textLength;
    parent.linkLength += part.linkLength;
  }
  for (const part of parts) {
    const { region } = part;
    const parent = parts[region.parent?.index ?? -1];
    part.isContent = (parent?.isContent ?? true) && isContent(part);
    part.isNavigation = (parent?.isNavigation ?? false) || region.role === 'chrome';
    part.main = parent?.main ?? (region.role === 'main' ? part : null);
    part.article = parent?.article ?? (region.role === 'article' ? part : null);
  }
  return parts;
}

function isContent({ region, textLength, linkLength }: Part): boolean {
  const isLinks = linkLength > LINK_DENSITY * textLength;
  switch (region.role) {
    case 'chrome':
      return false;
    case 'clutter':
      return region.holdsContent;
    case 'frame':
      return region.holdsContent || (region.isWithinContent && !isLinks);
    case 'aside':
      return !isLinks;
    default:
      return true;
  }
}

/** What is in main, else in articles; nothing when the page declares neither. */
function declaredContent(content: readonly TextBlock[], parts: readonly Part[]): readonly TextBlock[] {
  const within = content.filter((block) => parts[block.region.index]?.main);
  if (within.length > 0) return within;
  const articles = new Map<Part, number>();
  let total = 0;
  for (const block of content) {
    const article = parts[block.region.index]?.article;
    if (!article) continue;
    total += block.text.length;
    articles.set(article, (articles.get(article) ?? 0) + block.text.length);
  }
  const dominant = [...articles].find(([, length]) => length >= DOMINANT_ARTICLE * total)?.[0];
  return content.filter((block) => {
    const article = parts[block.region.index]?.article;
    return article && (dominant === undefined || article === dominant);
  });
}

/** Leaves out runs of lines that are links, unless links are what the page is about. */
function withoutLinkRuns(content: readonly TextBlock[]): readonly TextBlock[] {
  let textLength = 0;
  let linkLength = 0;
  for (const block of content) {
    textLength += block.text.length;
    linkLength += block.linkLength;
  }
  if (linkLength > LINK_DENSITY * textLength) return content;
  const kept: TextBlock[] = [];
  for (let i = 0; i < content.length; ) {
    let end = i;
    while (end < content.length && isLinkLine(content[end])) end++;
    if (end - i < LINK_RUN) kept.push(...content.slice(i, Math.max(end, i + 1)));
    i = Math.max(end, i + 1);
  }
  return kept;
}

function isLinkLine(block: TextBlock | undefined): boolean {
  return block !== undefined && block.linkLength > LINK_LINE_DENSITY * block.text.length;
}

/** The first choice that has enough text; when none has, the one with most. */
function firstWithText(choices: readonly (() => readonly TextBlock[])[]): readonly TextBlock[] {
  let best: readonly TextBlock[] = [];
  let bestLength = 0;
  for (const choice of choices) {
    const blocks = choice();
    const length = blocks.reduce((sum, block) => sum + block.text.length, 0);
    if (length >= LITTLE_TEXT) return blocks;
    if (length > bestLength) [best, bestLength] = [blocks, length];
  }
  return best;
}

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
/** Scripts whose words are a character or two long … */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** … so that a character says as much as three letters: 25 words of Chinese are some 45 characters. */
const DENSE_LETTERS = 3;
/** A part with a larger share of its characters in links is a list of links. */
const LINK_DENSITY = 0.5;
/** So many lines of links in a row are navigation … */
const LINK_RUN = 3;
/** … if nearly all of each line is link. */
const LINK_LINE_DENSITY = 0.8;
/** A page with a smaller share of its characters outside links is a page of links, and they are its content. */
const LEAST_PROSE = 0.2;
/** A part with this share of the prose is the content, whatever its class says. */
const MOST_PROSE = 0.5;
/** What main or article elements hold is disbelieved if it is a smaller share of all prose. */
const LEAST_DECLARED = 1 / 4;
/** An article with this share of the prose of all is the one the page is about; the others are teasers … */
const DOMINANT_ARTICLE = 2 / 3;
/** … and one that holds the page's heading needs only this. */
const HEADED_ARTICLE = 1 / 5;

/** What was chosen. */
export interface MainText {
  readonly text: string;
  /** Headings outside navigation, in order. */
  readonly headings: readonly TextBlock[];
  /** The one h1 among them, null when there is none or several. */
  readonly mainHeading: string | null;
}

/** Chooses the main content. `regions` are those of the page, parents before children. */
export function chooseMainText(blocks: readonly TextBlock[], regions: readonly Region[]): MainText {
  const parts = measure(blocks, regions);
  const content = blocks.filter((block) => partOf(block, parts)?.isContent);
  const chosen = firstWithText([
    () => contentOfMain(content, parts),
    () => contentOfArticles(content, parts),
    () => underHeading(withoutLinkRuns(content)),
    () => content,
    () => blocks.filter((block) => !partOf(block, parts)?.isChrome),
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

/** A region with what its blocks say about it. */
interface Part {
  readonly region: Region;
  textLength: number;
  /** Characters outside links. */
  prose: number;
  hasHeading: boolean;
  /** Has a heading that is no link, as that of a page is and the logo of a site is not. */
  hasTitle: boolean;
  isContent: boolean;
  isChrome: boolean;
  /** The outermost main, or article, around it. */
  main: Part | null;
  article: Part | null;
}

function partOf(block: TextBlock, parts: readonly Part[]): Part | undefined {
  return parts[block.region.index];
}

function measure(blocks: readonly TextBlock[], regions: readonly Region[]): Part[] {
  const parts = regions.map((region): Part => {
    const unknown = {
      hasHeading: false,
      hasTitle: false,
      isContent: true,
      isChrome: false,
      main: null,
      article: null,
    };
    return { region, textLength: 0, prose: 0, ...unknown };
  });
  const parentOf = ({ region }: Part): Part | undefined => parts[region.parent?.index ?? -1];
  for (const block of blocks) {
    const part = partOf(block, parts);
    if (part === undefined) continue;
    part.textLength += block.text.length;
    part.prose += block.text.length - block.linkLength;
    part.hasHeading ||= block.level === 1;
    part.hasTitle ||= block.level > 0 && block.linkLength === 0;
  }
  for (const part of parts.toReversed()) {
    const parent = parentOf(part);
    if (parent === undefined) continue;
    parent.textLength += part.textLength;
    if (part.region.role !== 'chrome' && part.region.role !== 'notice') parent.prose += part.prose;
    parent.hasHeading ||= part.hasHeading;
    parent.hasTitle ||= part.hasTitle;
  }
  const page = parts[0]?.prose ?? 0;
  const isDeclared = parts.some(({ region, prose }) => isDeclaredRole(region) && prose >= MOST_PROSE * page);
  for (const part of parts) {
    const { region } = part;
    const parent = parentOf(part);
    part.main = parent?.main ?? (region.role === 'main' ? part : null);
    part.article = parent?.article ?? (region.role === 'article' ? part : null);
    const around = part.article ?? part.main;
    const isMost =
      around === null
        ? !isDeclared && part.prose > MOST_PROSE * page
        : part.prose > MOST_PROSE * around.prose;
    part.isContent = (parent?.isContent ?? true) && isContent(part, isMost);
    part.isChrome = (parent?.isChrome ?? false) || region.role === 'chrome';
  }
  return parts;
}

function isDeclaredRole({ role }: Region): boolean {
  return role === 'main' || role === 'article';
}

/** Whether a region is content, its parent being so. `isMost`: it has most of the prose around it. */
function isContent({ region, textLength, prose, hasTitle }: Part, isMost: boolean): boolean {
  const isLinks = textLength - prose > LINK_DENSITY * textLength;
  switch (region.role) {
    case 'chrome':
      return false;
    case 'notice':
      return region.holdsContent;
    case 'clutter':
      return region.holdsContent || isMost;
    case 'frame':
      return region.holdsContent || isMost || (region.isWithinContent && !isLinks);
    case 'header':
      return region.holdsContent || isMost || ((region.isWithinContent || hasTitle) && !isLinks);
    case 'aside':
      return !isLinks;
    default:
      return true;
  }
}

/** What is in main elements; of a main that is little but one article, that article. */
function contentOfMain(content: readonly TextBlock[], parts: readonly Part[]): readonly TextBlock[] {
  const within = content.filter((block) => partOf(block, parts)?.main);
  if (proseOf(within) < LEAST_DECLARED * proseOf(content)) return [];
  const article = leadingArticle(within, parts, proseOf(within));
  return article === null ? within : within.filter((block) => partOf(block, parts)?.article === article);
}

/** What is in the article the page is about, or in all of them when it is about none in particular. */
function contentOfArticles(content: readonly TextBlock[], parts: readonly Part[]): readonly TextBlock[] {
  const within = content.filter((block) => partOf(block, parts)?.article);
  if (proseOf(within) < LEAST_DECLARED * proseOf(content)) return [];
  const article = leadingArticle(within, parts, proseOf(within));
  return withoutLinkRuns(
    article === null ? within : within.filter((block) => partOf(block, parts)?.article === article),
  );
}

function leadingArticle(blocks: readonly TextBlock[], parts: readonly Part[], prose: number): Part | null {
  const articles = new Map<Part, number>();
  for (const block of blocks) {
    const article = partOf(block, parts)?.article;
    if (article) articles.set(article, (articles.get(article) ?? 0) + block.text.length - block.linkLength);
  }
  const headed = [...articles].filter(([article]) => article.hasHeading);
  const [only] = headed.length === 1 ? headed : [];
  if (only && only[1] >= HEADED_ARTICLE * prose) return only[0];
  return [...articles].find(([, share]) => share >= DOMINANT_ARTICLE * prose)?.[0] ?? null;
}

function proseOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.text.length - block.linkLength, 0);
}

function lengthOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.text.length, 0);
}

/** Leaves out runs of lines that are links, unless links are what the page is about. */
function withoutLinkRuns(blocks: readonly TextBlock[]): readonly TextBlock[] {
  if (proseOf(blocks) < Math.max(LITTLE_TEXT, LEAST_PROSE * lengthOf(blocks))) return blocks;
  const kept: TextBlock[] = [];
  let run: TextBlock[] = [];
  for (const block of blocks) {
    if (block.linkLength > LINK_LINE_DENSITY * block.text.length) {
      run.push(block);
      continue;
    }
    if (run.length < LINK_RUN) kept.push(...run);
    kept.push(block);
    run = [];
  }
  return run.length < LINK_RUN ? [...kept, ...run] : kept;
}

/** Leaves out what stands before the one h1, if more stands after it. */
function underHeading(blocks: readonly TextBlock[]): readonly TextBlock[] {
  const first = blocks.findIndex((block) => block.level === 1);
  if (first <= 0 || blocks.findLastIndex((block) => block.level === 1) !== first) return blocks;
  const under = blocks.slice(first);
  return proseOf(under) > Math.max(LITTLE_TEXT, MOST_PROSE * proseOf(blocks)) ? under : blocks;
}

/** The first choice that has enough text; when none has, the one with most. */
function firstWithText(choices: readonly (() => readonly TextBlock[])[]): readonly TextBlock[] {
  let best: readonly TextBlock[] = [];
  let bestLength = 0;
  for (const choice of choices) {
    const blocks = choice();
    if (hasText(blocks)) return blocks;
    const length = lengthOf(blocks);
    if (length > bestLength) [best, bestLength] = [blocks, length];
  }
  return best;
}

/** Whether there is more than little text. */
function hasText(blocks: readonly TextBlock[]): boolean {
  const length = lengthOf(blocks);
  if (length >= LITTLE_TEXT) return true;
  const dense = blocks.reduce((sum, { text }) => sum + (text.match(DENSE)?.length ?? 0), 0);
  return length + dense * (DENSE_LETTERS - 1) >= LITTLE_TEXT;
}

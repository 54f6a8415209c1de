/**
 * The text of a page as blocks: the lines a reader sees, each with what is needed to tell content from the rest.
 *
 * Gathered from the token stream; nothing is chosen here. What comes later (main text, what repeats across a site)
 * works on blocks alone.
 */
import type { Region, RegionRole } from './regions.ts';

/** A paragraph, heading, list item, table row, line of an address … */
export interface TextBlock {
  /** White space folded, except in preformatted text; never empty. */
  readonly text: string;
  /** How many characters of it are inside links. */
  readonly linkLength: number;
  /** 1–6 for a heading, else 0. */
  readonly level: number;
  readonly region: Region;
}

/** White space that is not one space between words. */
const oddSpace = /[^\S ][\s\x85]*| [\s\x85]+|\x85[\s\x85]*/g;
/** Line ends of other systems, and characters that are both control and white space: form feed, next line. */
const oddLineEnd = /\r\n?|[\f\x85]/g;
/** Invisible characters that would split words for the index: soft hyphen, zero-width space, word joiner, BOM. */
const invisible = /[\u00ad\u200b\u2060\ufeff]/g;
/** Control characters that are no white space; NUL is dropped by the HTML standard as well. */
const controls = /(?![\t\n\f\r\x85])\p{Cc}/gu;

/** Collects blocks; told of every change of place by the parser. */
export class BlockCollector {
  readonly blocks: TextBlock[] = [];
  readonly regions: Region[] = [];
  private text = '';
  private linkLength = 0;
  private level = 0;
  private region: Region;
  private isPreformatted = false;
  /** White space at the start of what comes next is folded away. */
  private endsInSpace = true;

  constructor() {
    this.region = this.beginRegion('page', null);
  }

  /** A new part of the page. */
  beginRegion(role: RegionRole | 'page', parent: Region | null): Region {
    const isContent = role === 'main' || role === 'article';
    const region: Region = {
      role,
      parent,
      index: this.regions.length,
      isWithinContent: isContent || (parent?.isWithinContent ?? false),
      holdsContent: false,
    };
    this.regions.push(region);
    if (role === 'main') markContent(parent);
    return region;
  }

  /** Ends the present block; the next one is a heading of that level, or none (0). */
  breakBlock(level: number): void {
    if (this.text !== '') this.endBlock();
    this.level = level;
  }

  /** Adds text as it stands in the page; `region` is where. */
  add(text: string, region: Region, isInLink: boolean, isPreformatted: boolean): void {
    let piece = text;
    if (isPreformatted) piece = visible(text).replaceAll(oddLineEnd, '\n');
    else if (!isTidy(text)) piece = tidy(text);
    if (this.endsInSpace && !isPreformatted && piece.startsWith(' ')) piece = piece.slice(1);
    if (piece === '') return;
    if (this.text === '') {
      this.region = region;
      this.isPreformatted = isPreformatted;
    }
    this.text += piece;
    this.endsInSpace = piece.endsWith(' ');
    if (isInLink) this.linkLength += piece.length;
  }

  /** A line break inside a block. */
  addLineBreak(): void {
    if (this.text === '') return;
    this.text += '\n';
    this.endsInSpace = true;
  }

  private endBlock(): void {
    const text = this.isPreformatted ? trimLines(this.text) : foldLines(this.text);
    if (text !== '') {
      if (this.level === 1) markContent(this.region);
      const linkLength = Math.min(this.linkLength, text.length);
      this.blocks.push({ text, linkLength, level: this.level, region: this.region });
    }
    this.text = '';
    this.linkLength = 0;
    this.endsInSpace = true;
  }
}

function markContent(region: Region | null): void {
  for (let outer = region; outer !== null && !outer.holdsContent; outer = outer.parent)
    outer.holdsContent = true;
}

/** Folds white space; in the rare case that more is wrong, that as well. */
function tidy(text: string): string {
  const folded = text.includes('\ufeff') ? text : text.replaceAll(oddSpace, ' '); // \s takes U+FEFF for white space
  return isTidy(folded) ? folded : visible(folded).replaceAll(oddSpace, ' ');
}

/** Whether text can stand as it is: single spaces between visible characters. Most text can, so this is worth a loop. */
function isTidy(text: string): boolean {
  let isAfterSpace = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 0x20 ? code < 0x20 || isAfterSpace : code >= 0x7f && isOdd(code)) return false;
    isAfterSpace = code === 0x20;
  }
  return true;
}

/** A character above ASCII that is or may be a control character, white space or invisible. */
function isOdd(code: number): boolean {
  if (code <= 0xad) return code <= 0xa0 || code === 0xad;
  if (code < 0x2000 || code > 0x206f) return code === 0x1680 || code === 0x3000 || code === 0xfeff;
  return code <= 0x200f || (code >= 0x2028 && code <= 0x202f) || code >= 0x205f;
}

function visible(text: string): string {
  return text.replaceAll(invisible, '').replaceAll(controls, '');
}

/** Lines of ordinary text: no white space around them, no empty ones. */
function foldLines(text: string): string {
  if (!text.includes('\n')) return text.trim();
  return eachLine(text, (line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Lines of code: indented as they are, without empty ones at the ends. */
function trimLines(text: string): string {
  const lines = eachLine(text, (line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  return first === -1 ? '' : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1).join('\n');
}

function eachLine(text: string, change: (line: string) => string): string[] {
  return text.split('\n').map(change);
}

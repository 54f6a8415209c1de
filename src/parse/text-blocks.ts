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

/** Invisible characters that would split words for the index: soft hyphen, zero-width space, word joiner, BOM. */
const invisible = /[\u00ad\u200b\u2060\ufeff]/g;
/** Control characters have no place in text (NUL is dropped by the HTML standard as well). */
const controls = /(?![\t\n\r\f])\p{Cc}/gu;

/** Collects blocks; told of every change of place by the parser. */
export class BlockCollector {
  readonly blocks: TextBlock[] = [];
  readonly regions: Region[] = [];
  private text = '';
  private linkLength = 0;
  private level = 0;
  private region: Region;
  private isPreformatted = false;

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
    if (isContent) markContent(parent);
    return region;
  }

  /** Ends the present block; the next one is a heading of that level, or none (0). */
  breakBlock(level: number): void {
    if (this.text !== '') this.endBlock();
    this.level = level;
  }

  /** Adds text as it stands in the page; `region` is where. */
  add(text: string, region: Region, isInLink: boolean, isPreformatted: boolean): void {
    if (this.text === '') {
      if (isBlank(text)) return;
      this.region = region;
      this.isPreformatted = isPreformatted;
    }
    const piece = isPreformatted ? text : text.replaceAll(/[\s\u0085]+/g, ' ');
    this.text += piece;
    if (isInLink && piece !== ' ') this.linkLength += piece.length;
  }

  /** A line break inside a block. */
  addLineBreak(): void {
    if (this.text !== '') this.text += '\n';
  }

  private endBlock(): void {
    const text = tidy(this.text, this.isPreformatted);
    if (text !== '') {
      if (this.level === 1) markContent(this.region);
      this.blocks.push({
        text,
        linkLength: Math.min(this.linkLength, text.length),
        level: this.level,
        region: this.region,
      });
    }
    this.text = '';
    this.linkLength = 0;
  }
}

function markContent(region: Region | null): void {
  for (let outer = region; outer !== null && !outer.holdsContent; outer = outer.parent)
    outer.holdsContent = true;
}

function tidy(text: string, isPreformatted: boolean): string {
  const visible = text.replaceAll(invisible, '').replaceAll(controls, '');
  if (isPreformatted)
    return visible
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/[ \t]+$/gm, '')
      .replaceAll(/^\n+|\n+$/g, '');
  return visible
    .replaceAll(/ *\n[\n ]*/g, '\n')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

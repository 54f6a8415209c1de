/** Tables for a terminal: columns by display width, crawled text made printable, nothing wider than the screen. Pure. */
import { displayWidth, oneLine } from './width.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Takes what room the others leave, and is cut when that is not enough; at most one such column. */
  readonly isFlexible?: boolean;
}

/** Space between two columns, and the least room of the flexible one. */
const GAP = 2;
const MIN_FLEXIBLE = 12;

/**
 * Lines of a table with a header, at most `width` columns wide where a flexible column allows it.
 * Missing cells are empty. Lines have no trailing spaces.
 */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number = Number.POSITIVE_INFINITY,
): string[] {
  const cells = [columns.map((column) => column.title), ...rows].map((row) =>
    columns.map((_, i) => oneLine(row[i] ?? '', Number.POSITIVE_INFINITY)),
  );
  const widths = fittedWidths(columns, cells, width);
  return cells.map((row) =>
    row
      .map((cell, i) => align(oneLine(cell, widths[i] ?? 0), widths[i] ?? 0, columns[i]?.align ?? 'left'))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

/** Lines `name  value`, names padded to one width: the summary block of a command. */
export function formatPairs(pairs: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(0, ...pairs.map(([name]) => displayWidth(name)));
  return pairs.map(([name, value]) => `${align(name, width, 'left')}  ${value}`.trimEnd());
}

function fittedWidths(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
  width: number,
): number[] {
  const natural = columns.map((_, i) =>
    cells.reduce((most, row) => Math.max(most, displayWidth(row[i] ?? '')), 0),
  );
  const total = natural.reduce((sum, one) => sum + one, 0) + GAP * (columns.length - 1);
  return natural.map((one, i) =>
    columns[i]?.isFlexible === true ? Math.min(one, Math.max(MIN_FLEXIBLE, one - (total - width))) : one,
  );
}

function align(text: string, width: number, side: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return side === 'right' ? space + text : text + space;
}

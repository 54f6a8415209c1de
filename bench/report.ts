/** What a bench is handed and what it hands back: options, and rows of figures that become a table. */

export interface BenchOptions {
  readonly pages: number;
  readonly hosts: number;
  readonly latencyMs: number;
  readonly hasTraps: boolean;
  /** How long the soak lasts. */
  readonly minutes: number;
  /** What the frontier bench makes known, and the page cache it may use (storage.cache in a configuration). */
  readonly urls: number;
  readonly knownHosts: number;
  readonly cacheBytes: number;
  /** A smoke run: finish within seconds, whatever the figures are worth. */
  readonly isShort: boolean;
}

export interface Report {
  readonly options: BenchOptions;
  /** One line of the table; all rows of a bench have the same columns. */
  row(name: string, figures: Readonly<Record<string, string | number>>): void;
  /** A line of text below the table. */
  note(text: string): void;
}

/** Every bench module (`bench/NAME.ts`) exports this. Throwing means the bench failed, not that it was slow. */
export interface Bench {
  run(report: Report): Promise<void>;
}

export interface Row {
  readonly name: string;
  readonly figures: Readonly<Record<string, string | number>>;
}

/** Columns as wide as their widest cell; figures to the right. */
export function tableOf(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  const lines = [
    ['', ...columns],
    ...rows.map(({ name, figures }) => [name, ...columns.map((column) => cell(figures[column]))]),
  ];
  const widths = [0, ...columns.map((_, index) => index + 1)].map((index) =>
    Math.max(...lines.map((line) => (line[index] ?? '').length)),
  );
  return lines
    .map((line) =>
      line.map((text, index) =>
        index === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[index] ?? 0),
      ),
    )
    .map((line) => line.join('  ').trimEnd())
    .join('\n');
}

function cell(value: string | number | undefined): string {
  if (typeof value !== 'number') return value ?? '';
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 3 : value < 1_000 ? 1 : 0 });
}

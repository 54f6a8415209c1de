/** Are the WARC files of a folder sound? Reads all of them: records whole, each from its own offset, digests right. */
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type WarcPosition, warcFileName } from './log.ts';
import { readWarc } from './reader.ts';

/** Lines about one file at most: the first ones tell enough. */
const MOST_LINES = 20;

/**
 * What is wrong, a line each; empty: nothing is. The file being written is read as far as it is good (`position`), so this works
 * beside a crawl. No folder is a sound one.
 */
export async function problemsInWarcs(folder: string, position: WarcPosition | null): Promise<string[]> {
  const problems: string[] = [];
  for (const name of warcsIn(folder)) {
    const length = position === null ? null : goodLength(name, position);
    if (length === 0) continue;
    problems.push(...(await problemsInWarc(join(folder, name), length)));
  }
  return problems;
}

/** Bytes of a file that are good; null: all of it. A later file of the same log is not committed yet. */
function goodLength(name: string, position: WarcPosition): number | null {
  const current = warcFileName(position);
  if (name === current) return position.length;
  return name.startsWith(`freshet-${position.stamp}-`) && name > current ? 0 : null;
}

async function problemsInWarc(file: string, length: number | null): Promise<string[]> {
  const problems: string[] = [];
  const source = createReadStream(file, length === null ? {} : { end: length - 1 });
  let end = 0;
  try {
    for await (const item of readWarc(source)) {
      const found = item.kind === 'problem' ? [item.message] : item.digestProblems;
      problems.push(...found.map((what) => `${file}, byte ${item.offset}: ${what}`));
      if (problems.length >= MOST_LINES) break;
      end = item.offset;
    }
  } finally {
    source.destroy();
  }
  if (problems.length === 0 && length !== null && source.bytesRead < length) {
    problems.push(`${file}, byte ${end}: the file is shorter than what was written to it`);
  }
  return problems.slice(0, MOST_LINES);
}

function warcsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.warc(\.gz)?$/.test(name))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Examples in documentation that are run: statements, and lines or pairs of lines that say what an expression gives. */
import { isDeepStrictEqual } from 'node:util';

/** The fenced blocks of a language in a Markdown text, in order. */
export function codeBlocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, name, code]) =>
    name === language ? [code ?? ''] : [],
  );
}

/** Paths that the links of a Markdown text lead to, without anchors; addresses of the web are left out. */
export function linkedPaths(markdown: string): string[] {
  return [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/i.test(target));
}

/** `expression;  // → value`, also `// 'value'` without the arrow, and the comment on a line of its own. */
const EXPECTATION = /^(.*\S);\s*\/\/ (?:→ |(?=['"]|true\b|false\b|null\b|-?\d))(.+)$/;

/**
 * Runs a block of plain JavaScript whose imports come from `library`. Returns each expectation that failed, as a line for
 * people, and how many there were. Throws what the block throws.
 */
export function runBlock(
  code: string,
  library: Readonly<Record<string, unknown>>,
): { readonly checks: number; readonly failures: readonly string[] } {
  const failures: string[] = [];
  let checks = 0;
  const check = (expression: string, actual: unknown, expected: unknown): void => {
    checks++;
    // As JSON, for what is documented is data; class instances and null prototypes do not matter.
    const [got, wanted] = [actual, expected].map((value): unknown =>
      JSON.parse(JSON.stringify(value ?? null)),
    );
    if (!isDeepStrictEqual(got, wanted)) failures.push(`${expression} is ${JSON.stringify(got)}`);
  };
  const body = code
    .replace(/;\n\/\/ → /g, ';  // → ')
    .split('\n')
    .map((line) =>
      line
        .replace(/^import (\{.*\}) from 'freshet';/, 'const $1 = library;')
        .replace(EXPECTATION, (_, expression: string, value: string) => {
          return `check(${JSON.stringify(expression)}, (${expression}), (${value.replace(/;$/, '')}));`;
        }),
    );
  new Function('library', 'check', body.join('\n'))(library, check);
  return { checks, failures };
}

/** Words so common that they find nothing: left out of a query that has others, never left out of the index. */

const ENGLISH = `a an and are as at be but by for from how i if in into is it its no not of on or such that the their
  then there these they this to was what when where which will with you`;
const CHINESE = '的 了 啊 吗 呢 吧 呀 嘛 是 在 和 与 也 就 都 而 及 着 或';
const JAPANESE = 'の は が を に へ で と も や か';

const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${CHINESE} ${JAPANESE}`.split(/\s+/));

/** Is this token of a query a stop word? Takes tokens as the tokenizer makes them. */
export function isStopWord(token: string): boolean {
  return STOP_WORDS.has(token);
}

/** No case of old bugs is forgotten: each is named by a whole-crawl test. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bugs } from './cases.ts';

test('every case of bugs.jsonl is played', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));
  const text = files.map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8')).join('\n');
  expect(bugs.map(({ id }) => id).filter((id) => !text.includes(id))).toEqual([]);
});

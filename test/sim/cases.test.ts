/** No case of old bugs is forgotten: whole crawls play those of bugs.jsonl, and tests anywhere name the others. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bugs } from './cases.ts';

/** The tests below a folder, as one text. */
function testsIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const tests = files.filter((name) => /\.test\.tsx?$/.test(name));
  return tests.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('\n');
}

test('every case of bugs.jsonl is played', () => {
  const text = testsIn('test/sim');
  expect(bugs.map(({ id }) => id).filter((id) => !text.includes(id))).toEqual([]);
});

test.each(['bugs-fetch.json', 'bugs-parts.jsonl'])('every case of %s is named by a test', (file) => {
  const cases = readFileSync(`test/fixtures/cases/${file}`, 'utf8');
  const ids = [...cases.matchAll(/"id": "(bug-\d+)"/g)].map((match) => match[1] as string);
  const text = testsIn('src') + testsIn('test');
  expect(ids.length).toBeGreaterThan(0);
  expect(ids.filter((id) => !text.includes(id))).toEqual([]);
});

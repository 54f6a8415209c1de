/** A short run of the crash matrix (`npm run crash`): the built command line under real SIGKILLs (R29). */
import { expect, test } from 'vitest';
import { playMatrix } from '../crash/matrix.ts';

test('killed in the middle of commits and at any instant, ten times: sound after each death, and in the end as if undisturbed', async () => {
  const { deaths, problems } = await playMatrix(10, 1);
  expect(problems).toEqual([]);
  const atSteps = [...deaths].filter(([name]) => name !== 'any instant');
  expect(atSteps.length).toBeGreaterThan(2);
}, 120_000);

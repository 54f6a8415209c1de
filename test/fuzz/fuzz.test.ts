/** A short run of every target, the same each time; `npm run fuzz` runs them for long. And the fuzzer itself. */
import assert from 'node:assert/strict';
import { describe, expect, test } from 'vitest';
import { failureOf, fuzz } from './fuzzer.ts';
import { steepGrowth } from './growth.ts';
import type { Target } from './target.ts';
import { targets } from './targets.ts';

/** Inputs of a target, those of its corpus among them. */
const INPUTS = 400;
const SEED = 20_261_207;

describe.each(Object.entries(targets))('%s', (_, make) => {
  const target = make();

  test('holds for whatever comes', async () => {
    const { failures, inputs } = await fuzz(target, { seed: SEED, isDone: (count) => count >= INPUTS });
    expect(failures).toEqual([]);
    expect(inputs).toBeGreaterThanOrEqual(INPUTS);
  });

  test('takes time in proportion to its input, whatever is repeated', async () => {
    expect(await steepGrowth(target)).toEqual([]);
  });
});

describe('the fuzzer', () => {
  const broken = (fails: (input: string) => boolean): Target => ({
    corpus: ['some <b>text</b>', 'http://a.test/'],
    words: ['<', '>', 'zebra', '1'],
    run: (input) => () => assert.ok(!fails(input), 'it does not fail'),
  });
  const quick = { seed: 1, isDone: (inputs: number) => inputs >= 2_000 };

  test('finds what fails, says how, and makes it as small as it can be', async () => {
    const target = broken((input) => /z.*1/s.test(input));
    const { failures } = await fuzz(target, quick);
    expect(failures).toMatchObject([{ kind: 'it does not fail', input: 'z1' }]);
    expect(await failureOf(target, 'z1')).toMatchObject({ kind: 'it does not fail' });
    expect(await failureOf(target, '1z')).toBeNull();
  });

  test('tells what is thrown by the work itself, and goes on to what else there is', async () => {
    const target: Target = {
      ...broken((input) => input.includes('<<')),
      run: (input) => {
        if (input.includes('\0')) throw new RangeError(`too much of ${input}`);
        return broken((text) => text.includes('<<')).run(input);
      },
    };
    const { failures } = await fuzz(target, quick);
    expect(failures.map(({ kind, input }) => `${kind}: ${JSON.stringify(input)}`).sort()).toEqual([
      'RangeError: "\\u0000"',
      'it does not fail: "<<"',
    ]);
  });

  test('gives the same inputs for the same seed, and others for another', async () => {
    const inputsOf = async (seed: number): Promise<string[]> => {
      const inputs: string[] = [];
      await fuzz(
        broken(() => false),
        { seed, isDone: (count) => count >= 200, onInput: (text) => inputs.push(text) },
      );
      return inputs;
    };
    expect(await inputsOf(1)).toEqual(await inputsOf(1));
    expect(await inputsOf(1)).not.toEqual(await inputsOf(2));
  });

  test('mutates what reached new code', async () => {
    const met = new Set<string>();
    let hasNew = false;
    /** A lock that opens letter by letter, each of which is new code. */
    const target: Target = {
      ...broken(() => false),
      run: (input) => {
        for (const key of ['<z', '<z1', '<z1>', '<z1><']) {
          if (!input.includes(key) || met.has(key)) continue;
          met.add(key);
          hasNew = true;
        }
        return () => undefined;
      },
    };
    const hasGrown = async (): Promise<boolean> => {
      const answer = hasNew;
      hasNew = false;
      return answer;
    };
    const { kept } = await fuzz(target, {
      seed: 3,
      isDone: (count) => met.size === 4 || count >= 200_000,
      hasGrown,
    });
    expect(met.size).toBe(4);
    expect(kept).toBeGreaterThan(0);
  });

  test('tells time that grows with the square of the input', async () => {
    const squared = (input: string): (() => void) => {
      let found = 0;
      if (input.startsWith('<'))
        for (let at = 0; at < input.length; at++) found += input.lastIndexOf('\0', at);
      return () => assert.ok(found <= 0, 'there is none');
    };
    const steep = await steepGrowth({ ...broken(() => false), run: squared });
    expect(steep.map(({ piece }) => piece)).toEqual(['<']);
  });
});

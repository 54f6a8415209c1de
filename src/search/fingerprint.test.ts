import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areNearlyEqual, fingerprintOf } from './fingerprint.ts';
import { scan } from './tokenize.ts';

const words = (text: string): string[] =>
  scan(text, null)
    .filter(({ kind }) => kind === 'word' || kind === 'pair')
    .map(({ text: token }) => token);
const areAlike = (a: readonly string[], b: readonly string[]): boolean =>
  areNearlyEqual(fingerprintOf(a), fingerprintOf(b));

/** Texts of a few hundred words, as different as chance makes them. */
const text = fc.array(
  fc.integer({ min: 0, max: 3000 }).map((n) => `word${n}`),
  { minLength: 60, maxLength: 400, size: 'max' },
);

describe('any text', () => {
  test('is like itself, and like no other', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(areAlike(a, [...a])).toBe(true);
        fc.pre(a.join() !== b.join());
        expect(areAlike(a, b)).toBe(false);
        expect(areNearlyEqual(fingerprintOf(a), fingerprintOf(b))).toBe(
          areNearlyEqual(fingerprintOf(b), fingerprintOf(a)),
        );
      }),
    );
  });

  test('is not like a text much longer or shorter', () => {
    fc.assert(
      fc.property(text, (a) => {
        expect(areAlike(a, [...a, ...a])).toBe(false);
      }),
    );
  });

  test('has 64 bits, none of which is always the same', () => {
    const ones = new Array<number>(64).fill(0);
    const runs = 200;
    for (let run = 0; run < runs; run++) {
      const { high, low } = fingerprintOf(Array.from({ length: 100 }, (_, n) => `w${run * 100 + n}`));
      for (let bit = 0; bit < 64; bit++)
        ones[bit] = (ones[bit] ?? 0) + (((bit < 32 ? low : high) >>> (bit & 31)) & 1);
    }
    for (const count of ones) expect(Math.abs(count / runs - 0.5)).toBeLessThan(0.2);
  });

  test('stays like itself with one word of a thousand changed, mostly', () => {
    const base = Array.from({ length: 1000 }, (_, n) => `w${n}`);
    const alike = base.filter((_, at) => areAlike(base, base.with(at, 'changed')));
    expect(alike.length).toBeGreaterThan(950);
  });
});

test('short texts are like nothing, not even themselves', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 49 }), (tokens) => {
      expect(areAlike(tokens, tokens)).toBe(false);
    }),
  );
});

test('Chinese texts that differ in a number or a sentence are alike, others of one subject are not', () => {
  const install = `下载软件包以后，请先检查文件是否完整，然后运行安装程序。安装程序会询问目标文件夹，默认位置通常就可以。
    如果安装失败，请查看日志文件，里面写明了失败的原因。安装完成之后需要重新启动计算机，新的设置才会生效。
    升级旧版本时，原有的配置会被保留，但建议事先备份数据库。备份可以用管理工具完成，也可以直接复制整个数据文件夹。
    本手册适用于系统版本`;
  const backup = `备份数据库之前，请先停止所有服务，否则复制的文件可能不完整。管理工具可以在服务运行时备份，但是需要更多时间。
    备份文件应当保存在另一台计算机上，并且定期检查能否恢复。恢复时先安装同一版本的软件，再把文件复制回数据文件夹。
    如果恢复失败，请查看日志文件，里面写明了失败的原因。重要的数据建议保留三份，其中一份放在别的地方。
    本手册适用于系统版本`;
  expect(areAlike(words(`${install}3.10。`), words(`${install}3.11。`))).toBe(true);
  expect(areAlike(words(install), words(backup))).toBe(false);
});

test('the longest text takes a moment', () => {
  const tokens = Array.from({ length: 1_000_000 }, (_, n) => `w${n % 70_000}`);
  const started = performance.now();
  fingerprintOf(tokens);
  expect(performance.now() - started).toBeLessThan(5000);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseLanguage, voiceOf } from './language.ts';
import { en } from './messages/en.ts';
import { zhCn } from './messages/zh-cn.ts';

describe('messages', () => {
  const keys = Object.keys(en);

  test('both languages have the same keys, with the same holes', () => {
    expect(Object.keys(zhCn)).toEqual(keys);
    const holes = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort();
    for (const key of keys)
      expect([key, holes(zhCn[key as keyof typeof en])]).toEqual([key, holes(en[key as keyof typeof en])]);
  });

  test('every key is used by a page', () => {
    const folder = import.meta.dirname;
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('test') && !name.startsWith('messages'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    const unused = keys.filter((key) => !sources.includes(`'${key.replace(/\.(one|other)$/, '')}'`));
    expect(unused).toEqual([]);
  });
});

test.each([
  [undefined, undefined, 'en'],
  ['zh-CN', 'en', 'zh-CN'],
  ['zh', undefined, 'zh-CN'],
  ['en-GB', 'zh', 'en'],
  ['fr', 'zh', 'zh-CN'],
  ['', 'zh-Hans-CN, en;q=0.5', 'zh-CN'],
  [undefined, 'en;q=0.5, zh;q=0.6', 'zh-CN'],
  [undefined, 'zh;q=0, fr', 'en'],
  [undefined, 'zh;q=abc, *', 'en'],
  [undefined, `${'x,'.repeat(100_000)}zh`, 'en'],
  ['zhuang', undefined, 'en'],
])('?lang=%s and Accept-Language %s choose %s', (wanted, header, expected) => {
  expect(chooseLanguage(wanted, header)).toBe(expected);
});

test('numbers, plurals and times are those of the language', () => {
  const [english, chinese] = [voiceOf('en'), voiceOf('zh-CN')];
  expect(english.count('search.total', 1)).toBe('1 result');
  expect(english.count('search.total', 1_204)).toBe('1,204 results');
  expect(chinese.count('search.total', 1)).toBe('1 条结果');
  expect(english.ago(0, 500)).toBe('now');
  expect(english.ago(0, 59_000)).toBe('59 seconds ago');
  expect(english.ago(0, 2 * 86_400_000)).toBe('2 days ago');
  expect(chinese.ago(0, 7_200_000)).toBe('2小时前');
});

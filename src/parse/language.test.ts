import { describe, expect, test } from 'vitest';
import { detectLanguage, primarySubtag } from './language.ts';

test.each([
  ['zh-Hant-TW', 'zh'],
  ['en_US', 'en'],
  [' DE ', 'de'],
  ['de, en', 'de'],
  ['cn', 'zh'],
  ['iw', 'he'],
  ['und', null],
  ['', null],
  ['english', null],
  ['x', null],
  [null, null],
])('declared %s is %s', (declared, language) => {
  expect(primarySubtag(declared)).toBe(language);
});

describe('the script overrules a language not written in it', () => {
  test.each([
    ['搜索引擎的内容不断变化', null, 'zh'],
    ['搜索引擎的内容不断变化', 'en', 'zh'],
    ['検索エンジンの内容は常に変化します', null, 'ja'],
    ['検索結果', 'ja', 'ja'],
    ['검색 엔진의 내용', null, 'ko'],
    ['Поисковая система', null, 'ru'],
    ['Пошукова система', 'uk', 'uk'],
    ['Поисковая система', 'en-US', 'ru'],
    ['Η μηχανή αναζήτησης', null, 'el'],
    ['The crawler keeps a queue', null, null],
    ['The crawler keeps a queue', 'en-GB', 'en'],
    ['Le moteur de recherche', 'fr', 'fr'],
    ['The word 搜索 means search, and this is an English sentence', 'en', 'en'],
    ['1234 !?', 'de', 'de'],
    ['', null, null],
  ])('%s, declared %s: %s', (text, declared, language) => {
    expect(detectLanguage(text, declared)).toBe(language);
  });
});

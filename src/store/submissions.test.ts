import { describe, expect, test } from 'vitest';
import { openMemoryDatabase } from './database.ts';
import { Submissions } from './submissions.ts';

const of = (host: string, url = `https://${host}/a`) => ({
  keyFile: `https://${host}/key.txt#indexnow`,
  key: 'key-of-host',
  urls: [url],
});

describe('room', () => {
  const large = `https://a.test/${'x'.repeat(3 * 1024 * 1024)}`;

  test('of one host is bounded: the oldest make room, those of other hosts stay', () => {
    const submissions = new Submissions(openMemoryDatabase());
    submissions.put(of('b.test'), 1);
    for (let n = 0; n < 5; n++) submissions.put(of('a.test', `${large}${n}`), 2 + n);
    const kept = submissions.waiting('https://a.test/key.txt#indexnow');
    expect(kept.map(({ receivedAt }) => receivedAt)).toEqual([5, 6]);
    expect(submissions.waiting('https://b.test/key.txt#indexnow')).toHaveLength(1);
  });

  test('of all is bounded', () => {
    const submissions = new Submissions(openMemoryDatabase());
    for (let n = 0; n < 30; n++) submissions.put(of(`h${n}.test`, `${large}${n}`), n);
    expect(submissions.count()).toBe(10);
    expect(submissions.keyFiles()[0]).toContain('h20.test');
  });
});

test('one visit takes about ten thousand URLs, and one submission at least', () => {
  const submissions = new Submissions(openMemoryDatabase());
  const urls = Array.from({ length: 6_000 }, (_, n) => `https://a.test/${n}`);
  for (let n = 0; n < 2; n++) submissions.put({ ...of('a.test'), urls }, n);
  const { keyFile } = of('a.test');
  const first = submissions.waiting(keyFile);
  expect(first).toHaveLength(1);
  submissions.drop(first.map(({ id }) => id));
  expect(submissions.waiting(keyFile)).toHaveLength(1);
});

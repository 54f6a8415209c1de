import { describe, expect, test } from 'vitest';
import { type Answer, own, type WebWorld, webWorld } from '../../test/support/web-world.ts';

const KEY = 'a1b2c3d4e5f6';
const HOST = 'docs.example.org';
const U = `https://${HOST}`;

function world(): WebWorld {
  const made = webWorld();
  made.knowHost(HOST);
  return made;
}

function post(to: WebWorld, fields: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
  const body = JSON.stringify({ host: HOST, key: KEY, urlList: [`${U}/a`], ...fields });
  return to.get(
    '/indexnow',
    { ...own, 'content-type': 'application/json; charset=utf-8', ...headers },
    'POST',
    body,
  );
}

const path = (url: string, key = KEY): string => `/indexnow?url=${encodeURIComponent(url)}&key=${key}`;

test('a POST and a GET are written down for the crawler, and answered 202', async () => {
  const here = world();
  expect(await post(here)).toMatchObject({ status: 202, text: '' });
  expect((await here.get(path(`${U}/b`))).status).toBe(202);
  expect(here.inbox.keyFiles()).toEqual([`${U}/${KEY}.txt#indexnow`]);
  expect(here.inbox.waiting(`${U}/${KEY}.txt#indexnow`)).toMatchObject([
    { key: KEY, urls: [`${U}/a`] },
    { key: KEY, urls: [`${U}/b`] },
  ]);
});

describe('nothing is written down', () => {
  test.each([
    ['a host that is not crawled', { host: 'other.example', urlList: ['https://other.example/'] }, 422],
    ['a URL of another host', { urlList: ['https://other.example/'] }, 422],
    ['a key that is none', { key: 'no key' }, 422],
    ['no list', { urlList: undefined }, 400],
  ])('for %s', async (_, fields, status) => {
    const here = world();
    const answer = await post(here, fields);
    expect(answer.status).toBe(status);
    expect(answer.header('content-type')).toBe('application/problem+json');
    expect(JSON.parse(answer.text)).toMatchObject({ status, detail: expect.any(String) });
    expect(here.inbox.count()).toBe(0);
  });

  test('for what does not say that it is JSON, as a form on another site', async () => {
    const here = world();
    expect((await post(here, {}, { 'content-type': 'text/plain' })).status).toBe(400);
    expect(here.inbox.count()).toBe(0);
  });

  test('for what is not JSON', async () => {
    const here = world();
    const answer = await here.get(
      '/indexnow',
      { ...own, 'content-type': 'application/json' },
      'POST',
      '{"host":',
    );
    expect([answer.status, here.inbox.count()]).toEqual([400, 0]);
  });

  test('for a body that is too large', async () => {
    const here = world();
    expect((await post(here, { padding: 'x'.repeat(5_000_000) })).status).toBe(413);
    expect(here.inbox.count()).toBe(0);
  });

  const manyUrls = (end: string): string =>
    JSON.stringify({
      host: HOST,
      key: KEY,
      urlList: Array.from({ length: 10_000 }, (_, n) => `${U}/${'x'.repeat(350)}${end}${n}`),
    });
  test.each([
    ['arrays in arrays, never closed', '['.repeat(4_000_000), 400],
    ['arrays in arrays', `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`, 400],
    ['objects in objects', `${'{"a":'.repeat(600_000)}1${'}'.repeat(600_000)}`, 400],
    ['many keys', `{${Array.from({ length: 300_000 }, (_, n) => `"k${n}":1`).join(',')}}`, 400],
    ['one number', '1'.repeat(4_000_000), 400],
    ['one string, escaped', `"${'\\u0041'.repeat(690_000)}"`, 400],
    ['the longest list, of another host', manyUrls('').replaceAll(U, 'https://other.example'), 422],
    ['more URLs than are taken', manyUrls('').replace('[', `[${`"${U}/",`.repeat(10)}`), 400],
    ['a prototype', `{"__proto__":{"host":"${HOST}","key":"${KEY}","urlList":["${U}/"]}}`, 400],
  ])('for a bomb: %s', async (_, body, status) => {
    const here = world();
    const json = { ...own, 'content-type': 'application/json' };
    expect((await here.get('/indexnow', json, 'POST', body)).status).toBe(status);
    expect(here.inbox.count()).toBe(0);
  });

  test('for a strange Host header, or a HEAD', async () => {
    const here = world();
    expect((await here.get(path(`${U}/a`), { host: 'evil.example' })).status).toBe(421);
    const { status, header } = await here.get(path(`${U}/a`), own, 'HEAD');
    expect([status, header('allow')]).toEqual([405, 'GET, POST']);
    expect(here.inbox.count()).toBe(0);
  });
});

describe('too many', () => {
  test('submissions whose key is not proven, of one host: strangers cannot have it asked for many key files', async () => {
    const here = world();
    here.knowHost('other.example');
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await here.get(path(`${U}/a`, `stranger-${n}`))).status);
    expect(statuses).toEqual([...Array(10).fill(202), 429, 429]);
    const refused = await here.get(path(`${U}/a`));
    expect(Number(refused.header('retry-after'))).toBeGreaterThan(60);
    expect((await here.get(path('https://other.example/a'))).status).toBe(202);
  });

  test('large bodies, which take long to read; small ones go on', async () => {
    const here = world();
    const statuses: number[] = [];
    for (let n = 0; n < 22; n++) statuses.push((await post(here, { padding: 'x'.repeat(300_000) })).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(202));
    expect(statuses.slice(10, 20)).toEqual(Array(10).fill(429)); // the key is not proven
    here.knowHost('other.example');
    const other = { host: 'other.example', urlList: ['https://other.example/'] };
    expect((await post(here, { ...other, padding: 'x'.repeat(300_000) })).status).toBe(429);
    expect((await post(here, other)).status).toBe(202);
  });

  test('of whatever kind, all together', async () => {
    const here = world();
    const statuses = new Set<number>();
    for (let n = 0; n < 300; n++) statuses.add((await here.get('/indexnow')).status);
    expect([...statuses]).toEqual([400]);
    const refused = await here.get(path(`${U}/a`));
    expect(refused.status).toBe(429);
    expect(Number(refused.header('retry-after'))).toBeGreaterThan(0);
  });
});

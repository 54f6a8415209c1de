import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readParameters, readSubmission } from './indexnow.ts';

const KEY = 'a1b2c3d4e5f6';
const HOST = 'www.example.org';
const U = `https://${HOST}`;

const statusOf = (fields: object): number => {
  const reading = readSubmission({ host: HOST, key: KEY, urlList: [`${U}/a`], ...fields });
  return reading.isWellFormed ? 200 : reading.status;
};

test('the example of the protocol', () => {
  const body = {
    host: HOST,
    key: KEY,
    keyLocation: `${U}/${KEY}.txt`,
    urlList: [`${U}/url1`, `${U}/folder/url2`, `${U}/url3`],
  };
  expect(readSubmission(body)).toEqual({
    isWellFormed: true,
    submission: { keyFile: `${U}/${KEY}.txt#indexnow`, key: KEY, urls: body.urlList },
  });
});

test('without keyLocation the key is at the root, by the scheme that was submitted', () => {
  expect(readParameters(`http://${HOST}/a`, KEY, undefined)).toMatchObject({
    submission: { keyFile: `http://${HOST}/${KEY}.txt#indexnow` },
  });
});

test('http and https may be mixed, ports may not; a URL is taken once and without fragment', () => {
  const urlList = [`${U}/a#x`, `http://${HOST}/a`, `${U}/a`];
  expect(readSubmission({ host: HOST, key: KEY, urlList })).toMatchObject({
    submission: { urls: [`${U}/a`, `http://${HOST}/a`] },
  });
  expect(statusOf({ urlList: [`${U}:8443/a`] })).toBe(422);
});

describe('what is not a submission', () => {
  test.each([
    [{ host: 5 }, 400],
    [{ host: 'www.example.org/x' }, 400],
    [{ host: 'user@www.example.org' }, 400],
    [{ host: '' }, 400],
    [{ key: undefined }, 400],
    [{ keyLocation: 7 }, 400],
    [{ urlList: `${U}/a` }, 400],
    [{ urlList: [] }, 400],
    [{ urlList: [1] }, 400],
    [{ urlList: ['/a'] }, 400],
    [{ urlList: ['ftp://www.example.org/a'] }, 400],
    [{ urlList: ['https://u:p@www.example.org/a'] }, 400],
    [{ urlList: [`${U}/${'a'.repeat(5_000)}`] }, 400],
    [{ urlList: Array.from({ length: 10_001 }, (_, n) => `${U}/${n}`) }, 400],
    [{ key: 'short' }, 422],
    [{ key: 'a'.repeat(129) }, 422],
    [{ key: 'under_score' }, 422],
    [{ key: '../../../x' }, 422],
    [{ urlList: [`${U}/a`, 'https://other.example/a'] }, 422],
    [{ host: 'example.org' }, 422],
  ])('%j: %d', (fields, status) => expect(statusOf(fields)).toBe(status));

  test.each([null, undefined, 1, 'x', []])('%j: 400', (body) =>
    expect(readSubmission(body)).toMatchObject({ status: 400 }),
  );

  test('ten thousand URLs are', () =>
    expect(statusOf({ urlList: Array.from({ length: 10_000 }, (_, n) => `${U}/${n}`) })).toBe(200));
});

describe('a key file speaks for its folder', () => {
  test.each([
    ['/key.txt', '/anything', 200],
    ['/catalog/key.txt', '/catalog/a/b', 200],
    ['/catalog/key.txt', '/catalog/', 200],
    ['/catalog/key.txt', '/catalog', 422],
    ['/catalog/key.txt', '/help/', 422],
    ['/catalog/key.txt', '/catalog/../help/', 422],
    ['/catalog/key.txt', '/catalog/%2e%2e/help/', 422],
    ['/catalog/../key.txt', '/help/', 200],
    // Whoever may upload a file must not speak for more than the uploads.
    ['/uploads%2Fmine%2Fkey.txt', '/', 422],
    ['/uploads%5cmine%5ckey.txt', '/', 422],
    ['/uploads%252Fkey.txt', '/', 422],
    // And whoever may choose what a page says must not speak at all.
    [`/echo?text=${KEY}`, '/', 422],
    [`/key.txt#${KEY}`, '/', 422],
  ])('%s for %s: %d', (file, path, status) =>
    expect(statusOf({ keyLocation: U + file, urlList: [U + path] })).toBe(status),
  );

  test.each([
    'https://evil.example/key.txt',
    `${U}:8443/key.txt`,
    'file:///etc/passwd',
    'key.txt',
    'https://u@www.example.org/k.txt',
  ])('%s is not on the host', (keyLocation) => expect(statusOf({ keyLocation })).toBe(422));
});

test('parameters of a GET are as strict', () => {
  expect(readParameters(undefined, KEY, undefined)).toMatchObject({ status: 400 });
  expect(readParameters(`${U}/a`, undefined, undefined)).toMatchObject({ status: 400 });
  expect(readParameters('nonsense', KEY, undefined)).toMatchObject({ status: 400 });
  expect(readParameters(`${U}/a`, 'bad key', undefined)).toMatchObject({ status: 422 });
  expect(readParameters(`${U}/a`, KEY, 'https://evil.example/k.txt')).toMatchObject({ status: 422 });
});

test('whatever comes, it never throws, and what passes is on one host in one folder', () => {
  const url = fc.oneof(fc.webUrl(), fc.string(), fc.constantFrom(`${U}/a`, `${U}/x/../b`, `http://${HOST}`));
  const submitted = fc.record(
    {
      host: fc.oneof(fc.string(), fc.constant(HOST)),
      key: fc.oneof(fc.string(), fc.constant(KEY)),
      keyLocation: url,
      urlList: fc.array(url),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), submitted), (body) => {
      const reading = readSubmission(body);
      if (!reading.isWellFormed) return;
      const { keyFile, urls } = reading.submission;
      const folder = new URL('.', keyFile);
      for (const one of urls) {
        expect(new URL(one).host).toBe(folder.host);
        expect(new URL(one).pathname.startsWith(folder.pathname)).toBe(true);
      }
    }),
  );
});

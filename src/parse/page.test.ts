import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParsedPage } from '../types.ts';
import { isParsableType, parsePage } from './page.ts';

const RECEIVED_AT = Date.UTC(2026, 10, 30);

const read = (
  body: string | Uint8Array,
  contentType: string | null = 'text/html',
  robotsHeaders: string[] = [],
): ParsedPage =>
  parsePage(
    typeof body === 'string' ? Buffer.from(body) : body,
    { url: 'http://a.test/d/p', contentType, robotsHeaders, receivedAt: RECEIVED_AT },
    'ExampleBot',
  );

const html =
  '<html lang=de-AT><title>Titel</title><meta name=description content=Kurz><h1>Größe</h1><p>Ein Absatz.<a href=n>Weiter</a>';

describe('HTML', () => {
  test('a field for a password', () => {
    expect(read('<p>x<input type=" Password ">').hasPasswordField).toBe(true);
    expect(
      read('<p>x<input name=password type=text><template><input type=password></template>').hasPasswordField,
    ).toBe(false);
    expect(read('type=password', 'text/plain').hasPasswordField).toBe(false);
  });

  test('marks of a check for robots, in a page with little text', () => {
    const script = '<script>window._cf_chl_opt={}</script>';
    expect(read(`<p>One moment${script}`).hasChallengeMark).toBe(true);
    expect(read(`<p>${'Much to read. '.repeat(60)}${script}`).hasChallengeMark).toBe(false);
    expect(
      read('<p>Tea<script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>').hasChallengeMark,
    ).toBe(false);
  });

  test('a page asks to be left out once its date has passed', () => {
    const isWanted = (date: string): boolean =>
      read(`<meta name=robots content="unavailable_after: ${date}">`).robots.index &&
      read('', 'text/plain', [`unavailable_after: ${date}`]).robots.index;
    expect(isWanted('2026-11-29')).toBe(false);
    expect(isWanted('2026-12-01')).toBe(true);
  });

  test('everything an index and a crawl need', () => {
    expect(read(html)).toMatchObject({
      url: 'http://a.test/d/p',
      title: 'Titel',
      headings: ['Größe'],
      text: 'Größe\nEin Absatz.Weiter',
      description: 'Kurz',
      language: 'de',
      encoding: 'utf-8',
      base: 'http://a.test/d/p',
      links: [{ url: 'http://a.test/d/n', nofollow: false, text: 'Weiter' }],
      robots: { index: true, follow: true, archive: true, snippet: true },
    });
  });

  test('without a title, what comes nearest', () => {
    expect(read('<meta property=og:title content=Graph><h1>Head</h1>').title).toBe('Graph');
    expect(read('<h1>Head</h1><p>x').title).toBe('Head');
    expect(read('<p>x').title).toBe('');
  });

  test('header and meta both have to permit', () => {
    const page = read(
      '<meta name=robots content=noarchive><meta name=examplebot content=nosnippet>',
      'text/html',
      ['nofollow'],
    );
    expect(page.robots).toEqual({ index: true, follow: false, archive: false, snippet: false });
  });

  test('the hash is of what is extracted and of nothing else', () => {
    const { contentHash } = read(html);
    expect(contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(read(`${html}<script>var token = 42</script><!-- 7 -->`).contentHash).toBe(contentHash);
    expect(read(html.replace('href=n', 'href=m')).contentHash).toBe(contentHash);
    expect(read(html.replace('Absatz', 'Satz')).contentHash).not.toBe(contentHash);
    expect(read(html.replace('Titel', 'Title')).contentHash).not.toBe(contentHash);
  });

  test('XHTML in a legacy encoding', () => {
    const body = Buffer.from(
      '<?xml version="1.0" encoding="iso-8859-1"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>Gr\xf6\xdfe</p></body></html>',
      'latin1',
    );
    expect(read(body, 'application/xhtml+xml')).toMatchObject({ text: 'Größe', encoding: 'windows-1252' });
  });
});

test('plain text is its text, titled by its first line', () => {
  const page = read('\ufeffNotes\r\n\r\nOne <b>line</b>\0\r\n', 'text/plain; charset=utf-8', ['noindex']);
  expect(page).toMatchObject({
    title: 'Notes',
    text: 'Notes\n\nOne <b>line</b>',
    links: [],
    encoding: 'utf-8',
  });
  expect(page.robots.index).toBe(false);
});

test.each([
  ['text/html', true],
  ['TEXT/HTML; charset=x', true],
  ['application/xhtml+xml', true],
  ['text/plain', true],
  ['application/pdf', false],
  ['image/svg+xml', false],
  ['text/css', false],
  ['application/json', false],
])('%s is read: %s', (type, isRead) => {
  expect(isParsableType(type, Buffer.from('<html>'))).toBe(isRead);
});

test('without a type the body tells', () => {
  expect(isParsableType(null, Buffer.from('\ufeff\n<!DOCTYPE html><p>'))).toBe(true);
  expect(isParsableType('', Buffer.from('<!-- c --><html>'))).toBe(true);
  expect(isParsableType(null, Buffer.from('%PDF-1.7'))).toBe(false);
  expect(isParsableType(null, Buffer.from('{"a": "<p>"}'))).toBe(false);
});

test('whatever comes, a page comes of it', () => {
  const type = fc.option(
    fc.oneof(fc.constantFrom('text/html', 'text/plain', 'application/xhtml+xml'), fc.string()),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), type, (body, contentType) => {
      expect(read(body, contentType).contentHash).toHaveLength(64);
    }),
  );
});

describe('what is labelled as text and is none', () => {
  const gif = Buffer.from('R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  test.each([
    ['a GIF', gif],
    ['a PNG', png],
    ['gzip', gzipSync(html.repeat(50))],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj')],
  ])('%s', (_, body) => {
    for (const type of ['text/html', 'text/plain; charset=utf-8'])
      expect(isParsableType(type, body)).toBe(false);
  });

  const chinese = `<title>安装</title>${'汉字编码测试'.repeat(40)}`;
  test.each([
    ['nothing', 'text/html', Buffer.alloc(0)],
    ['UTF-16 with its mark', 'text/html', Buffer.from(`\ufeff${chinese}`, 'utf16le')],
    ['UTF-16 by its label', 'text/html; charset="UTF-16LE"', Buffer.from(chinese, 'utf16le')],
    ['ISO-2022-JP', 'text/html', Buffer.from('<p>\x1b$BF|K\x1b(B'.repeat(20), 'latin1')],
    ['GBK', 'text/html; charset=gbk', Buffer.from('c4e3bac3cac0bde7'.repeat(40), 'hex')],
    [
      'a few stray control characters',
      'text/plain',
      Buffer.from(`Page 1\f${'text '.repeat(40)}\x01\x02\x1f`),
    ],
    ['padding', 'text/plain', Buffer.from(`text${'\0'.repeat(400)}`)],
  ])('%s is text', (_, type, body) => {
    expect(isParsableType(type, body)).toBe(true);
  });
});

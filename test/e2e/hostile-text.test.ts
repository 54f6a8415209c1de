/** What pages say, on the terminal: none of it is more than visible text there, whatever command shows it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliEnd, runCli } from '../support/cli.ts';
import { answer, type RawServer, startRawServer } from '../support/raw-server.ts';

/** What a terminal obeys, what turns its text around, and what nobody sees. */
const tricks: readonly string[] = [
  '\x1b]0;owned\x07', // window title
  '\x1b]8;;https://evil.example/\x1b\\safe\x1b]8;;\x1b\\', // link
  '\x1b]52;c;cm0gLXJm\x07', // clipboard
  '\x1b[2J\x1b[1;1H\x1b[8m', // erase, move, hide
  '\x1b[31m\x9b31m\x9d0;owned\x9c', // colours, also in one byte
  '\x1bP$q"p\x1b\\\x1b_G\x1b\\\x1b^x\x1b\\\x1bX', // DCS, APC, PM, SOS
  '\x1b[6n\x1b[c\x05', // asks the terminal to type
  'safe\b\b\b\bevil\x7f\rforged line\x0b\x0c\x85\u2028',
  '\u202egpj.exe\u2066\u2067\u061c\u200f', // direction
  '\u200b\u2060\ufeff\u00ad\u3164\u{e0041}\u{e0001}\ufff9', // unseen
  '\0\x01\x1f\x80\x9f',
];
const UNSAFE =
  /[^\P{Cc}\n]|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\u00ad\ufeff\ufff9]|[\u{e0000}-\u{e007f}]/u;
/** As character references, so that what a parser makes of bytes does not matter; NUL has none. */
const references = (text: string): string =>
  [...text].map((character) => `&#${character.codePointAt(0)};`).join('');
const all = tricks.join(' words ');

let server: RawServer;
let folder: string;
let crawling: CliEnd;
const cli = (...args: string[]): Promise<CliEnd> => runCli([...args, '--data', join(folder, 'data')]);

beforeAll(async () => {
  const html = { 'Content-Type': 'text/html; charset=utf-8' };
  const encoded = encodeURIComponent(all).slice(0, 900).replace(/%\w?$/, '');
  const links = tricks.map(
    (trick, n) =>
      `<a href="/p${n}?q=${references(trick)}">${trick}</a> <a href="/e/${encodeURIComponent(trick)}">x</a>`,
  );
  server = await startRawServer({
    '/robots.txt': answer(
      '200 OK',
      { 'Content-Type': 'text/plain' },
      `User-agent: *\nDisallow: /private/${encoded}\nSitemap: /s\x1b]0;x\x07.xml\n`,
    ),
    '/': answer(
      '200 OK',
      html,
      `<html lang="${references(all)}"><title>${references(all)} words</title><meta name="description" content="${references(all)}">
      <h1>${all}</h1><p>Some words: ${references(all)} and more words of the page, so that there is a snippet.</p>
      ${links.join('\n')} <a href="/private/${encoded}">x</a> <a href="http://other.example/?${references(all)}">x</a> <a href="/moved">x</a> <a href="/reason">x</a> <a href="/type">x</a> <a href="http://\x1b]0;x\x07.example/">x</a>`,
    ),
    '/moved': answer('302 Found', { Location: '/to\x1b]0;owned\x07\x9b31m\xe2\x80\xae' }),
    '/reason': [{ send: 'HTTP/1.1 500 \x1b]0;owned\x07\x9b31m\r\nContent-Length: 0\r\n\r\n' }],
    '/type': answer('200 OK', { 'Content-Type': 'x/\x9b31m\xe2\x80\xae' }, 'x'),
    '*': answer('200 OK', html, `<title>${references(all)}</title><p>${all} words`),
  });
  folder = mkdtempSync(join(tmpdir(), 'freshet-text-'));
  const flags = [
    '--allow-private',
    '127.0.0.1',
    '--delay',
    '1ms',
    '--verbose',
    '--depth',
    '3',
    '--max-pages',
    '60',
  ];
  crawling = await cli(
    'crawl',
    `${server.origin}/`,
    `${server.origin}/typed?${all.replaceAll('\0', '')}`,
    ...flags,
  );
}, 60_000);

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('nothing unsafe is written', () => {
  const isSafe = ({ stdout, stderr }: CliEnd): void => {
    for (const text of [stdout, stderr])
      expect(UNSAFE.exec(text)?.[0], JSON.stringify(text.slice(0, 2_000))).toBeUndefined();
  };

  test('while it is crawled', () => {
    expect(crawling.stderr).toMatch(/60|indexed/i);
    isSafe(crawling);
  });

  const typed = all.replaceAll('\0', '');
  const commands: readonly (readonly string[])[] = [
    ['search', 'words'],
    ['search', `words ${typed}`],
    ['search', '--limit', typed],
    ['urls'],
    ['urls', '--skipped'],
    ['urls', '--state', typed],
    ['status'],
    ['held'],
    ['held', 'apply', typed],
    ['explain', 'ORIGIN/'],
    ['explain', 'ORIGIN/moved'],
    ['explain', `ORIGIN/${typed}`],
    ['explain', typed],
    ['report', 'interval', 'ORIGIN/', `ORIGIN/${typed}`],
    ['report', typed],
    ['undelete', `ORIGIN/${typed}`],
    ['check'],
    ['restore', typed],
    ['add', `ORIGIN/${typed}`, `http://${typed}/`, typed],
    ['crawl', '--max-pages', typed],
    ['serve', '--host', typed],
    [typed],
  ];
  const named = commands.map((command) => [command.join(' ').replaceAll(typed, 'TRICKS'), command] as const);

  test.each(named)('by freshet %s', async (_, command) => {
    const words = command.map((word) => word.replace('ORIGIN', server.origin));
    for (const end of await Promise.all([cli(...words), cli(...words, '--json')])) {
      expect(`${end.stdout}${end.stderr}`.length).toBeGreaterThan(0);
      isSafe(end);
    }
  });

  test('and JSON says all that pages said', async () => {
    const { stdout } = await cli('search', 'words', '--json');
    const [first] = (JSON.parse(stdout) as { hits: { title: string }[] }).hits;
    expect(first?.title).toContain('\u202egpj.exe');
  });
});

test('no command writes JSON but by the way that makes it safe', () => {
  const files = readdirSync('src/cli', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const direct = files.filter(
    (name) =>
      !name.endsWith('.test.ts') && readFileSync(join('src/cli', name), 'utf8').includes('JSON.stringify'),
  );
  expect(direct).toEqual([]);
});

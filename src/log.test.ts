import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLog, type Log, type LogOptions } from './log.ts';
import { printable } from './printable.ts';

/** A log and the lines written to it. */
function recorder(options: Partial<LogOptions> = {}, isTTY = false): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const stream = { isTTY, write: (text: string) => lines.push(text) };
  return {
    log: createLog({ level: 'info', format: 'auto', stream, clock: { now: () => 0 }, ...options }),
    lines,
  };
}

describe('log', () => {
  test('JSON Lines where nobody watches', () => {
    const { log, lines } = recorder();
    log.warn('robots.txt failed', { origin: 'https://a.example', status: 503, level: 'forged' });
    log.debug('not asked for');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith('\n')).toBe(true);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      level: 'warn',
      message: 'robots.txt failed',
      origin: 'https://a.example',
      status: 503,
    });
  });

  test('one readable line on a terminal', () => {
    const { log, lines } = recorder({}, true);
    log.error('page failed', { url: 'https://a.example/', error: new Error('boom'), sizes: [1, 2] });
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d error page failed {2}url=https:\/\/a\.example\/ {2}error=boom {2}sizes=\[1,2\]\n$/,
    );
  });

  test('errors are logged with stack and causes', () => {
    const { log, lines } = recorder();
    log.error('failed', { error: new Error('outer', { cause: new Error('inner') }) });
    expect(JSON.parse(lines[0] ?? '').error).toMatchObject({
      message: 'outer',
      stack: expect.any(String),
      cause: { message: 'inner' },
    });
  });

  test('what JSON cannot hold breaks nothing', () => {
    const { log, lines } = recorder();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    log.info('circle', circle);
    log.info('big', { n: 5n });
    expect(lines[0]).toMatch(/unloggable/);
    expect(JSON.parse(lines[1] ?? '').n).toBe('5');
  });

  test.each(['pretty', 'json'] as const)(
    'crawled text cannot forge %s lines or control a terminal',
    (format) => {
      const { log, lines } = recorder({ format });
      log.info('title\n00:00:00 error forged', {
        url: 'https://a.example/\x1b]0;owned\x07\x9b31m\u202egpj.exe',
      });
      expect(lines).toHaveLength(1);
      expect(lines[0]?.slice(0, -1)).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      if (format === 'json') expect(JSON.parse(lines[0] ?? '').url).toContain('\u202egpj.exe');
    },
  );
});

describe('printable', () => {
  test.each([
    ['plain text 中文 é', 'plain text 中文 é'],
    ['\x1b[31mred\x1b[0m', 'red'],
    ['\x9b31mred', 'red'],
    ['\x1b]8;;https://evil.example\x07link\x1b]8;;\x07', 'link'],
    ['\x1b]0;title\x1b\\rest', 'rest'],
    ['\x1b]0;never ended\nnext', ' next'],
    ['\x1b(Btext\x1bc', 'text'],
    ['a\tb\r\nc\u2028d', 'a b c d'],
    ['a\x00b\x07c\x7f\x85', 'abc '],
    ['\u202eabc\u2066\u200f\ufeff', 'abc'],
    ['a\u{e0041}\u{e0042}b', 'ab'],
    ['a\u200bb\u2060c\u00ad\u3164d\ufff9e', 'abcde'],
    ['👩‍💻 क्‍ष', '👩‍💻 क्‍ष'],
    ['❤️ 葛󠄀', '❤️ 葛󠄀'],
  ])('%j', (text, expected) => expect(printable(text)).toBe(expected));

  test('leaves nothing unsafe, whatever comes, and is idempotent', () => {
    const piece = fc.constantFrom('\x1b', '[', ']', '31m', '\x9b', '\x07', '\\', 'a', '\n', '\u202e', '(');
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        const once = printable(pieces.join(''));
        expect(once).not.toMatch(/\p{Cc}|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f]/u);
        expect(printable(once)).toBe(once);
      }),
    );
  });

  test('takes linear time', () => {
    expect(printable('\x1b]'.repeat(200_000))).toBe('');
    expect(printable('\x1b['.repeat(200_000))).toBe('');
  });
});

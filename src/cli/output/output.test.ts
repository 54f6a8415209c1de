import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../clock.ts';
import { formatBar, startProgress } from './progress.ts';
import { createStyle, isRedrawable } from './style.ts';
import { formatPairs, formatTable } from './table.ts';
import { displayWidth, oneLine, truncate } from './width.ts';

describe('style', () => {
  const tty = { isTTY: true };
  const pipe = {};
  test.each([
    ['a terminal', tty, {}, true, true],
    ['a pipe', pipe, {}, true, false],
    ['--no-color', tty, { FORCE_COLOR: '1' }, false, false],
    ['NO_COLOR', tty, { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    ['empty NO_COLOR', tty, { NO_COLOR: '' }, true, true],
    ['FORCE_COLOR in a pipe', pipe, { FORCE_COLOR: '1' }, true, true],
    ['FORCE_COLOR=0', tty, { FORCE_COLOR: '0' }, true, false],
    ['CI', tty, { CI: 'true' }, true, false],
    ['CI with FORCE_COLOR', pipe, { CI: 'true', FORCE_COLOR: '1' }, true, true],
    ['TERM=dumb', tty, { TERM: 'dumb' }, true, false],
  ])('%s', (_, stream, env, isColorWanted, expected) => {
    const style = createStyle({ stream, env, isColorWanted });
    expect(style.isColored).toBe(expected);
    expect(style.red('x')).toBe(expected ? '\x1b[31mx\x1b[39m' : 'x');
  });

  test('a block is redrawn only where somebody watches', () => {
    expect(isRedrawable({ stream: tty, env: { NO_COLOR: '1' } })).toBe(true);
    expect(isRedrawable({ stream: tty, env: { CI: '1' } })).toBe(false);
    expect(isRedrawable({ stream: pipe, env: { FORCE_COLOR: '1' } })).toBe(false);
  });
});

describe('width', () => {
  test.each([
    ['', 0],
    ['plain', 5],
    ['中文', 4],
    ['한국어', 6],
    ['ひらカナ', 8],
    ['ｱｲｳ', 3],
    ['ＡＢ', 4],
    ['、。', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['👩‍💻', 2],
    ['❤️', 2],
    ['→ · ≤ █', 7],
    ['\u200b\u0007', 0],
  ])('%j takes %d', (text, width) => expect(displayWidth(text)).toBe(width));

  test.each([
    ['short', 10, 'short'],
    ['exactly', 7, 'exactly'],
    ['too long', 5, 'too…'],
    ['中文网页', 5, '中文…'],
    ['中文网页', 4, '中…'],
    ['中', 1, '…'],
    ['abc', 0, ''],
  ])('%j cut to %d is %j', (text, width, expected) => expect(truncate(text, width)).toBe(expected));

  test('a cut line fits, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 20 }), (text, width) => {
        expect(displayWidth(oneLine(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('table', () => {
  const columns = [
    { title: 'HOST', isFlexible: true },
    { title: 'PAGES', align: 'right' as const },
    { title: 'STATE' },
  ];

  test('columns line up by display width', () => {
    expect(
      formatTable(columns, [
        ['docs.example', '1,198', 'ok'],
        ['文档.example', '7', ''],
      ]),
    ).toEqual(['HOST          PAGES  STATE', 'docs.example  1,198  ok', '文档.example      7']);
  });

  test('the flexible column gives way to the screen', () => {
    const lines = formatTable(columns, [['a-very-long-host-name.docs.example.org', '5', 'crawling']], 40);
    expect(lines[1]).toBe('a-very-long-host-name.…      5  crawling');
    expect(lines.every((line) => displayWidth(line) <= 40)).toBe(true);
  });

  test('crawled text cannot leave its cell', () => {
    const [, row] = formatTable(columns, [['a\x1b[2J\nb\u202e', '1', 'x']]);
    expect(row).toBe('a b       1  x');
  });

  test('pairs', () => {
    expect(
      formatPairs([
        ['Pages', '12 new'],
        ['Not found', ''],
      ]),
    ).toEqual(['Pages      12 new', 'Not found']);
  });
});

describe('progress', () => {
  /** A clock moved by hand. */
  function manualClock(): Clock & { pass(ms: number): void; timers: Set<unknown> } {
    let now = 0;
    const timers = new Set<{ at: number; run: () => void }>();
    return {
      timers,
      now: () => now,
      sleep: () => Promise.resolve(),
      after(ms, run) {
        const timer = { at: now + ms, run };
        timers.add(timer);
        return () => timers.delete(timer);
      },
      pass(ms) {
        const end = now + ms;
        for (;;) {
          const due = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
          if (due === undefined) break;
          now = due.at;
          timers.delete(due);
          due.run();
        }
        now = end;
      },
    };
  }

  test('one plain line every ten seconds when nobody watches', () => {
    const clock = manualClock();
    const written: string[] = [];
    let done = 0;
    const progress = startProgress({
      clock,
      stream: { write: (text) => written.push(text) },
      isRedrawn: false,
      block: () => ['never'],
      line: () => `${++done} done`,
    });
    clock.pass(9_999);
    expect(written).toEqual([]);
    progress.print('a warning');
    clock.pass(20_001);
    progress.stop();
    clock.pass(60_000);
    expect(written).toEqual(['a warning\n', '1 done\n', '2 done\n', '3 done\n']);
    expect(clock.timers.size).toBe(0);
  });

  test('a block is redrawn in place, cut to the screen, and leaves nothing behind', () => {
    const clock = manualClock();
    const written: string[] = [];
    let lines = ['one', 'a line too long for it'];
    const stream = { columns: 12, write: (text: string) => written.push(text) };
    const progress = startProgress({
      clock,
      stream,
      isRedrawn: true,
      block: () => lines,
      line: () => 'never',
    });
    lines = ['only'];
    clock.pass(250);
    progress.print('a warning');
    progress.stop();
    progress.stop();
    expect(written).toEqual([
      'one\na line too…\n',
      '\x1b[2F\x1b[0Jonly\n',
      '\x1b[1F\x1b[0Ja warning\nonly\n',
      '\x1b[1F\x1b[0J',
      '',
    ]);
    expect(clock.timers.size).toBe(0);
  });

  test('bars', () => {
    expect(formatBar(0.5, 12)).toBe('▕█████░░░░░▏');
    expect(formatBar(7, 4)).toBe('▕██▏');
    expect(formatBar(-1, 4)).toBe('▕░░▏');
  });
});

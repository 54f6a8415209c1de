import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { charsetOfContentType, declaredEncoding, decodeBody, encodingForLabel } from './charset.ts';

interface BodyCase {
  readonly id: string;
  readonly level?: string;
  readonly content_type: string | null;
  readonly body_hex: string;
  readonly encoding: string;
  readonly text?: string;
  readonly text_contains?: string;
}

const cases = JSON.parse(readFileSync('test/fixtures/cases/encoding.json', 'utf8')) as {
  prescan: { id: string; body_hex: string; declared: string | null }[];
  content_type: { id: string; level: string; header: string; charset: string | null }[];
  labels: { id: string; label: string; encoding: string | null }[];
  decode: BodyCase[];
  xml: BodyCase[];
};

/** Policy: an unclosed or followed quoted string is read as the MIME Sniffing standard does, not refused. */
const otherPolicy = new Set(['enc-ct-009', 'enc-ct-016']);

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const isBinding = ({ level }: { level?: string }): boolean => level !== 'impl';
const byId = <T extends { id: string }>(list: readonly T[]) => list.map((item) => [item.id, item] as const);

describe('conformance cases', () => {
  test.each(byId(cases.prescan))('%s', (_, { body_hex, declared }) => {
    expect(declaredEncoding(bytes(body_hex))).toBe(declared);
  });

  test.each(byId(cases.content_type.filter(({ id }) => !otherPolicy.has(id))))(
    '%s',
    (_, { header, charset }) => {
      expect(charsetOfContentType(header)).toBe(charset);
    },
  );

  test.each(byId(cases.labels))('%s', (_, { label, encoding }) => {
    expect(encodingForLabel(label)).toBe(encoding);
  });

  test.each(byId([...cases.decode, ...cases.xml].filter(isBinding)))('%s', (_, item) => {
    const { text, encoding } = decodeBody(bytes(item.body_hex), item.content_type);
    expect(encoding).toBe(item.encoding);
    if (item.text !== undefined) expect(text).toBe(item.text);
    if (item.text_contains !== undefined) expect(text).toContain(item.text_contains);
  });
});

test.each([
  ['<meta/charset=big5>', 'big5'],
  ['<meta/ /charset="big5"/>', 'big5'],
  ['<metadata charset=big5>', null],
  ['<p/charset=big5>', null],
  [`<meta http-equiv=content-type content="charset charset = 'big5'">`, 'big5'],
  ['<meta http-equiv=content-type content="charset=;charset=big5">', null],
  [`<meta http-equiv=content-type content="charset='utf-8; charset=big5">`, null],
])('declaration in %s', (html, expected) => {
  expect(declaredEncoding(Buffer.from(html))).toBe(expected);
});

describe('order of belief', () => {
  test('bug-083: HTTP beats meta, a byte order mark beats HTTP', () => {
    const japanese = Buffer.concat([Buffer.from('<meta charset=utf-8>'), bytes('93fa967b')]);
    expect(decodeBody(japanese, 'text/html; charset=shift_jis').text).toContain('日本');
    const marked = Buffer.from('\ufeffпоиск');
    expect(decodeBody(marked, 'text/html; charset=windows-1251')).toEqual({
      text: 'поиск',
      encoding: 'utf-8',
    });
  });

  test.each([
    'text/html; charset=unicode',
    'text/html; charset=none',
    'text/html; charset="utf8"',
    'text/html;charset=;x',
    'text/html; charset=utf-8; charset=gbk',
    'text/html; charset=utf8;',
    'text/html; charset',
    '; charset=;;;=',
  ])('bug-085: %s is UTF-8 text all the same', (contentType) => {
    expect(decodeBody(Buffer.from('<p>Größe 搜索'), contentType)).toEqual({
      text: '<p>Größe 搜索',
      encoding: 'utf-8',
    });
  });

  test.each(['utf-16', 'unicode', 'ucs-2'])(
    'bug-085: UTF-16 named by HTTP as %s is believed when there are NULs to show for it',
    (label) => {
      const contentType = `text/html; charset=${label}`;
      const text = '<p>Größe 搜索';
      expect(decodeBody(Buffer.from(text, 'utf16le'), contentType)).toEqual({ text, encoding: 'utf-16le' });
      expect(decodeBody(Buffer.from(text), contentType)).toEqual({ text, encoding: 'utf-8' });
    },
  );

  test('a page called UTF-8 that is nothing like it is read as what it is', () => {
    const russian = Buffer.alloc(200, bytes('efeee8f1eaeee2e0ff20'));
    const { encoding, text } = decodeBody(russian, 'text/html; charset=utf-8');
    expect(encoding).toBe('windows-1251');
    expect(text).toContain('поисковая');
  });

  test('a few broken sequences do not change the encoding', () => {
    const page = Buffer.concat([Buffer.from('Größe '), bytes('f03c'), Buffer.from('b>x')]);
    expect(decodeBody(page, 'text/html; charset=utf-8').text).toBe('Größe \ufffd<b>x');
  });

  test('plain text has no meta', () => {
    const page = Buffer.from('<meta charset=gbk> größer');
    expect(decodeBody(page, 'text/plain').encoding).toBe('utf-8');
  });
});

describe('encodings Node.js gets wrong', () => {
  test('bug-082: windows-1252 has quotes and the euro sign at 0x80–0x9F', () => {
    const { text } = decodeBody(bytes('93 80 20 96 20 31 94'), 'text/html; charset=iso-8859-1');
    expect(text).toBe('“€ – 1”');
  });

  test('gbk is decoded as gb18030', () => {
    expect(decodeBody(bytes('a2e3 80'), 'text/html; charset=gb2312').text).toBe('€€');
  });

  test.each([
    ['8141', '갂'],
    ['a0fe', '좤'],
    ['a141', '좥'],
    ['8c63 b9e6 b0a2 c7cf', '똠방각하'],
    ['c652', '힣'],
    ['41 8142 42', 'A갃B'],
    ['bedf', '야'],
  ])('euc-kr has all of Unified Hangul Code: %s', (hex, text) => {
    expect(decodeBody(bytes(hex), 'text/html; charset=euc-kr').text).toBe(text);
  });
});

describe('detection', () => {
  const markup =
    '<html><head><title>Site</title></head><body><div class="content"><a href="/">Home page of the site</a>';
  test.each([
    ['windows-1251', 'cfeee8f1eaeee2e0ff20f1e8f1f2e5ece020eff0eef1ecc0f2f0e8e2e0e5f220f1e0e9f2fb'],
    ['koi8-r', 'f0cfc9d3cbcfd7c1d120d3c9d3d4c5cdc120d0d2cfd3cdc1d4d2c9d7c1c5d420d3c1cad4d9'],
    [
      'gb18030',
      'cbd1cbf7d2fdc7e6b5c4c4dac8ddb2bbb6cfb1e4bbafa3accfc0b3e6d0e8d2aac0f1c3b2b5d8b7c3cecac3bfb8f6cdf8d5be',
    ],
    ['shift_jis', '8c9f8df5834783938357839382cc93e0976582cd8fed82c995cf89bb82b582dc82b7'],
    ['windows-1252', '4c65206d6f746575722064e96ae02076697369746920e974e920636f6d6d65206869766572202020'],
  ])('%s', (encoding, hex) => {
    const page = Buffer.concat([Buffer.from(markup), bytes(hex)]);
    expect(decodeBody(page, 'text/html').encoding).toBe(encoding);
  });

  test('ISO-2022-JP shows by its escapes', () => {
    expect(decodeBody(bytes('1b2442 3021 1b2842'), 'text/html').text).toBe('亜');
  });
});

test('whatever the bytes and the header, there is text', () => {
  const header = fc.option(
    fc.oneof(
      fc.string(),
      fc.constantFrom('utf-16', 'gbk', 'euc-kr', 'big5', 'x').map((name) => `text/html; charset=${name}`),
    ),
  );
  const markup = fc
    .constantFrom('<meta ', 'charset=', '"', '<!--', '<?xml encoding="', '>', '\ufeff')
    .map((s) => Buffer.from(s));
  const body = fc
    .array(fc.oneof(fc.uint8Array({ maxLength: 8 }), markup))
    .map((parts) => Buffer.concat(parts));
  fc.assert(
    fc.property(body, header, (bytes, contentType) => {
      const { text, encoding } = decodeBody(bytes, contentType);
      expect(typeof text).toBe('string');
      expect(encodingForLabel(encoding)).toBe(encoding);
    }),
  );
});

test('declarations are looked for in linear time', () => {
  const started = performance.now();
  for (const unit of ['<', '<meta ', '<meta charset="', '<!--', '; charset', '<a b=', '<?xml encoding ']) {
    const body = Buffer.from(unit.repeat(500_000));
    declaredEncoding(body);
    charsetOfContentType(unit.repeat(10_000));
  }
  expect(performance.now() - started).toBeLessThan(5_000);
});

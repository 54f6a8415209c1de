/**
 * Which character encoding a body is in, and its text.
 *
 * Order of belief: byte order mark, HTTP charset, declaration inside the document, detection, default. Names are those
 * of the WHATWG Encoding Standard in lower case.
 */
import { isUtf8 } from 'node:buffer';
import { detectEncoding } from './charset-detect.ts';
import { metaEncoding, xmlEncoding } from './charset-prescan.ts';
import { decodeAs } from './legacy-encodings.ts';

/**
 * How far a declaration is looked for. The HTML standard suggests 1,024 bytes and lets a browser start over when the
 * parser meets a later one; looking further at once comes to the same.
 */
const PRESCAN_BYTES = 65_536;

/** UTF-16 is believed without a mark only when a NUL shows up this early: markup is ASCII, so half of it is NULs. */
const UTF16_EVIDENCE_BYTES = 1_024;

/** A page called UTF-8 is taken for something else after so many broken sequences … */
const HOPELESS_BROKEN = 16;
/** … if they outnumber the sound ones so many times. Fewer are typing errors and stay U+FFFD, as in browsers. */
const HOPELESS_RATIO = 3;

/** A body as text, without its byte order mark. */
export interface DecodedBody {
  readonly text: string;
  readonly encoding: string;
}

/**
 * Decodes a body. Never throws: unknown labels are as good as none, broken sequences become U+FFFD.
 *
 * @param contentType The Content-Type header, null when there is none. It also tells HTML, XML and text apart, which
 *   differ in where a declaration may stand and in their default (HTML: windows-1252; XML, RFC 7303: UTF-8).
 */
export function decodeBody(body: Uint8Array, contentType: string | null): DecodedBody {
  const marked = markedEncoding(body);
  if (marked !== null) return { text: decodeAs(body, marked), encoding: marked };

  const kind = kindOfBody(body, contentType);
  for (const declaration of [charsetOfContentType, () => declarationIn(body, kind)]) {
    const encoding = declaration(contentType);
    if (encoding === null || isImplausibleUtf16(body, encoding)) continue;
    const text = decodeAs(body, encoding);
    if (encoding === 'utf-8' && !isUtf8(body) && isHopeless(text)) continue;
    return { text, encoding };
  }
  const encoding = detectEncoding(body) ?? (kind === 'xml' ? 'utf-8' : 'windows-1252');
  return { text: decodeAs(body, encoding), encoding };
}

/**
 * The encoding a document declares itself: byte order mark, `<meta>` (HTML standard, "prescan a byte stream to
 * determine its encoding"), XML declaration. Null when it declares none that exists.
 */
export function declaredEncoding(body: Uint8Array): string | null {
  return markedEncoding(body) ?? declarationIn(body, 'html');
}

/**
 * The encoding named by a Content-Type value; null when it names none that exists. Read as the MIME Sniffing standard
 * does, but forgiving about what surrounds the parameter: two values in one line, an empty one, no media type.
 */
export function charsetOfContentType(header: string | null): string | null {
  const parameters = /;([^=;]*)=(?:"((?:[^"\\]|\\.)*)"?[^;]*|([^;]*))|;/g;
  for (const [, name, quoted, plain] of `;${header ?? ''}`.matchAll(parameters)) {
    if (name?.trim().toLowerCase() !== 'charset') continue;
    const label = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain?.split(',')[0] ?? '';
    if (label.trim() !== '') return encodingForLabel(label);
  }
  return null;
}

/** Name of the encoding a label stands for (Encoding Standard 4.2), as far as this Node.js can decode it; else null. */
export function encodingForLabel(label: string): string | null {
  try {
    const { encoding } = new TextDecoder(label);
    // Bytes passed through as private characters, never text (Encoding Standard 14.5); only newer Node.js know it at all.
    return encoding === 'x-user-defined' ? null : encoding;
  } catch {
    return null; // RangeError is how an unknown label is told
  }
}

type Kind = 'html' | 'xml' | 'text';

function kindOfBody(body: Uint8Array, contentType: string | null): Kind {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (/\bxml\b/.test(type)) return 'xml';
  if (type === 'text/plain') return 'text';
  return type !== 'text/html' && latin1(body.subarray(0, 10)).replaceAll('\0', '').startsWith('<?xml')
    ? 'xml'
    : 'html';
}

function declarationIn(body: Uint8Array, kind: Kind): string | null {
  if (kind === 'text') return null;
  const head = latin1(body.subarray(0, PRESCAN_BYTES));
  if (head.startsWith('<\0?\0x\0')) return 'utf-16le';
  if (head.startsWith('\0<\0?\0x')) return 'utf-16be';
  return (
    (kind === 'html' ? metaEncoding(head, encodingForLabel) : null) ?? xmlEncoding(head, encodingForLabel)
  );
}

/** Encoding Standard, "BOM sniff". */
function markedEncoding(body: Uint8Array): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return null;
}

function isImplausibleUtf16(body: Uint8Array, encoding: string): boolean {
  return encoding.startsWith('utf-16') && !body.subarray(0, UTF16_EVIDENCE_BYTES).includes(0);
}

function isHopeless(text: string): boolean {
  let broken = 0;
  let sound = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0xfffd) broken++;
    else if (unit > 0x7f) sound++;
  }
  return broken >= HOPELESS_BROKEN && broken > HOPELESS_RATIO * sound;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/**
 * Encoding declarations inside a document: `<meta>` and the XML declaration, read from the first bytes as latin1.
 *
 * HTML standard 13.2.3.2, "prescan a byte stream to determine its encoding", step by step; one pass, no recursion.
 */

/** Turns a label into the name of an encoding, or null. */
type LabelLookup = (label: string) => string | null;

/** The encoding the first usable `<meta>` declares; null when there is none or the bytes end inside a tag. */
export function metaEncoding(head: string, lookup: LabelLookup): string | null {
  let at = head.indexOf('<');
  while (at !== -1) {
    if (head.startsWith('<!--', at)) {
      const end = head.indexOf('-->', at + 2); // the dashes of `<!-->` may be the same
      if (end === -1) return null;
      at = end + 3;
    } else if (/^<\/?[a-z]/i.test(head.slice(at, at + 3))) {
      const isMeta = /^<meta[\t\n\f\r /]/i.test(head.slice(at, at + 6));
      const tag = readTag(head, isMeta ? at + '<meta'.length : skipUntil(head, at + 1, isSpaceOrEnd));
      if (tag === null) return null;
      const encoding = isMeta ? encodingOfMeta(tag.attributes, lookup) : null;
      if (encoding !== null) return encoding;
      at = tag.end;
    } else if (/^<[!/?]/.test(head.slice(at, at + 2))) {
      at = head.indexOf('>', at);
      if (at === -1) return null;
    } else {
      at++;
    }
    at = head.indexOf('<', at);
  }
  return null;
}

/** The encoding of `<?xml … encoding="…"?>`; UTF-16 means UTF-8, for the declaration was read byte by byte. */
export function xmlEncoding(head: string, lookup: LabelLookup): string | null {
  if (!head.startsWith('<?xml')) return null;
  const declaration = head.slice(0, head.indexOf('>') + 1);
  const match = /encoding[\0-\x20]*=[\0-\x20]*(?:"([^"\0-\x20]*)"|'([^'\0-\x20]*)')/.exec(declaration);
  return match ? readableBytewise(lookup(match[1] ?? match[2] ?? '')) : null;
}

function encodingOfMeta(attributes: ReadonlyMap<string, string>, lookup: LabelLookup): string | null {
  const charset = attributes.get('charset');
  if (charset !== undefined) return declared(charset, lookup);
  const isPragma = attributes.get('http-equiv')?.toLowerCase() === 'content-type';
  const label = isPragma ? labelInContent(attributes.get('content') ?? '') : null;
  return label === null ? null : declared(label, lookup);
}

function declared(label: string, lookup: LabelLookup): string | null {
  if (/^[\t\n\f\r ]*x-user-defined[\t\n\f\r ]*$/i.test(label)) return 'windows-1252';
  return readableBytewise(lookup(label));
}

/** A declaration that could be read as ASCII cannot be in UTF-16. */
function readableBytewise(encoding: string | null): string | null {
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? 'utf-8' : encoding;
}

/** HTML standard 2.6.5, "extracting a character encoding from a meta element". */
function labelInContent(content: string): string | null {
  const match = // the first "charset=" decides, also when nothing stands behind it or a quotation that does not end
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|(?!["'])([^\t\n\f\r ;]*)|)/i.exec(content);
  return match ? (match[1] ?? match[2] ?? match[3] ?? null) : null;
}

interface Tag {
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
}

/** Reads a tag's attributes from where its name ends, the first of a name counting; null when the bytes end before the tag does. */
function readTag(head: string, start: number): Tag | null {
  const attributes = new Map<string, string>();
  let at = start;
  for (;;) {
    at = skipWhile(head, at, isSpaceOrSlash);
    if (at >= head.length) return null;
    if (head[at] === '>') return { attributes, end: at };
    const nameStart = at;
    at = skipUntil(head, at + 1, isNameEnd); // a leading "=" belongs to the name
    const name = head.slice(nameStart, at).toLowerCase();
    at = skipWhile(head, at, isSpace);
    let value = '';
    if (head[at] === '=') {
      at = skipWhile(head, at + 1, isSpace);
      const quote = head[at];
      if (quote === '"' || quote === "'") {
        const close = head.indexOf(quote, at + 1);
        if (close === -1) return null;
        value = head.slice(at + 1, close);
        at = close + 1;
      } else {
        const valueStart = at;
        at = skipUntil(head, at, isSpaceOrEnd);
        value = head.slice(valueStart, at);
      }
    }
    if (!attributes.has(name)) attributes.set(name, value);
  }
}

function skipWhile(text: string, at: number, test: (char: string) => boolean): number {
  let end = at;
  while (end < text.length && test(text[end] ?? '')) end++;
  return end;
}

function skipUntil(text: string, at: number, test: (char: string) => boolean): number {
  return skipWhile(text, at, (char) => !test(char));
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\t' || char === '\r' || char === '\f';
}

function isSpaceOrSlash(char: string): boolean {
  return isSpace(char) || char === '/';
}

function isSpaceOrEnd(char: string): boolean {
  return isSpace(char) || char === '>';
}

function isNameEnd(char: string): boolean {
  return isSpaceOrSlash(char) || char === '>' || char === '=';
}

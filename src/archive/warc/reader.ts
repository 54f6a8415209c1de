/**
 * Reads WARC files of any crawler, 1.0 and 1.1, packed or not, in a bounded memory: records one by one with the offset each
 * can be read from, and where a file cannot be read on, what is wrong and at which byte. Never throws for what a file holds,
 * and never takes for a record what is none.
 */
import { ByteReader } from './byte-reader.ts';
import { checkDigest, type DigestVerdict, fieldValue, parseFields, type WarcFields } from './format.ts';
import { isGzip, type MemberEnd, unpackMember } from './gzip-member.ts';
import { readResponse } from './http-block.ts';

export interface WarcRecord {
  readonly kind: 'record';
  /** Where it begins in the file: to be read from there alone, of a packed file the first byte of its gzip member. */
  readonly offset: number;
  /** WARC-Type, lower case. */
  readonly type: string;
  /** WARC-Target-URI without the angle brackets some write, spaces as %20; null when it has none. */
  readonly targetUri: string | null;
  /** WARC-Date; null when it has none that can be read. */
  readonly at: number | null;
  readonly fields: WarcFields;
  /** Null when it is larger than the limit: its bytes were passed over. */
  readonly block: Uint8Array | null;
  /** Digests that are not right, a line each. Those of a block that was passed over were not compared. */
  readonly digestProblems: readonly string[];
}

/** Where a file does not keep to the format. */
export interface WarcProblem {
  readonly kind: 'problem';
  readonly offset: number;
  /** One line for people. */
  readonly message: string;
  /**
   * remark: reading goes on · torn: the file ends here in the middle of something, as after a crash of its writer · broken: what
   * follows cannot be read.
   */
  readonly severity: 'remark' | 'torn' | 'broken';
}

/** Longest version line and field line, and the longest header in all, bytes. */
const MAX_LINE_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 256 * 1024;
const DEFAULT_MAX_BLOCK_BYTES = 64 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
/** Empty lines accepted between records: two belong there, some write more. */
const MAX_EMPTY_LINES = 16;

/** Reads a file from its first byte, or from the offset of a record. Nothing follows a problem that is more than a remark. */
export async function* readWarc(
  source: AsyncIterable<Uint8Array>,
  maxBlockBytes: number = DEFAULT_MAX_BLOCK_BYTES,
): AsyncGenerator<WarcRecord | WarcProblem> {
  const input = new ByteReader(source);
  if (!isGzip(await input.peek(2))) {
    yield* recordsIn(input, maxBlockBytes, null);
    return;
  }
  while (!(await input.isAtEnd())) {
    const offset = input.position;
    let end: MemberEnd | null = null;
    const unpacked = (async function* () {
      end = yield* unpackMember(input);
    })();
    for await (const item of recordsIn(new ByteReader(unpacked), maxBlockBytes, offset)) {
      const isEnd = item.kind === 'problem' && item.severity !== 'remark';
      // Records in a torn or broken member end early; that the member does says more.
      if (isEnd && end !== null && end !== 'whole') break;
      yield item;
      if (isEnd) return;
    }
    if (end === 'whole') continue;
    yield end === 'torn'
      ? { kind: 'problem', offset, severity: 'torn', message: 'the file ends within a gzip member' }
      : { kind: 'problem', offset, severity: 'broken', message: 'the gzip member is broken' };
    return;
  }
}

/** The records of a file that is not packed (`memberAt` null), or of one gzip member, which should hold one. */
async function* recordsIn(
  input: ByteReader,
  maxBlockBytes: number,
  memberAt: number | null,
): AsyncGenerator<WarcRecord | WarcProblem> {
  for (let nth = 0; ; nth++) {
    if (!(await skipEmptyLines(input))) return;
    const offset = memberAt ?? input.position;
    const header = await readHeader(input);
    if (typeof header === 'string') {
      const severity = input.isExhausted && unfinished.has(header) ? 'torn' : 'broken';
      yield { kind: 'problem', offset, severity, message: header };
      return;
    }
    const length = Number(fieldValue(header, 'content-length'));
    const { block, isWhole } = await readBlock(input, length, maxBlockBytes);
    if (!isWhole) {
      yield { kind: 'problem', offset, severity: 'torn', message: 'the file ends within a record' };
      return;
    }
    if (memberAt !== null && nth === 1) {
      const message = 'several records share one gzip member, so none can be read from its offset';
      yield { kind: 'problem', offset, severity: 'remark', message };
    }
    yield recordOf(offset, header, block);
  }
}

const NO_RECORD = 'no record begins here';

/** What is said of a header that goes on where the file ends. */
const unfinished: ReadonlySet<string> = new Set([
  'the file ends within a record',
  'a version line without end',
  'a header without end',
]);

/** Passes over empty lines, a bounded number of them. False: there is nothing more. */
async function skipEmptyLines(input: ByteReader): Promise<boolean> {
  for (let lines = 0; lines < MAX_EMPTY_LINES; lines++) {
    const next = await input.peek(2);
    if (next.length === 0) return false;
    const isEmpty = next[0] === 0x0a || (next[0] === 0x0d && (next[1] === 0x0a || next.length === 1));
    if (!isEmpty) return true;
    await input.line(2);
    if (next.length === 1) return false;
  }
  return true;
}

/** Version line and fields; what is wrong when there are none. */
async function readHeader(input: ByteReader): Promise<WarcFields | string> {
  const start = (await input.peek(VERSION.length)).toString('latin1');
  if (start !== VERSION) return VERSION.startsWith(start) ? 'the file ends within a record' : NO_RECORD;
  const version = await input.line(MAX_LINE_BYTES);
  if (version === null) return 'a version line without end';
  if (!/^WARC\/\d+\.\d+\s*$/.test(version)) return NO_RECORD;
  let text = '';
  for (;;) {
    const line = await input.line(MAX_LINE_BYTES);
    if (line === null) return 'a header without end';
    if (line === '\n' || line === '\r\n') break;
    text += line;
    if (text.length > MAX_HEADER_BYTES) return `a header larger than ${MAX_HEADER_BYTES} bytes`;
  }
  const fields = parseFields(Buffer.from(text, 'latin1').toString('utf8'));
  if (fields === null) return 'a header line that is no field';
  const length = fieldValue(fields, 'content-length');
  if (length === null || !/^\d{1,15}$/.test(length)) return 'a record without a Content-Length';
  return fields;
}

const VERSION = 'WARC/';

/** Takes a block; one larger than the limit is passed over in pieces. */
async function readBlock(
  input: ByteReader,
  length: number,
  maxBytes: number,
): Promise<{ readonly block: Uint8Array | null; readonly isWhole: boolean }> {
  const isKept = length <= maxBytes;
  const pieces: Uint8Array[] = [];
  for (let left = length; left > 0; ) {
    const piece = await input.piece(Math.min(left, PIECE_BYTES));
    if (piece.length === 0) return { block: null, isWhole: false };
    if (isKept) pieces.push(piece);
    left -= piece.length;
  }
  return { block: isKept ? Buffer.concat(pieces) : null, isWhole: true };
}

function recordOf(offset: number, fields: WarcFields, block: Uint8Array | null): WarcRecord {
  const at = Date.parse(fieldValue(fields, 'warc-date') ?? '');
  return {
    kind: 'record',
    offset,
    type: (fieldValue(fields, 'warc-type') ?? '').toLowerCase(),
    targetUri:
      fieldValue(fields, 'warc-target-uri')
        ?.replace(/^<(.*)>$/, '$1')
        .replaceAll(' ', '%20') ?? null,
    at: Number.isNaN(at) ? null : at,
    fields,
    block,
    digestProblems: block === null ? [] : digestProblems(fields, block),
  };
}

/** Compares the digests of a record with what they were made over: the block, and the body within it. */
function digestProblems(fields: WarcFields, block: Uint8Array): string[] {
  const problems: string[] = [];
  const compare = (name: string, bytes: readonly Uint8Array[]): void => {
    const digest = fieldValue(fields, name);
    if (digest === null || bytes.length === 0) return;
    const verdicts: readonly DigestVerdict[] = bytes.map((candidate) => checkDigest(digest, candidate));
    if (verdicts.includes('right')) return;
    if (verdicts.includes('unknown'))
      problems.push(`${name} is of an algorithm that is not known: ${digest}`);
    else problems.push(`${name} is not that of the record`);
  };
  compare('WARC-Block-Digest', [block]);
  compare('WARC-Payload-Digest', payloadsOf(fields, block));
  return problems;
}

/**
 * What a payload digest may have been made over: the body, or as some crawlers do, the body in its chunks. None when the record
 * has no payload of its own: a revisit, and one cut short.
 */
function payloadsOf(fields: WarcFields, block: Uint8Array): readonly Uint8Array[] {
  const type = (fieldValue(fields, 'warc-type') ?? '').toLowerCase();
  if (type === 'revisit' || fieldValue(fields, 'warc-truncated') !== null) return [];
  if (!/^application\/http\b/i.test(fieldValue(fields, 'content-type') ?? '')) return [block];
  const response = readResponse(block);
  if (response === null) return [];
  return [response.body, response.storedBody];
}

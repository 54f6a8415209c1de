/** The records of one exchange: the answer, the request for it, and what the crawler made of it. Pure. */
import { hash } from 'node:crypto';
import type { ResponseHead, VisitOutcome, WireAnswer } from '../../types.ts';
import { fieldLines, type NewRecord, recordId, type WarcFields } from './format.ts';
import { headBlock, requestBlock, responseBlock } from './http-block.ts';

/** A head with what a WARC needs of it. */
export type KeptHead = ResponseHead & { readonly wire: WireAnswer };

/** Where a payload was recorded first. */
export interface Earlier {
  readonly url: string;
  readonly at: number;
}

/** Payloads recorded so far, by the SHA-256 of what came over the wire without its transfer coding. */
export interface Payloads {
  /** Where it was recorded first; null: it was not, and it is from now on. */
  noteFirst(digest: Buffer, here: Earlier): Earlier | null;
}

/** Profiles of revisit records (WARC 1.1, 6.7). */
const SAME_PAYLOAD = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';
const NOT_MODIFIED = 'http://netpreserve.org/warc/1.1/revisit/server-not-modified';

const RESPONSE_TYPE = 'application/http; msgtype=response';
const REQUEST_TYPE = 'application/http; msgtype=request';
export const FIELDS_TYPE = 'application/warc-fields';

/** The head of an outcome's answer when there is something to record. */
export function keptHead({ head }: VisitOutcome): KeptHead | null {
  return head?.wire === undefined ? null : { ...head, wire: head.wire };
}

/** Response or revisit, request, and metadata, in the order they are written. */
export function exchangeRecords(
  outcome: VisitOutcome,
  head: KeptHead,
  payloads: Payloads,
  newId: () => string,
): NewRecord[] {
  const answerId = newId();
  const shared = { at: head.startedAt };
  const about: WarcFields = [
    ['WARC-Concurrent-To', recordId(answerId)],
    ['WARC-Target-URI', head.url],
  ];
  const request = requestBlock(head.url, head.wire.request);
  return [
    { ...shared, id: answerId, contentType: RESPONSE_TYPE, ...answerRecord(head, payloads) },
    { ...shared, type: 'request', id: newId(), contentType: REQUEST_TYPE, fields: about, block: request },
    {
      ...shared,
      type: 'metadata',
      id: newId(),
      contentType: FIELDS_TYPE,
      fields: about,
      block: Buffer.from(fieldLines(findings(outcome, head)), 'utf8'),
    },
  ];
}

function answerRecord(head: KeptHead, payloads: Payloads): Pick<NewRecord, 'type' | 'fields' | 'block'> {
  const { url, status, headers, remoteAddress, startedAt, wire } = head;
  const { statusText, bytes, truncated } = wire;
  const where: WarcFields = [
    ['WARC-Target-URI', url],
    ...(remoteAddress === null ? [] : [['WARC-IP-Address', remoteAddress] as const]),
  ];
  if (status === 304) {
    const fields: WarcFields = [...where, ['WARC-Profile', NOT_MODIFIED]];
    return { type: 'revisit', fields, block: headBlock(status, statusText, headers) };
  }
  const digest = hash('sha256', bytes, 'hex');
  const described: WarcFields = [...where, ['WARC-Payload-Digest', `sha256:${digest}`]];
  if (truncated === null && bytes.length > 0) {
    const earlier = payloads.noteFirst(Buffer.from(digest, 'hex'), { url, at: startedAt });
    if (earlier !== null) {
      const fields: WarcFields = [
        ...described,
        ['WARC-Profile', SAME_PAYLOAD],
        ['WARC-Refers-To-Target-URI', earlier.url],
        ['WARC-Refers-To-Date', new Date(earlier.at).toISOString()],
      ];
      return { type: 'revisit', fields, block: headBlock(status, statusText, headers) };
    }
  }
  const fields: WarcFields = truncated === null ? described : [...described, ['WARC-Truncated', truncated]];
  return { type: 'response', fields, block: responseBlock({ status, statusText, headers, body: bytes }) };
}

/** What the crawler made of an answer, in the names of the standard's examples and our own. */
function findings({ request, outcome, reason }: VisitOutcome, { durationMs }: KeptHead): WarcFields {
  return [
    ['fetchTimeMs', String(durationMs)],
    ['hopsFromSeed', String(request.record.depth)],
    ['outcome', outcome],
    ...(reason === null ? [] : [['reason', reason] as const]),
  ];
}

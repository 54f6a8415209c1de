/** What a caller may put into a request, and why something may not be: methods and header fields. Pure. */

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The parts of a request that are judged here. */
export interface AskedRequest {
  readonly method?: Method;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
}

/** What keeps a request from being sent, in one line that holds no value of a header: it may be a secret. Null: nothing. */
export function requestProblem({ method = 'GET', headers = [], body }: AskedRequest): string | null {
  // Callers in JavaScript have no types.
  if (!methods.has(method))
    return `the method ${JSON.stringify(method)} is none of ${[...methods].join(', ')}`;
  if (body !== undefined && isBodiless(method)) return `a ${method} request has no body`;
  if (body !== undefined && !(body instanceof Uint8Array)) return 'the body is no Uint8Array';
  for (const [name, value] of headers) {
    const problem = headerProblem(name, value);
    if (problem !== null) return problem;
  }
  const names = headers.map(([name]) => name.toLowerCase());
  const twice = names.find((name, at) => singletons.has(name) && names.indexOf(name) < at);
  return twice === undefined ? null : `the header ${twice} is set twice`;
}

/** Why a header field may not be sent, in one line without its value; null when it may. */
export function headerProblem(name: string, value: string): string | null {
  const token = /^[!#$%&'*+.^_`|~0-9a-z-]*/i.exec(name)?.[0] ?? '';
  // What follows may be the value, put into the wrong place.
  if (token === '' || token !== name)
    return `names of headers have no character such as the one after "${token}"`;
  const why = reserved.get(name.toLowerCase());
  if (why !== undefined) return `the header ${name} is not for requests to set: ${why}`;
  if (value !== '' && !isFieldValue(value))
    return `the value of the header ${name} has characters that cannot be sent: use Latin-1 on one line`;
  if (/^[\t ]|[\t ]$/.test(value)) return `the value of the header ${name} begins or ends with white space`;
  return null;
}

/** May a value be sent byte for byte? Not one that is empty, or that could end its line (RFC 9110, 5.5). */
export function isFieldValue(value: string | null | undefined): value is string {
  return value != null && /^[\t\x20-\x7e\x80-\xff]+$/.test(value);
}

/** Does asking twice mean what asking once means (RFC 9110, 9.2.2)? */
export function isIdempotent(method: Method): boolean {
  return method !== 'POST' && method !== 'PATCH';
}

function isBodiless(method: Method): boolean {
  return method === 'GET' || method === 'HEAD';
}

const methods: ReadonlySet<string> = new Set<Method>(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Headers of which servers take the first or the last, each its own way. */
const singletons: ReadonlySet<string> = new Set(['authorization', 'content-type', 'cookie', 'referer']);

const FRAMING = 'it belongs to the connection';
const CONDITIONS = 'conditions are made of etag and lastModified';
const PARTS = 'only whole answers are understood';
const OPERATOR = 'who asks is said in the configuration';

const reserved: ReadonlyMap<string, string> = new Map([
  ...[
    'host',
    'connection',
    'keep-alive',
    'proxy-connection',
    'content-length',
    'transfer-encoding',
    'te',
  ].map((name) => [name, FRAMING] as const),
  ...['trailer', 'expect', 'upgrade', 'http2-settings'].map((name) => [name, FRAMING] as const),
  ['accept-encoding', 'it says what can be decoded'],
  ['user-agent', OPERATOR],
  ['from', OPERATOR],
  ['proxy-authorization', 'it is for the proxy alone'],
  ...['if-none-match', 'if-modified-since'].map((name) => [name, CONDITIONS] as const),
  ...['range', 'if-range', 'a-im'].map((name) => [name, PARTS] as const),
]);

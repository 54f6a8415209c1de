/**
 * IndexNow submissions as they come over the wire, judged by what the protocol says of their form. Whether the key is right
 * only its file can tell. Pure. Protocol: https://www.indexnow.org/documentation
 */
import { isKey, keyFileAt, speaksFor } from '../crawl/push.ts';
import type { NewSubmission } from '../store/submissions.ts';

export type Reading =
  | { readonly isWellFormed: true; readonly submission: NewSubmission }
  /** 400: not the form the protocol asks for · 422: the key, or URLs it may not speak for. */
  | { readonly isWellFormed: false; readonly status: 400 | 422; readonly detail: string };

const MOST_URLS = 10_000;
/** Twice what a crawl takes unless it is told otherwise (`scope.max_url_length`). */
const MOST_CHARACTERS = 4_096;
/** Encoded separators: a server may decode them, so that the folder such a path names is not the one the file is in. */
const HIDDEN_FOLDER = /%(?:2f|5c|25)/i;

/** Reads the parsed JSON of a POST. */
export function readSubmission(body: unknown): Reading {
  if (typeof body !== 'object' || body === null) return wrong(400, 'The body must be a JSON object.');
  const { host, key, keyLocation, urlList } = body as Readonly<Record<string, unknown>>;
  if (typeof host !== 'string' || typeof key !== 'string') return wrong(400, 'host and key must be strings.');
  if (keyLocation !== undefined && typeof keyLocation !== 'string') {
    return wrong(400, 'keyLocation must be a string.');
  }
  if (!isListOfStrings(urlList) || urlList.length === 0 || urlList.length > MOST_URLS) {
    return wrong(400, `urlList must be an array of 1 to ${MOST_URLS} URLs.`);
  }
  const origin = parse(`https://${host}/`);
  // A name alone: no path, no user; the port of a scheme may be written out.
  if (origin === null || origin.pathname + origin.search + origin.username !== '/' || /[/?#@\\]/.test(host)) {
    return wrong(400, 'host must be a host name.');
  }
  return read(urlList, key, keyLocation, origin.host);
}

/** Reads the parameters of a GET; undefined ones were not given. */
export function readParameters(
  url: string | undefined,
  key: string | undefined,
  keyLocation: string | undefined,
): Reading {
  if (url === undefined || key === undefined) return wrong(400, 'The parameters url and key are needed.');
  return read([url], key, keyLocation, parse(url)?.host ?? '');
}

function read(list: readonly string[], key: string, keyLocation: string | undefined, host: string): Reading {
  if (!isKey(key)) return wrong(422, 'A key has 8 to 128 letters, digits and dashes.');
  const urls = list.map(parse);
  const first = urls[0];
  if (first == null || urls.includes(null))
    return wrong(400, 'Every URL must be an absolute http or https URL.');
  const location = parse(keyLocation ?? `${first.protocol}//${host}/${key}.txt`);
  // A query could make a page of the site say what somebody else wants.
  if (
    location === null ||
    location.search !== '' ||
    location.hash !== '' ||
    HIDDEN_FOLDER.test(location.pathname)
  ) {
    return wrong(422, 'keyLocation must be the URL of a file, without query or fragment.');
  }
  if (location.host !== host) return wrong(422, 'keyLocation must be on the host.');
  const isForeign = urls.some((url) => url !== null && !speaksFor(location, url));
  if (isForeign) return wrong(422, 'Every URL must be on the host, in the folder of the key file or below.');
  const hrefs = urls.map((url) => (url === null ? '' : url.href.slice(0, url.href.length - url.hash.length)));
  return {
    isWellFormed: true,
    submission: { keyFile: keyFileAt(location.href), key, urls: [...new Set(hrefs)] },
  };
}

/** An http(s) URL without credentials; null for anything else. */
function parse(text: string): URL | null {
  if (text.length > MOST_CHARACTERS || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url;
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function wrong(status: 400 | 422, detail: string): Reading {
  return { isWellFormed: false, status, detail };
}

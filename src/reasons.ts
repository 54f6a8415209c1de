/**
 * Every reason Freshet gives for what it did or did not do with a URL: one list for command line, API, pages and
 * metrics. Codes are stable and never translated; each has one English sentence here.
 */

export const reasons = {
  'scope.host': 'The host is not one of the sites being crawled.',
  'scope.rule': 'An include or exclude rule leaves it out.',
  'scope.depth': 'It is more links away from a start URL than the depth limit.',
  'scope.scheme': 'It is not an http or https URL.',
  'scope.length': 'The URL is longer than the limit.',
  'scope.params': 'The URL has more query parameters than the limit.',
  'scope.segments': 'The URL has more path segments than the limit.',
  'scope.extension': 'Its file extension names a kind of file that is not indexed.',
  'trap.repeat': 'The same path segments repeat, as in an endless relative link.',
  'trap.calendar': 'It is a calendar page too far from today.',
  'trap.nesting': 'A URL is nested in a parameter again and again.',
  'trap.variants': 'The page already has as many query variants as the limit.',
  'limit.pages': 'The page budget of the crawl is spent.',
  'limit.host': 'The page quota of the host is spent.',
  'limit.bytes': 'The byte budget of the crawl is spent.',
  'limit.time': 'The time budget of the crawl is spent.',
  'safety.private': 'It leads to an address that is not public.',
  'safety.scheme': 'The scheme is not allowed for an outgoing connection.',
  'safety.host': 'The host name is not one that may be connected to.',
  'safety.dns': 'The host name could not be resolved.',
  'robots.disallow': 'robots.txt disallows it.',
  'robots.unreachable': 'robots.txt could not be fetched, so the whole site counts as disallowed.',
  'directive.noindex': 'The page asks not to be indexed.',
  'directive.nofollow': 'The link or its page asks not to be followed.',
  'directive.noarchive': 'The page asks that no copy of it be shown.',
  'directive.canonical': 'The page names another page as its canonical one.',
  'http.401': 'The server asks for a login (401).',
  'http.403': 'The server refuses it (403).',
  'http.404': 'The server does not find it (404).',
  'http.410': 'The server says it is gone (410).',
  'http.429': 'The server asks for fewer requests (429).',
  'http.4xx': 'The server answered with another client error (4xx).',
  'http.5xx': 'The server failed (5xx).',
  'http.unexpected': 'The server answered with a status that makes no sense here.',
  'net.timeout': 'The server took longer than the limits allow.',
  'net.connect': 'No connection to the server could be made.',
  'net.tls': 'The TLS connection failed or its certificate is not valid.',
  'net.reset': 'The server broke the connection.',
  'net.truncated': 'The body ended early.',
  'net.protocol': 'The answer is not valid HTTP.',
  'net.headers': 'The header section is larger than the limit.',
  'redirect.limit': 'It takes more redirects than the limit.',
  'redirect.scope': 'It redirects to a URL that is not crawled.',
  'redirect.loop': 'It redirects in a loop.',
  'redirect.invalid': 'It redirects without a usable target.',
  'content.type': 'The content type is not indexed.',
  'content.size': 'The body is larger than the limit.',
  'content.encoding': 'The content coding is unknown or broken.',
  'content.empty': 'The page has no text.',
  'content.parse': 'The page could not be parsed.',
  'dup.exact': 'Another page has the same content.',
  'wait.robots': 'Waiting until robots.txt has been fetched.',
  'wait.schedule': 'Waiting until it is due.',
  'wait.host': 'Waiting for the turn of its host.',
  'wait.retry': 'Waiting for another try.',
  'internal.error': 'Freshet failed on this page; the log has the details.',
} as const;

/** A stable reason code, such as `robots.disallow`. */
export type ReasonCode = keyof typeof reasons;

/** How often each reason was given. */
export type ReasonCounts = Partial<Record<ReasonCode, number>>;

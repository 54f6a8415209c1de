/** What a page in an answer means: is it the page that was asked for, and may it be indexed? */
import { headerValue } from '../fetch/headers.ts';
import { EXTRACTOR_VERSION } from '../parse/page.ts';
import type { SearchIndex } from '../search/search-index.ts';
import type { HeaderList, PageRecord, ParsedPage, ResponseHead } from '../types.ts';
import { lost } from './findings.ts';
import { type Impostor, impostorAtFirst, impostorBeside, isSuspect } from './impostor.ts';
import type { Content, Finding } from './lifecycle.ts';

/** What stands in the place of a page, null when it is the page. Content that is known is not doubted. */
export async function impostorIn(
  page: ParsedPage,
  { id, host, contentHash }: PageRecord,
  index: Pick<SearchIndex, 'document' | 'isElsewhere'>,
): Promise<Impostor | null> {
  if (contentHash === page.contentHash) return null;
  if (contentHash === null) return impostorAtFirst(page);
  const isTwin = await index.isElsewhere(id, host, page.contentHash);
  const copy = isTwin || isSuspect(page) ? await index.document(id) : null;
  return copy === null ? null : impostorBeside(page, copy, isTwin);
}

/** What that means for the life of the page (why each kind is as it is: docs/decisions/0009-impostors.md). */
export function pageFinding(
  page: ParsedPage,
  impostor: Impostor | null,
  { status, headers }: ResponseHead,
): Finding {
  // Checks for robots and logins often say noindex, which is not said of the page.
  if (impostor === 'content.soft404') return lost('NOT_FOUND', impostor, status);
  if (impostor === 'content.login') return lost('BLOCKED', impostor, status);
  if (impostor === 'content.blocked') return { kind: 'error', reason: impostor, status, retryAfterMs: null };
  if (!page.robots.index) return lost('BLOCKED', 'directive.noindex', status, true);
  if (page.text === '' && page.title === '') return lost('BLOCKED', 'content.empty', status);
  const content: Content = {
    kind: 'content',
    status,
    ...validators(headers),
    contentHash: page.contentHash,
    extractorVersion: EXTRACTOR_VERSION,
  };
  return impostor === 'content.shrunk' ? { kind: 'doubted', reason: impostor, content } : content;
}

/** What a server says to recognise a version by. */
export function validators(headers: HeaderList): {
  readonly etag: string | null;
  readonly lastModified: string | null;
} {
  return { etag: headerValue(headers, 'etag'), lastModified: headerValue(headers, 'last-modified') };
}

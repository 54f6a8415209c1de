/** Outcomes that put, verify and remove documents, for tests of the index. */
import type { Document, VisitOutcome } from '../../src/types.ts';
import { fetched } from './outcomes.ts';
import { loanOf, newRecord } from './records.ts';

/** A document with this text, changed as the test wants; its content hash follows from title, headings and text. */
export function documentOf(text: string, changes: Partial<Document> = {}): Document {
  const { title = '', headings = [] } = changes;
  return {
    title,
    headings,
    text,
    description: '',
    language: null,
    contentHash: JSON.stringify([title, headings, text]),
    canonical: null,
    fetchedAt: 1000,
    hasSnapshot: true,
    hasSnippet: true,
    ...changes,
  };
}

/** A page, by its id and URL. */
export interface TestPage {
  readonly id: number;
  readonly url: string;
}

export function page(id: number, url = `https://site.test/${id}`): TestPage {
  return { id, url };
}

export function put(target: TestPage, text: string, changes: Partial<Document> = {}): VisitOutcome {
  return outcome(target, { action: 'put', document: documentOf(text, changes) });
}

export function verify(target: TestPage, fetchedAt: number): VisitOutcome {
  return outcome(target, { action: 'verify', fetchedAt });
}

export function remove(target: TestPage): VisitOutcome {
  return outcome(target, { action: 'remove' });
}

export function keep(target: TestPage): VisitOutcome {
  return outcome(target, { action: 'keep' });
}

function outcome({ id, url }: TestPage, document: VisitOutcome['document']): VisitOutcome {
  const record = newRecord({ id, url, host: new URL(url).host });
  return fetched(loanOf(record), 1000, { document });
}

/**
 * A body read: all that is made of a page by computing alone, so that it can be done in another thread than the one that
 * talks to the network and the disk (threads/reader-pool.ts).
 */
import { hash } from 'node:crypto';
import { type PageHead, parsePage } from '../parse/page.ts';
import { tokensOf } from '../search/document-tokens.ts';
import type { DocumentTokens, ParsedPage } from '../types.ts';

/** A body to read. */
export interface Unread {
  readonly bytes: Uint8Array;
  readonly head: PageHead;
  readonly productToken: string;
  /** Hash of the content that the index has already: the same again needs no tokens. */
  readonly knownHash: string | null;
}

export interface Reading {
  readonly page: ParsedPage;
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string;
  /** What the page can be found by; null when the index has it, or may not have it. */
  readonly tokens: DocumentTokens | null;
}

export interface Reader {
  /** Rejects only on a bug, or when the page was too much for a thread (memory, time). */
  read(unread: Unread): Promise<Reading>;
}

/** Reads in this thread. */
export const directReader: Reader = { read: async (unread) => readPage(unread) };

/** Never throws for what the body holds. */
export function readPage({ bytes, head, productToken, knownHash }: Unread): Reading {
  const page = parsePage(bytes, head, productToken);
  return {
    page,
    bodyHash: hash('sha256', bytes, 'hex'),
    tokens: page.contentHash === knownHash || !page.robots.index ? null : tokensOf(page),
  };
}

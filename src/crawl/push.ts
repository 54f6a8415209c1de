/**
 * Pushed URLs (IndexNow): who may speak for them, and what becomes of them. A host's owner proves to be one by a file on
 * the host that holds the key of the submission; the folder of that file is what the key speaks for. Pure.
 * Protocol: https://www.indexnow.org/documentation
 */
import { hash } from 'node:crypto';
import type { ReasonCode } from '../reasons.ts';
import type { PageRecord } from '../types.ts';
import { admit, type Gate } from './gate.ts';
import { type FollowedLinks, FoundLinks } from './links.ts';
import type { QueryVariants } from './variants.ts';

/** URLs that somebody says have changed, waiting for the file that proves it. */
export interface Submission {
  readonly id: number;
  readonly key: string;
  /** Absolute http(s) URLs of the key's folder, not normalised. */
  readonly urls: readonly string[];
  readonly receivedAt: number;
}

/** Submissions as a visit sees them. */
export interface SubmissionSource {
  /** Those that name the file of this frontier key, oldest first; no more than one visit can deal with. */
  waiting(keyFile: string): readonly Submission[];
}

/** What the last look at a key file found. */
export type KeyCheck = Pick<PageRecord, 'state' | 'contentHash' | 'fetchedAt'>;

/**
 * confirmed: the file held the key lately · known: it did once · denied: it lately did not · unknown: to be looked at.
 */
export type KeyStanding = 'confirmed' | 'known' | 'denied' | 'unknown';

/** A file that holds the key is believed for so long without another look. */
const CONFIRMED_MS = 86_400_000;
/** And one that does not: an owner who mends it is not kept waiting for long. */
const DENIED_MS = 600_000;
/** Pushed pages come before other new pages of their host, as the newest of a feed do. */
const PUSH_PRIORITY = 50;
/**
 * Ends the frontier key of a key file. No page has a fragment in its key, so a stranger who calls a page a key file changes
 * nothing about the page.
 */
const MARK = '#indexnow';

/** Is it a key as the protocol has them? */
export function isKey(text: string): boolean {
  return /^[\da-zA-Z-]{8,128}$/.test(text);
}

/** Frontier key of the key file at an absolute URL without a fragment. */
export function keyFileAt(location: string): string {
  return location + MARK;
}

/** Where a key file is, by its frontier key. */
export function locationOf(keyFile: string): string {
  return keyFile.slice(0, -MARK.length);
}

/** Does a key file speak for a URL: is it on the same host, in its folder or below? Both absolute; schemes may differ. */
export function speaksFor(location: URL, url: URL): boolean {
  const folder = location.pathname.slice(0, location.pathname.lastIndexOf('/') + 1);
  return url.host === location.host && url.pathname.startsWith(folder);
}

/** The key a file holds: all of it but white space and a byte order mark. Null when it holds anything else. */
export function keyIn(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes).trim();
  return isKey(text) ? text : null;
}

/** What is remembered of a key. */
export function keyHash(key: string): string {
  return hash('sha256', key, 'hex');
}

/** What is known of a key, by the last look at its file; null: there was none. */
export function keyStanding(check: KeyCheck | null, key: string, nowMs: number): KeyStanding {
  if (check === null || check.fetchedAt === null || check.state === 'waiting') return 'unknown';
  const ageMs = nowMs - check.fetchedAt;
  if (check.contentHash === keyHash(key)) return ageMs < CONFIRMED_MS ? 'confirmed' : 'known';
  return ageMs < DENIED_MS ? 'denied' : 'unknown';
}

/**
 * What a key file that has been looked at says to the submissions that name it: URLs of those with its key pass the gate as
 * if a start page linked to them, those of the others are refused.
 */
export function pushedLinks(
  record: PageRecord,
  submissions: readonly Submission[],
  gate: Gate,
  variants: QueryVariants,
  nowMs: number,
): FollowedLinks {
  const found = new FoundLinks(record);
  const why: ReasonCode = record.reason ?? 'push.key';
  for (const { key, urls, receivedAt } of submissions) {
    const isProven = record.contentHash === keyHash(key);
    for (const url of urls) {
      if (!isProven) {
        found.refuse(url, why);
        continue;
      }
      const admission = admit(gate, url, 1, nowMs);
      if (!admission.isAdmitted) found.refuse(admission.url, admission.reason);
      else if (found.has(admission.url)) continue;
      else if (!variants.admits(admission.url)) found.refuse(admission.url, 'trap.variants');
      else {
        found.take(admission.url, {
          depth: 1,
          priority: admission.priority + PUSH_PRIORITY,
          lastmodAt: Math.min(receivedAt, nowMs),
          isPushed: true,
        });
      }
    }
  }
  return found.result();
}

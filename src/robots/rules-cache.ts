/** Parsed robots.txt files, so that a file is parsed once and not once a page. Holds the most recently used ones. */
import type { RobotsRecord } from '../types.ts';
import { parseRobots, type RobotsRules } from './parse.ts';

/** Text of robots.txt files held in parsed form, bytes. Parsed rules take some ten times as much memory. */
const DEFAULT_MAX_BYTES = 4 * 1024 * 1024;

/** What an entry costs besides its text, bytes: bounds the number of empty files. */
const ENTRY_BYTES = 512;

export class RobotsRulesCache {
  readonly #productToken: string;
  readonly #maxBytes: number;
  /** Least recently used first; keyed by origin. */
  readonly #entries: Map<
    string,
    { readonly fetchedAt: number; readonly bytes: number; readonly rules: RobotsRules }
  > = new Map();
  #bytes = 0;

  /** `productToken` names the crawler whose rules are wanted. */
  constructor(productToken: string, maxBytes: number = DEFAULT_MAX_BYTES) {
    this.#productToken = productToken;
    this.#maxBytes = maxBytes;
  }

  /** The rules of a record; a record without a body has none and allows everything. */
  rulesFor(record: RobotsRecord): RobotsRules {
    const known = this.#entries.get(record.origin);
    const entry =
      known?.fetchedAt === record.fetchedAt
        ? known
        : {
            fetchedAt: record.fetchedAt,
            bytes: (record.body?.length ?? 0) + ENTRY_BYTES,
            rules: parseRobots(record.body ?? '', this.#productToken, `${record.origin}/robots.txt`),
          };
    if (known !== undefined) this.#remove(record.origin, known.bytes);
    this.#entries.set(record.origin, entry);
    this.#bytes += entry.bytes;
    for (const [origin, oldest] of this.#entries) {
      if (this.#bytes <= this.#maxBytes || this.#entries.size === 1) break;
      this.#remove(origin, oldest.bytes);
    }
    return entry.rules;
  }

  #remove(origin: string, bytes: number): void {
    this.#entries.delete(origin);
    this.#bytes -= bytes;
  }
}

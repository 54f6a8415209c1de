/**
 * Remembers which bodies a host has sent lately, to notice a server that answers every path with the same page (a soft
 * 404): from the fourth URL with identical bytes on, its links are not followed, because relative ones would make new
 * URLs without end. Bounded; forgetting merely follows a few links more.
 */

/** URLs of one host that may share a body before its links count as a trap; `/`, `/index.html` and a print view are normal. */
const FOLLOWED_COPIES = 3;

export class SeenBodies {
  readonly #capacity: number;
  /** host + hash → ids of the URLs seen with it, at most FOLLOWED_COPIES; a Map keeps insertion order, so the first key is the oldest. */
  readonly #ids = new Map<string, readonly number[]>();

  /** Keeps the latest `capacity` bodies; about 370 bytes each (measured). */
  constructor(capacity = 50_000) {
    this.#capacity = capacity;
  }

  /** Notes that a URL has this body; false when its links should not be followed. */
  note(host: string, bodyHash: string, urlId: number): boolean {
    const key = `${host} ${bodyHash}`;
    const ids = this.#ids.get(key) ?? [];
    const isNoted = ids.includes(urlId);
    const isFollowed = isNoted || ids.length < FOLLOWED_COPIES;
    this.#ids.delete(key);
    // As short as can be: one that grows keeps room for 17.
    this.#ids.set(key, isFollowed && !isNoted ? ids.concat(urlId) : ids);
    if (this.#ids.size > this.#capacity) this.#ids.delete(this.#ids.keys().next().value ?? '');
    return isFollowed;
  }
}

/**
 * Pages behind filters that combine freely (facets): few values, endless combinations, hardly new content. What tells
 * them from pages behind ids is how many URLs a path has compared with the values its parameters take: a thousand
 * articles under `?id=` have a thousand values, a thousand filter combinations have twenty.
 *
 * The crawl owns one of these, in memory and bounded. It is not stored: after a restart it starts empty or is told the
 * known URLs with a query (`remember`). Forgetting lets a few more variants in, never fewer.
 */
import { urlHash } from '../url/key.ts';

export interface VariantLimits {
  /** Query variants of one path that are always welcome. */
  readonly base: number;
  /** More of them for every value of the path's most varied parameter; 10 covers lists of categories × pages. */
  readonly perValue: number;
  /** A path with so many welcome variants is content and no longer watched. */
  readonly trustedAfter: number;
  /** Numbers remembered over all paths, about 20 bytes each; the paths not met for longest are forgotten first. */
  readonly capacity: number;
}

export const defaultVariantLimits: VariantLimits = {
  base: 20,
  perValue: 10,
  trustedAfter: 2_000,
  capacity: 500_000,
};

/** What is known of one path (scheme and host included). */
interface PathVariants {
  /** Hashes of the variants let in; null once trusted. */
  admitted: Set<number> | null;
  /** Hashes of the values met of each parameter; null for one that occurs twice in a URL, which is a list of filters. */
  readonly values: Map<string, Set<number> | null>;
  /** Numbers held in the sets above. */
  size: number;
}

/** Parameters watched per path; more than the URL limit lets through at once. */
const WATCHED_PARAMETERS = 64;

export class QueryVariants {
  readonly #limits: VariantLimits;
  /** By path, the one met last at the end. */
  readonly #paths = new Map<string, PathVariants>();
  #size = 0;

  constructor(limits: VariantLimits = defaultVariantLimits) {
    this.#limits = limits;
  }

  /** May this normalised URL be crawled (`trap.variants` if not)? What was let in once is let in again. */
  admits(url: string): boolean {
    return this.#note(url, false);
  }

  /** Counts a URL already known to the frontier, over the limit or not. */
  remember(url: string): void {
    this.#note(url, true);
  }

  #note(url: string, isKnown: boolean): boolean {
    const queryStart = url.indexOf('?');
    if (queryStart === -1) return true;
    const path = this.#recall(url.slice(0, queryStart));
    if (path.admitted === null) return true;
    const hash = urlHash(url);
    if (path.admitted.has(hash)) return true;
    // Values count even when the variant is refused: ids found among filters still open the path.
    const sizeBefore = path.size;
    const allowed = this.#limits.base + this.#limits.perValue * mostValues(path, url.slice(queryStart + 1));
    const isWelcome = isKnown || path.admitted.size < allowed;
    if (isWelcome) {
      path.admitted.add(hash);
      path.size += 1;
    }
    if (path.admitted.size >= this.#limits.trustedAfter) trust(path);
    this.#size += path.size - sizeBefore;
    this.#forget();
    return isWelcome;
  }

  #recall(name: string): PathVariants {
    const path = this.#paths.get(name) ?? { admitted: new Set(), values: new Map(), size: 1 };
    const isNew = !this.#paths.delete(name);
    if (isNew) this.#size += path.size;
    this.#paths.set(name, path);
    return path;
  }

  #forget(): void {
    for (const [name, path] of this.#paths) {
      if (this.#size <= this.#limits.capacity) return;
      this.#paths.delete(name);
      this.#size -= path.size;
    }
  }
}

/** Notes the values of a query; returns how many values the most varied parameter of the path has. */
function mostValues(path: PathVariants, query: string): number {
  const names = new Set<string>();
  for (const parameter of query.split('&')) {
    const name = parameter.split('=')[0] ?? '';
    const known = path.values.get(name);
    if (names.has(name)) {
      path.size -= known?.size ?? 0;
      path.values.set(name, null);
    } else if (known !== null && (known !== undefined || path.values.size < WATCHED_PARAMETERS)) {
      const values = known ?? new Set();
      path.size -= values.size;
      path.values.set(name, values.add(urlHash(parameter)));
      path.size += values.size;
    }
    names.add(name);
  }
  return Math.max(1, ...[...path.values.values()].map((values) => values?.size ?? 1));
}

function trust(path: PathVariants): void {
  path.admitted = null;
  path.values.clear();
  path.size = 1;
}

/** Makes a failing input smaller: leaves out ever smaller pieces as long as it still fails (Zeller's delta debugging). */

/** Attempts; more are not worth the wait. */
const MOST_ATTEMPTS = 3_000;

/** The smallest input found that fails like `input`; `fails` tells whether another one does. */
export async function minimise(
  input: string,
  fails: (smaller: string) => Promise<boolean>,
  mostMs: number,
): Promise<string> {
  const startedAt = performance.now();
  let attempts = 0;
  let text = input;
  const hasTime = (): boolean => attempts++ < MOST_ATTEMPTS && performance.now() - startedAt < mostMs;

  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    let isShorter = true;
    while (isShorter) {
      isShorter = false;
      for (let at = 0; at < text.length; ) {
        if (!hasTime()) return text;
        const smaller = text.slice(0, at) + text.slice(at + size);
        if (await fails(smaller)) {
          text = smaller;
          isShorter = true;
        } else {
          at += size;
        }
      }
    }
  }
  return text;
}

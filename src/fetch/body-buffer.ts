/**
 * The body of an answer as it comes in. Pieces are copied: one that is kept holds on to the whole read of the socket it was cut
 * from, so that a body in one-byte chunks, or in chunks with long extensions, would take a hundred times its size.
 */

/** Room for most error pages and small pages. */
const FIRST_BYTES = 16 * 1024;

const empty: Buffer = Buffer.alloc(0);

export class BodyBuffer {
  #bytes = empty;
  #length = 0;

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) this.#grow(length);
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** A copy that holds on to nothing but its own bytes. */
  toBuffer(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  /** To twice the size, so that all copying together is linear. */
  #grow(least: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, least, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

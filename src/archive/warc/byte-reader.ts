/** Reads lines and counted bytes from a source that comes in pieces of any size, and knows how far it has read. */

export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  #isEnded = false;
  #position = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Bytes taken so far. */
  get position(): number {
    return this.#position;
  }

  /** Has the source given all it has? Some of it may not be taken yet. */
  get isExhausted(): boolean {
    return this.#isEnded;
  }

  /** Is there nothing more? */
  async isAtEnd(): Promise<boolean> {
    return (await this.peek(1)).length === 0;
  }

  /** The next bytes without taking them; fewer than `count` at the end. */
  async peek(count: number): Promise<Buffer> {
    while (this.#rest.length < count && !this.#isEnded) {
      const next = await this.#next();
      if (next !== null) this.#rest = this.#rest.length === 0 ? next : Buffer.concat([this.#rest, next]);
    }
    return this.#rest.subarray(0, count);
  }

  /** The next line with its end, latin1; null when it is longer than `most` bytes or the source ends before it does. */
  async line(most: number): Promise<string | null> {
    for (let seen = 0; ; ) {
      const end = this.#rest.indexOf(0x0a, seen);
      if (end >= 0 && end < most) return this.#take(end + 1).toString('latin1');
      seen = this.#rest.length;
      if (end >= 0 || seen >= most || this.#isEnded) return null;
      await this.peek(seen + 1);
    }
  }

  /** The next piece as it comes, of `most` bytes at most; empty at the end. */
  async piece(most: number): Promise<Buffer> {
    await this.peek(1);
    return this.#take(Math.min(most, this.#rest.length));
  }

  /** Puts back the end of the piece taken last, of which only a part was wanted. */
  putBack(bytes: Buffer): void {
    this.#rest = Buffer.concat([bytes, this.#rest]);
    this.#position -= bytes.length;
  }

  #take(count: number): Buffer {
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    this.#position += count;
    return taken;
  }

  async #next(): Promise<Buffer | null> {
    const { done, value } = await this.#source.next();
    if (done === true) {
      this.#isEnded = true;
      return null;
    }
    return Buffer.from(value.buffer, value.byteOffset, value.length);
  }
}

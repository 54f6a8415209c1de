/** A queue of numbered things by key, smallest first, in which keys can be changed (binary heap with positions). */
export class IndexHeap {
  readonly #ids: number[] = [];
  readonly #keys: Float64Array;
  readonly #places: Int32Array;

  /** For ids below `size`. */
  constructor(size: number) {
    this.#keys = new Float64Array(size);
    this.#places = new Int32Array(size).fill(-1);
  }

  get size(): number {
    return this.#ids.length;
  }

  has(id: number): boolean {
    return (this.#places[id] as number) >= 0;
  }

  /** The id with the smallest key. */
  first(): number | undefined {
    return this.#ids[0];
  }

  /** `count` ids with small keys, the smallest first; the others in no order. */
  front(count: number): number[] {
    return this.#ids.slice(0, count);
  }

  key(id: number): number {
    return this.#keys[id] as number;
  }

  set(id: number, key: number): void {
    this.#keys[id] = key;
    if (!this.has(id)) this.#put(id, this.#ids.push(id) - 1);
    this.#settle(this.#places[id] as number);
  }

  remove(id: number): void {
    const place = this.#places[id] as number;
    if (place < 0) return;
    this.#places[id] = -1;
    const last = this.#ids.pop() as number;
    if (last === id) return;
    this.#put(last, place);
    this.#settle(place);
  }

  /** How many keys are at most `key`; reads only those. */
  countUpTo(key: number, root = 0): number {
    if (root >= this.#ids.length || this.#keyAt(root) > key) return 0;
    return 1 + this.countUpTo(key, 2 * root + 1) + this.countUpTo(key, 2 * root + 2);
  }

  #settle(place: number): void {
    let at = place;
    for (let up = (at - 1) >> 1; at > 0 && this.#keyAt(up) > this.#keyAt(at); up = (at - 1) >> 1) {
      this.#swap(at, up);
      at = up;
    }
    for (;;) {
      let down = 2 * at + 1;
      if (down + 1 < this.#ids.length && this.#keyAt(down + 1) < this.#keyAt(down)) down++;
      if (down >= this.#ids.length || this.#keyAt(down) >= this.#keyAt(at)) return;
      this.#swap(at, down);
      at = down;
    }
  }

  #keyAt(place: number): number {
    return this.#keys[this.#ids[place] as number] as number;
  }

  #put(id: number, place: number): void {
    this.#ids[place] = id;
    this.#places[id] = place;
  }

  #swap(one: number, other: number): void {
    const id = this.#ids[one] as number;
    this.#put(this.#ids[other] as number, one);
    this.#put(id, other);
  }
}

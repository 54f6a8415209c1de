/** Counts answers that clients have not read yet, so that what is held in memory for slow ones is bounded. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

export class InTransit {
  readonly #most: number;
  readonly #answers = new Set<HttpBindings['outgoing']>();

  constructor(most: number) {
    this.#most = most;
  }

  /** True when there is room for the answer to this request, which then counts until it is read or its connection ends. */
  enter(context: Context): boolean {
    if (this.#answers.size >= this.#most) return false;
    const { incoming, outgoing } = (context.env ?? {}) as Partial<HttpBindings>;
    // Asked without a socket, nothing is held.
    if (incoming === undefined || outgoing === undefined) return true;
    const { socket } = incoming;
    const leave = (): void => {
      this.#answers.delete(outgoing);
      socket.off('close', leave);
    };
    this.#answers.add(outgoing);
    outgoing.once('close', leave);
    // An answer that waits behind another one of its connection is not closed with it.
    socket.once('close', leave);
    return true;
  }
}

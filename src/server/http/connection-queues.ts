import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests of one connection are done one after the other, even if a client sends the next one before it
 * has the answer: an order and its cancel arrive in the order in which they were sent.
 */
export class ConnectionQueues {
  readonly #latest = new WeakMap<Socket, ServerResponse>();

  /** Resolves when every earlier request of this connection is answered. */
  async wait(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    const before = this.#latest.get(socket);
    this.#latest.set(socket, response);
    if (before === undefined || before.writableEnded || before.destroyed) return;
    await new Promise<void>((resolve) => {
      before.once('finish', resolve).once('close', resolve);
    });
  }
}

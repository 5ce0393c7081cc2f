import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Connection } from './connection.ts';

/** What is done with a message, or with a ping. */
type Deed = (data: Buffer) => void;

/**
 * Messages and pings of one socket on their way to whoever answers them, in their order. While the
 * answers to earlier ones wait to be read they wait too, and nothing more is read from the network:
 * who asks much and reads slowly waits for himself, in no memory of the venue.
 */
export class Inbox {
  readonly #socket: WebSocket;
  readonly #connection: Connection;
  /** What came in the packet that was being read when the socket was paused. */
  #waiting: (readonly [Deed, Buffer])[] = [];

  constructor(socket: WebSocket, stream: Duplex, connection: Connection) {
    this.#socket = socket;
    this.#connection = connection;
    stream.on('drain', () => {
      this.#goOn();
    });
  }

  /** Does it now, or when its turn comes. */
  take(deed: Deed, data: Buffer): void {
    if (this.#waiting.length === 0 && !this.#connection.isFull) {
      deed(data);
      return;
    }
    if (this.#waiting.length === 0) this.#socket.pause();
    this.#waiting.push([deed, data]);
  }

  /** What was sent is on its way: those that waited have their turn. */
  #goOn(): void {
    if (this.#waiting.length === 0) return;
    let done = 0;
    for (const [deed, data] of this.#waiting) {
      if (this.#connection.isFull) break;
      deed(data);
      done += 1;
    }
    this.#waiting = this.#waiting.slice(done);
    if (this.#waiting.length === 0) this.#socket.resume();
  }
}

import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Connection } from './connection.ts';

/** Handles a message or a ping. */
type Deed = (data: Buffer) => void;

/**
 * Messages and pings of one socket, handled in their order. While the answers to earlier ones wait to be
 * read they wait too, and nothing more is read from the network: a client that sends much and reads slowly
 * waits itself, without using the venue's memory.
 */
export class Inbox {
  readonly #socket: WebSocket;
  readonly #connection: Connection;
  /** The rest of the packet that was read when the socket was paused. */
  #waiting: (readonly [Deed, Buffer])[] = [];

  constructor(socket: WebSocket, stream: Duplex, connection: Connection) {
    this.#socket = socket;
    this.#connection = connection;
    stream.on('drain', () => {
      this.#continueReading();
    });
  }

  /** Handles it now, or after the earlier ones. */
  take(deed: Deed, data: Buffer): void {
    if (this.#waiting.length === 0 && !this.#connection.isFull) {
      deed(data);
      return;
    }
    if (this.#waiting.length === 0) this.#socket.pause();
    this.#waiting.push([deed, data]);
  }

  /** The answers were sent: the waiting ones continue. */
  #continueReading(): void {
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

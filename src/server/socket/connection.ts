import type { WebSocket } from 'ws';

/** One open socket, as those who serve it see it. */
export class Connection {
  /** The address that it came from. */
  readonly ip: string;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket, ip: string) {
    this.#socket = socket;
    this.ip = ip;
  }

  /** Sends a text frame; nothing happens once the socket is closing. */
  send(frame: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(frame);
  }

  /** Closes the socket, with a reason that the other side can read. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }
}

/** Who serves one socket. */
export interface Session {
  /** A text frame came. */
  frame(text: string): void;
  /** The socket is closed, for whatever reason. */
  closed(): void;
}

/** Opens the session of a new socket. */
export type SessionMaker = (connection: Connection) => Session;

import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Scheduler } from '../../platform/scheduler.ts';
import { afterTurn } from '../../platform/turn.ts';
import type { Faults } from '../faults/faults.ts';
import { UNLOGGED, type Inputs } from '../data/inputs.ts';
import { bytesOf, Frame } from './frame.ts';
import { FaultInjector } from './fault-injector.ts';

/** Bytes that may wait for a reader, besides the longest frame among them, before it is dropped. */
const WAITING_BYTES_MAX = 4 << 20;
/** Bytes that may wait before requests are no longer read. */
const FULL_BYTES = 1 << 20;
/** Bytes collected before they are written, even within a turn. */
const GATHERED_BYTES_MAX = 1 << 18;

/** The closing of a socket that does not read: try again later. */
export const SLOW_READER = {
  code: 1013,
  reason: 'The socket is read too slowly: what it should receive does not fit any more',
} as const;

/** Path and origin of a socket. */
interface Where {
  /** The stream below the socket. */
  readonly stream: Duplex;
  /** Its remote address. */
  readonly ip: string;
  /** The path that it was opened at. */
  readonly path: string;
}

/** Dependencies of a connection. */
export interface ConnectionSetup {
  readonly scheduler: Scheduler;
  readonly faults?: Faults | undefined;
  /** Nothing leaves before the inputs that it rests on are on the disk. */
  readonly inputs?: Inputs | undefined;
}

/**
 * One open socket. The frames of one turn of the event loop are written together when it ends. A reader who
 * lets too much wait is dropped: the socket is closed with a notice after the waiting frames, and nothing
 * more is kept for it.
 */
export class Connection {
  /** Its remote address. */
  readonly ip: string;
  /** The path that it was opened at. */
  readonly path: string;
  readonly #socket: WebSocket;
  /** The stream below the socket. */
  readonly #stream: Duplex;
  #gathered: Frame[] = [];
  #gatheredBytes = 0;
  /** Bytes of frames that wait for what they rest on to be on the disk. */
  #heldBytes = 0;
  /** The longest frame among those that wait below. */
  #longest = 0;
  #isOpen = true;
  readonly #inputs: Inputs;
  /** Injects faults; absent if there are none. */
  readonly #faults: FaultInjector | undefined;

  constructor(
    socket: WebSocket,
    { stream, ip, path }: Where,
    { scheduler, faults, inputs = UNLOGGED }: ConnectionSetup,
  ) {
    this.#inputs = inputs;
    this.#socket = socket;
    this.#stream = stream;
    this.ip = ip;
    this.path = path;
    if (faults !== undefined) this.#faults = this.#newFaults(faults, scheduler);
  }

  /** True while so many bytes wait that requests should not add to them. */
  get isFull(): boolean {
    return this.#gatheredBytes + this.#heldBytes + this.#stream.writableLength > FULL_BYTES;
  }

  /** Sends a text frame; nothing happens once the socket is closing. One for many is a `Frame`. */
  send(frame: string | Frame): void {
    if (!this.#isOpen || this.#socket.readyState !== this.#socket.OPEN) return;
    const one = typeof frame === 'string' ? new Frame(frame) : frame;
    if (this.#faults?.isIdle === false) this.#faults.pass(one);
    else this.#put(one);
  }

  /** The socket is closed: what was to be sent is forgotten. */
  forget(): void {
    this.#isOpen = false;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#faults?.close();
  }

  /** Answers a ping, after what was sent: a client that receives it has received all earlier answers. */
  pong(data: Buffer): void {
    this.#flush();
    this.#inputs.whenDurable(() => {
      if (this.#isOpen && this.#socket.readyState === this.#socket.OPEN) this.#socket.pong(data);
    });
  }

  /** Closes the socket after the sent frames, with a readable reason. */
  close(code: number, reason: string): void {
    if (!this.#isOpen) return;
    this.#flush();
    this.#inputs.whenDurable(() => {
      if (this.#isOpen) this.#end(code, reason);
    });
  }

  /** Sends a frame with the others of this turn. */
  #put(frame: Frame): void {
    if (!this.#isOpen) return;
    if (this.#gathered.length === 0) {
      afterTurn(() => {
        this.#flush();
      });
    }
    this.#gathered.push(frame);
    this.#gatheredBytes += frame.length;
    this.#longest = Math.max(this.#longest, frame.length);
    if (this.#gatheredBytes > GATHERED_BYTES_MAX) this.#flush();
  }

  #flush(): void {
    if (this.#gathered.length === 0) return;
    const frames = this.#gathered;
    const bytes = this.#gatheredBytes;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    if (this.#inputs.isDurable && this.#heldBytes === 0) {
      this.#write(frames, bytes);
      return;
    }
    this.#heldBytes += bytes;
    this.#inputs.whenDurable(() => {
      this.#heldBytes -= bytes;
      this.#write(frames, bytes);
    });
  }

  #write(frames: readonly Frame[], bytes: number): void {
    if (!this.#isOpen || this.#socket.readyState !== this.#socket.OPEN) return;
    const waiting = this.#stream.writableLength;
    if (waiting > WAITING_BYTES_MAX + this.#longest) {
      this.#end(SLOW_READER.code, SLOW_READER.reason);
      return;
    }
    if (waiting === 0)
      this.#longest = frames.reduce((most, { length }) => Math.max(most, length), 0);
    // Whole frames, so that those of the library (pings and closing) come between them.
    this.#stream.write(bytesOf(frames, bytes));
  }

  #newFaults(faults: Faults, scheduler: Scheduler): FaultInjector {
    const way = {
      put: (frame: Frame) => {
        this.#put(frame);
      },
      close: (code: number, reason: string) => {
        this.close(code, reason);
      },
    };
    return new FaultInjector(this.path, way, scheduler, () => faults.streams);
  }

  #end(code: number, reason: string): void {
    this.#isOpen = false;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#socket.close(code, reason);
  }
}

/** Serves one socket. */
export interface SocketSession {
  /** Receives a text frame. */
  frame(text: string): void;
  /** The socket is closed, for whatever reason. */
  closed(): void;
}

/** Opens the session of a new socket. */
export type SessionMaker = (connection: Connection) => SocketSession;

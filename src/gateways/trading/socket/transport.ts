import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { MillraceError, type ErrorCode } from '../../../model/errors.ts';
import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import { micros, US_PER_MS, type Micros } from '../../../platform/time.ts';
import type { ResolvedSetup, SocketOptions } from './options.ts';
import { Watchdog } from './watchdog.ts';

export interface TransportEvents {
  opened(): void;
  frame(text: string, receivedAt: Micros): void;
  /** Called once, and last. */
  ended(why: MillraceError): void;
}

/** Error code of an HTTP status that comes instead of a socket. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  429: 'rate-limited',
  503: 'service-unavailable',
  504: 'service-unavailable',
};

const seconds = (us: number): string => `${us / (1_000 * US_PER_MS)} s`;

/** One connection, from its first packet to its end. */
export class Transport {
  readonly #url: string;
  readonly #scheduler: Scheduler;
  readonly #options: SocketOptions;
  readonly #events: TransportEvents;
  readonly #redact: (text: string) => string;
  readonly #socket: WebSocket;
  #watchdog: Watchdog | undefined;
  /** Cancels the one pending timeout: for opening, or for closing. */
  #cancel: Cancel;
  #why: MillraceError | undefined;
  #isOver = false;

  constructor({ url, scheduler, options, redact }: ResolvedSetup, events: TransportEvents) {
    this.#url = url;
    this.#scheduler = scheduler;
    this.#options = options;
    this.#redact = redact;
    this.#events = events;
    this.#socket = new WebSocket(url, {
      perMessageDeflate: false,
      maxPayload: options.frameBytesMax,
      followRedirects: false,
    });
    this.#cancel = this.#after(options.connectUs, () => {
      this.terminate(this.#error(`did not open within ${seconds(options.connectUs)}`));
    });
    this.#listen(this.#socket);
  }

  /** Bytes passed to the system and not sent yet. */
  get waitingBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** Writes a frame; false if the connection accepts none any more, and nothing was written. */
  send(frame: string): boolean {
    if (this.#isOver || this.#socket.readyState !== WebSocket.OPEN) return false;
    // As bytes, frame and header leave by one write; of text the two would be written separately.
    this.#socket.send(Buffer.from(frame), { binary: false });
    return true;
  }

  /** Closes it regularly, or without the other side after a timeout. */
  close(): void {
    if (this.#isOver) return;
    this.#watchdog?.stop();
    this.#cancel();
    this.#why ??= this.#error('was closed by its owner');
    if (this.#socket.readyState === WebSocket.CONNECTING) {
      this.terminate(this.#why);
      return;
    }
    this.#cancel = this.#after(this.#options.closeUs, () => {
      this.terminate(this.#error('was not closed in time'));
    });
    this.#socket.close(1000);
  }

  /** Ends it at once. */
  terminate(why: MillraceError): void {
    if (this.#isOver) return;
    this.#why ??= why;
    this.#socket.terminate();
    this.#end(why);
  }

  #listen(socket: WebSocket): void {
    socket.on('upgrade', (response: IncomingMessage) => {
      // An order goes out when it is written, not when there is more to go with it.
      response.socket.setNoDelay(true);
    });
    socket.on('open', () => {
      this.#open();
    });
    socket.on('message', (data: Buffer) => {
      if (this.#isOver) return;
      const receivedAt = this.#scheduler.now();
      this.#watchdog?.received(receivedAt);
      this.#events.frame(data.toString('utf8'), receivedAt);
    });
    const sign = (): void => this.#watchdog?.received(this.#scheduler.now());
    socket.on('ping', sign).on('pong', sign);
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      const status = response.statusCode ?? 0;
      const code = CODE_OF_STATUS[status] ?? 'unreachable';
      this.terminate(this.#error(`was refused with HTTP status ${status}`, code));
    });
    socket.on('error', (cause: Error) => {
      this.#why ??= this.#error(`failed: ${cause.message}`, 'unreachable', cause);
    });
    socket.on('close', (code: number, reason: Buffer) => {
      const words = reason.length === 0 ? '' : ` (${this.#redact(reason.toString('utf8'))})`;
      this.#end(this.#why ?? this.#error(`was closed by the service with ${code}${words}`));
    });
  }

  #open(): void {
    if (this.#isOver) return;
    const { pingAfterUs, pongWithinUs } = this.#options;
    this.#cancel();
    this.#watchdog = new Watchdog({
      scheduler: this.#scheduler,
      pingAfterUs,
      pongWithinUs,
      ping: () => {
        if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
      },
      dead: () => {
        const silence = `has been silent for ${seconds(pingAfterUs + pongWithinUs)}`;
        this.terminate(this.#error(`${silence} and did not answer a ping`));
      },
    });
    this.#events.opened();
  }

  #end(why: MillraceError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#watchdog?.stop();
    this.#cancel();
    this.#events.ended(why);
  }

  #after(us: number, task: () => void): Cancel {
    return this.#scheduler.at(micros(this.#scheduler.now() + us), task);
  }

  #error(what: string, code: ErrorCode = 'unreachable', cause?: unknown): MillraceError {
    return new MillraceError(code, `The socket ${this.#url} ${what}.`, { cause });
  }
}

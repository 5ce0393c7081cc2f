import type { WebSocket } from 'ws';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND } from '../../platform/time.ts';

/** Clients of this family give up a socket that has not pinged for 35 seconds. */
const PING_EVERY_US = 25 * US_PER_SECOND;

/** Pings every socket now and then, and drops those that have not answered before the next ping. */
export class Heartbeat {
  readonly #scheduler: Scheduler;
  readonly #sockets: () => Iterable<WebSocket>;
  /** Sockets that have been pinged and sent nothing since. */
  readonly #silent = new Set<WebSocket>();
  #cancel: Cancel | undefined;

  constructor(scheduler: Scheduler, sockets: () => Iterable<WebSocket>) {
    this.#scheduler = scheduler;
    this.#sockets = sockets;
  }

  /** Watches an open socket; any input is a sign of life. */
  watch(socket: WebSocket): void {
    const alive = () => this.#silent.delete(socket);
    socket.on('pong', alive).on('ping', alive).on('message', alive).on('close', alive);
    this.#cancel ??= this.#next();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#silent.clear();
  }

  #next(): Cancel {
    return this.#scheduler.at(micros(this.#scheduler.now() + PING_EVERY_US), () => {
      this.#beat();
    });
  }

  #beat(): void {
    let count = 0;
    for (const socket of this.#sockets()) {
      count += 1;
      if (this.#silent.has(socket)) {
        socket.terminate();
      } else {
        this.#silent.add(socket);
        if (socket.readyState === socket.OPEN) socket.ping();
      }
    }
    // Without sockets there is no timer that would keep the process alive.
    this.#cancel = count === 0 ? undefined : this.#next();
  }
}

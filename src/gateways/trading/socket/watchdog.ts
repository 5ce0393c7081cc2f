import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../../platform/time.ts';

/** A timer later than this means that the process itself stood still. */
const STOOD_STILL_US = US_PER_SECOND;

export interface WatchdogSetup {
  readonly scheduler: Scheduler;
  readonly pingAfterUs: number;
  readonly pongWithinUs: number;
  readonly ping: () => void;
  /** Nothing was received for both spans together. */
  readonly dead: () => void;
}

/**
 * Watches one connection: pings it when nothing was received for a while, and declares it dead when nothing
 * arrives after that either. Any frame is a sign of life. It costs one timer, which reads the time of the
 * last sign; no timer is set per frame.
 */
export class Watchdog {
  readonly #setup: WatchdogSetup;
  #receivedAt: Micros;
  #pingedAt: Micros | undefined;
  #cancel: Cancel;

  constructor(setup: WatchdogSetup) {
    this.#setup = setup;
    this.#receivedAt = setup.scheduler.now();
    this.#cancel = this.#checkAt(this.#receivedAt + setup.pingAfterUs);
  }

  /** Something was received. */
  received(at: Micros): void {
    this.#receivedAt = at;
  }

  stop(): void {
    this.#cancel();
  }

  #checkAt(at: number): Cancel {
    return this.#setup.scheduler.at(micros(at), () => {
      this.#check(at);
    });
  }

  #check(due: number): void {
    const { scheduler, pingAfterUs, pongWithinUs, ping, dead } = this.#setup;
    const now = scheduler.now();
    const isPinged = this.#pingedAt !== undefined && this.#receivedAt < this.#pingedAt;
    if (isPinged && now - due <= STOOD_STILL_US) {
      dead();
      return;
    }
    if (!isPinged && this.#receivedAt + pingAfterUs > now) {
      this.#cancel = this.#checkAt(this.#receivedAt + pingAfterUs);
      return;
    }
    // A process that stood still has not yet read its input: it pings once more.
    this.#pingedAt = now;
    ping();
    this.#cancel = this.#checkAt(now + pongWithinUs);
  }
}

import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../../platform/time.ts';

/** Data that was asked for comes within so long, or the connection is no good. */
const WITHIN_US = 5 * US_PER_SECOND;
/** Who breaks connections off in a row waits longer each time, up to so many times as long. */
const PATIENCE_MAX = 32;
/** A timer that fires later than this says that the process itself stood still. */
const STOOD_STILL_US = US_PER_SECOND;

export interface SilenceSetup {
  readonly scheduler: Scheduler;
  /** How long a connection may bring no data before some is asked for. */
  readonly silentUs: number;
  /** Asks for something that brings data at once. */
  readonly ask: () => void;
  /** The connection answers pings maybe, and brings no data. */
  readonly dead: (silentUs: number) => void;
}

/**
 * Distinguishes a quiet market from a dead connection: one that brought no data for a while is asked for
 * some, and one that brings none then is broken off. If nothing trades, what is asked for proves that the
 * connection is alive.
 */
export class Silence {
  readonly #setup: SilenceSetup;
  #receivedAt: Micros;
  #liveAt: Micros;
  /** Set while data that was asked for is waited for. */
  #askedAt: Micros | undefined;
  #patience = 1;
  #cancel: Cancel = () => undefined;

  constructor(setup: SilenceSetup) {
    this.#setup = setup;
    this.#receivedAt = setup.scheduler.now();
    this.#liveAt = this.#receivedAt;
  }

  /** Data came. This is the hot path, so no timer is reset. */
  received(at: Micros): void {
    this.#receivedAt = at;
  }

  /** A connection is live. */
  begin(): void {
    const now = this.#setup.scheduler.now();
    this.#receivedAt = now;
    this.#liveAt = now;
    this.#askedAt = undefined;
    this.#lookAt(now + this.#spanUs);
  }

  /** The connection is lost, or closed. */
  end(): void {
    this.#cancel();
  }

  get #spanUs(): number {
    return this.#setup.silentUs * this.#patience;
  }

  #lookAt(at: number): void {
    this.#cancel();
    this.#cancel = this.#setup.scheduler.at(micros(at), () => {
      this.#look(at);
    });
  }

  #look(due: number): void {
    const { scheduler, ask, dead } = this.#setup;
    const now = scheduler.now();
    const asked = this.#askedAt;
    if (asked !== undefined && this.#receivedAt < asked && now - due <= STOOD_STILL_US) {
      this.#patience = Math.min(PATIENCE_MAX, this.#patience * 2);
      dead(now - this.#receivedAt);
      return;
    }
    if (asked === undefined || this.#receivedAt >= asked) {
      this.#askedAt = undefined;
      // Beyond the snapshots with which every connection begins: what was broken off before is forgotten.
      if (this.#receivedAt > this.#liveAt + WITHIN_US) this.#patience = 1;
      if (this.#receivedAt + this.#spanUs > now) {
        this.#lookAt(this.#receivedAt + this.#spanUs);
        return;
      }
    }
    // A process that stood still has not yet read what came meanwhile: it asks once more.
    this.#askedAt = now;
    ask();
    this.#lookAt(now + WITHIN_US);
  }
}

import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../../platform/time.ts';

/** Requested data must arrive within this time, or the connection is dead. */
const WITHIN_US = 5 * US_PER_SECOND;
/** Repeated terminations multiply the wait, up to this factor. */
const PATIENCE_MAX = 32;
/** A timer later than this means that the process itself stood still. */
const STOOD_STILL_US = US_PER_SECOND;

export interface SilenceSetup {
  readonly scheduler: Scheduler;
  /** How long a connection may bring no data before some are requested. */
  readonly silentUs: number;
  /** Requests data that arrive at once. */
  readonly ask: () => void;
  /** The connection brings no data, even if it answers pings. */
  readonly dead: (silentUs: number) => void;
}

/**
 * Distinguishes a quiet market from a dead connection: after a while without data some are requested, and
 * without an answer the connection is terminated. If nothing trades, the requested data prove that the
 * connection is alive.
 */
export class Silence {
  readonly #setup: SilenceSetup;
  #receivedAt: Micros;
  #liveAt: Micros;
  /** Set while requested data are awaited. */
  #askedAt: Micros | undefined;
  #patience = 1;
  #cancel: Cancel = () => undefined;

  constructor(setup: SilenceSetup) {
    this.#setup = setup;
    this.#receivedAt = setup.scheduler.now();
    this.#liveAt = this.#receivedAt;
  }

  /** Data arrived. This is the hot path, so no timer is reset. */
  received(at: Micros): void {
    this.#receivedAt = at;
  }

  /** A connection is live. */
  begin(): void {
    const now = this.#setup.scheduler.now();
    this.#receivedAt = now;
    this.#liveAt = now;
    this.#askedAt = undefined;
    this.#checkAt(now + this.#spanUs);
  }

  /** The connection is lost, or closed. */
  end(): void {
    this.#cancel();
  }

  get #spanUs(): number {
    return this.#setup.silentUs * this.#patience;
  }

  #checkAt(at: number): void {
    this.#cancel();
    this.#cancel = this.#setup.scheduler.at(micros(at), () => {
      this.#check(at);
    });
  }

  #check(due: number): void {
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
        this.#checkAt(this.#receivedAt + this.#spanUs);
        return;
      }
    }
    // A process that stood still has not yet read its input: it requests once more.
    this.#askedAt = now;
    ask();
    this.#checkAt(now + WITHIN_US);
  }
}

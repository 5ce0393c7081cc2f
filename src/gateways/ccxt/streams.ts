import { MillraceError, type Warn } from '../../model/errors.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { US_PER_MS, US_PER_SECOND } from '../../platform/time.ts';
import { ClockWaits } from '../http/clock-waits.ts';
import { Backoff } from '../trading/socket/backoff.ts';
import { readingError } from './errors.ts';

export interface StreamsSetup {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly warn: Warn;
  /** A stream broke: what came over it meanwhile is missing. */
  readonly lost: (why: string) => void;
}

const FIRST_US = 500 * US_PER_MS;
const MAX_US = 30 * US_PER_SECOND;

/**
 * Calls the `watch` methods of ccxt, or its `fetch` methods at intervals, until it is closed. A failed call
 * is repeated after a growing pause, and reports that data may be missing.
 */
export class Streams {
  readonly #setup: StreamsSetup;
  readonly #waits: ClockWaits;
  #isClosed = false;

  constructor(setup: StreamsSetup) {
    this.#setup = setup;
    this.#waits = new ClockWaits(setup.scheduler);
  }

  /** Receives each answer of a call; pauses `everyUs` between calls that do not wait themselves. */
  run<T>(name: string, call: () => Promise<T>, take: (given: T) => void, everyUs = 0): void {
    void this.#run(name, call, take, everyUs);
  }

  close(): void {
    this.#isClosed = true;
    this.#waits.close(new MillraceError('unreachable', 'The streams are closed.'));
  }

  async #run<T>(
    name: string,
    call: () => Promise<T>,
    take: (given: T) => void,
    everyUs: number,
  ): Promise<void> {
    const { random, warn, lost } = this.#setup;
    const backoff = new Backoff(FIRST_US, MAX_US, random);
    while (!this.#isClosed) {
      let pauseUs = everyUs;
      try {
        const given = await call();
        if (this.#isClosed) return;
        take(given);
        backoff.reset();
      } catch (error) {
        if (this.#isClosed) return;
        const { code, message } = readingError(error);
        warn(new MillraceError(code, `${name} broke: ${message}`, { cause: error }));
        lost(`${name}: ${message}`);
        pauseUs = backoff.next();
      }
      if (pauseUs > 0 && !(await this.#pause(pauseUs))) return;
    }
  }

  async #pause(us: number): Promise<boolean> {
    try {
      await this.#waits.wait(us);
      return !this.#isClosed;
    } catch {
      return false;
    }
  }
}

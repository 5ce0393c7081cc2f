import { MillraceError, type ErrorCode, type Warn } from '../../model/errors.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { US_PER_MS, US_PER_SECOND } from '../../platform/time.ts';
import { ClockWaits } from '../http/clock-waits.ts';
import { Backoff } from './socket/backoff.ts';

/** Temporary errors: the same read may be answered later. */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unreachable',
  'service-unavailable',
  'rate-limited',
  'outcome-unknown',
]);

/** The mean of the first wait is half of this, and it doubles with each. */
const FIRST_US = 500 * US_PER_MS;
const MAX_US = 15 * US_PER_SECOND;

export interface RetryingReaderSetup {
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** Receives the error of every failed read that is tried again. */
  readonly warn: Warn;
}

/** Repeats a read until it succeeds, or nobody wants it any more. Never for calls that change something. */
export class RetryingReader {
  readonly #setup: RetryingReaderSetup;
  readonly #pauses: ClockWaits;

  constructor(setup: RetryingReaderSetup) {
    this.#setup = setup;
    this.#pauses = new ClockWaits(setup.scheduler);
  }

  /** Ends all waits; each waiting caller learns that nothing is wanted any more. */
  close(): void {
    this.#pauses.close(new MillraceError('unreachable', 'Nobody waits for an answer any more.'));
  }

  /** Waits; returns whether the wait is still wanted. */
  async pause(us: number, isWanted: () => boolean): Promise<boolean> {
    try {
      await this.#pauses.wait(us);
    } catch {
      return false;
    }
    return isWanted();
  }

  /**
   * The answer, or `undefined` once it is not wanted. An error that does not pass is thrown, or, if
   * `always` is set, retried as well.
   */
  async read<T>(
    ask: () => Promise<T>,
    isWanted: () => boolean,
    always = false,
  ): Promise<T | undefined> {
    const { random, warn } = this.#setup;
    const backoff = new Backoff(FIRST_US, MAX_US, random);
    while (isWanted()) {
      try {
        const answer = await ask();
        return isWanted() ? answer : undefined;
      } catch (error) {
        if (!(error instanceof MillraceError)) throw error;
        if (!isWanted()) return undefined;
        if (!always && !PASSING.has(error.code)) throw error;
        warn(error);
      }
      if (!(await this.pause(backoff.next(), isWanted))) return undefined;
    }
    return undefined;
  }
}

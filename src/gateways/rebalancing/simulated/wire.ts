import { MillraceError } from '../../../model/errors.ts';
import type { Random } from '../../../platform/random.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import { drawn, type Span } from '../../../platform/span.ts';
import { ClockWaits } from '../../http/clock-waits.ts';

/** The wire between the rebalancer and the services of this process: latency, and lost offers. */
export class LocalWire {
  readonly #random: Random;
  readonly #waits: ClockWaits;

  constructor(scheduler: Scheduler, random: Random) {
    this.#random = random;
    this.#waits = new ClockWaits(scheduler);
  }

  /** Delays a message. Throws `unreachable` if the wire is closed before it arrives. */
  async pass(span: Span): Promise<void> {
    const us = drawn(span, this.#random);
    if (us > 0) await this.#waits.wait(us);
  }

  /** True with that probability; draws nothing for 0. */
  happens(probability: number): boolean {
    return probability > 0 && this.#random.chance(probability);
  }

  close(): void {
    const sentence = 'The bot ends in the middle of a step; the next start sees what became of it.';
    this.#waits.close(new MillraceError('unreachable', sentence));
  }
}

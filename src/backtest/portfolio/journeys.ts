import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';
import type { MoveChange } from '../../swaps/execution/carrier.ts';
import { drawn, type Span } from './span.ts';

/** What the parts of a model share: its clock, its chance, and what is on its way. */
export class Journeys {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #standings = new Map<string, MoveChange>();
  #numbers = 0;

  constructor(scheduler: Scheduler, random: Random) {
    this.#scheduler = scheduler;
    this.#random = random;
  }

  /** How a move stands whose money has left; nothing for others. */
  standing(move: string): MoveChange | undefined {
    return this.#standings.get(move);
  }

  /** Says how a move stands now. */
  stand(move: string, change: MoveChange): MoveChange {
    this.#standings.set(move, change);
    return change;
  }

  /** Another number at each call, from 1. */
  number(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  /** A span by chance. */
  draw(span: Span): number {
    return drawn(span, this.#random);
  }

  /** True with that probability; draws nothing for 0. */
  happens(probability: number): boolean {
    return probability > 0 && this.#random.chance(probability);
  }

  /** A number from 0 (included) to 1 (excluded). */
  unit(): number {
    return this.#random.unit();
  }

  /** Does something after a while. */
  after(us: number, task: () => void): void {
    this.#scheduler.at(micros(this.#scheduler.now() + us), task);
  }

  /** Lets a while pass. */
  pass(us: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(us, resolve);
    });
  }
}

import type { Quota } from '../../wire/sliding-window.ts';

const WINDOW_US = 1_000_000;

/**
 * One rate limit of the service as its client must see it. The service counts a call when it arrives, which
 * is between sending and answer. So a call counts from its sending until a second after its answer:
 * whatever the network does in between, the service never finds more than rate plus burst of them in one of
 * its seconds.
 */
export class CallWindow {
  readonly #limit: number;
  #inFlight = 0;
  /** When the answers of the last second came, oldest first. */
  #answered: number[] = [];
  #holdUntil = 0;

  constructor({ rate, burst }: Quota) {
    this.#limit = rate + burst;
  }

  /** When a call may leave: `now` or earlier if at once, +Infinity if an answer must come first. */
  freeAt(nowUs: number): number {
    this.#forget(nowUs);
    if (this.#inFlight + this.#answered.length < this.#limit) return this.#holdUntil;
    const [oldest] = this.#answered;
    const free = oldest === undefined ? Number.POSITIVE_INFINITY : oldest + WINDOW_US;
    return Math.max(free, this.#holdUntil);
  }

  /** A call leaves. */
  onSent(): void {
    this.#inFlight += 1;
  }

  /** Its answer arrived, or will not. */
  onAnswered(nowUs: number): void {
    this.#inFlight -= 1;
    this.#answered.push(nowUs);
  }

  /** Pauses until a time, as the service requested. */
  pauseUntil(untilUs: number): void {
    this.#holdUntil = Math.max(this.#holdUntil, untilUs);
  }

  #forget(nowUs: number): void {
    const kept = this.#answered.findIndex((at) => at + WINDOW_US > nowUs);
    if (kept === -1) this.#answered = [];
    else if (kept > 0) this.#answered.splice(0, kept);
  }
}

import { Subscription, type Observer } from 'rxjs';

/** What is done with the commands of a strategy. */
export interface SinkHost {
  /** Takes a command, whatever it is; throws when there are so many that their source must end. */
  next(value: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

/**
 * Listens to a strategy. RxJS takes what is both observer and subscription as it is. Unlike the
 * subscriber that it makes of a mere observer, this one throws out of `next`, which also ends a
 * source that emits without looking whether anybody still listens.
 */
export class CommandSink extends Subscription implements Observer<unknown> {
  readonly #host: SinkHost;

  constructor(host: SinkHost) {
    super();
    this.#host = host;
  }

  next(value: unknown): void {
    this.#host.next(value);
  }

  error(error: unknown): void {
    if (this.closed) return;
    this.#host.error(error);
    this.unsubscribe();
  }

  complete(): void {
    if (this.closed) return;
    this.#host.complete();
    this.unsubscribe();
  }
}

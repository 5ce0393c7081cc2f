import { isObservable, Observable, Subscription, type Observer } from 'rxjs';
import { MillraceError } from '../../model/errors.ts';
import { foreignStream } from '../market/foreign-stream.ts';
import { shown } from './shown.ts';

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

/** Lets a sink listen to what a strategy gave. Throws `strategy-failed` for what is no stream of this RxJS. */
export function listenTo(stream: unknown, sink: CommandSink): void {
  if (!(stream instanceof Observable)) {
    throw isObservable(stream) ? foreignStream() : noStream(shown(stream));
  }
  const listening: unknown = stream.subscribe(sink);
  if (!(listening instanceof Object && 'unsubscribe' in listening)) {
    throw noStream(`a stream whose subscribe gives ${shown(listening)}`);
  }
}

const noStream = (what: string): MillraceError =>
  new MillraceError(
    'strategy-failed',
    `run gave ${what} where a stream of commands is expected; let it give an Observable of RxJS.`,
  );

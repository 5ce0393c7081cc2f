import { isObservable, Observable, Subscription, type Observer } from 'rxjs';
import { MillraceError } from '../../model/errors.ts';
import { foreignStream } from '../market/foreign-stream.ts';
import { valueText } from './shown.ts';

/** Receiver of a strategy's commands. */
export interface SinkHost {
  /** Handles an emitted value; throws if there are so many that their source must end. */
  next(value: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

/**
 * Subscribes to a strategy. RxJS uses an object that is both observer and subscription as it is.
 * Unlike RxJS' own subscriber, this one throws out of `next`, which also ends a source that emits
 * without checking for unsubscription.
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

/**
 * Subscribes a sink to a strategy's stream. Throws `strategy-failed` for anything but a stream of
 * this copy of RxJS.
 */
export function listenTo(stream: unknown, sink: CommandSink): void {
  if (!(stream instanceof Observable)) {
    throw isObservable(stream) ? foreignStream() : noStream(valueText(stream));
  }
  const listening: unknown = stream.subscribe(sink);
  if (!(listening instanceof Object && 'unsubscribe' in listening)) {
    throw noStream(`a stream whose subscribe gives ${valueText(listening)}`);
  }
}

const noStream = (what: string): MillraceError =>
  new MillraceError(
    'strategy-failed',
    `run gave ${what} where a stream of commands is expected; let it give an Observable of RxJS.`,
  );

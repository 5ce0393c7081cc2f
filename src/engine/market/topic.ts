import { Observable, Subscriber } from 'rxjs';
import { foreignStream } from './foreign-stream.ts';

/**
 * A stream that knows whether it has subscribers, so that no value is made for nobody. A new
 * subscriber during an emission receives the next value first.
 */
export class MarketTopic<T> {
  readonly $: Observable<T>;
  #subscribers: readonly Subscriber<T>[] = [];

  /**
   * `present` returns the current value for a new subscriber of a state; `changed` is called for
   * the first subscriber and after the last.
   */
  constructor(present?: () => T | undefined, changed?: () => void) {
    this.$ = new Observable<T>((subscriber) => {
      if (!isOwn(subscriber)) throw foreignStream();
      const now = present?.();
      if (now !== undefined) subscriber.next(now);
      if (subscriber.closed) return;
      this.#subscribers = [...this.#subscribers, subscriber];
      changed?.();
      return () => {
        this.#subscribers = this.#subscribers.filter((one) => one !== subscriber);
        changed?.();
      };
    });
  }

  /** True while it has a subscriber. */
  get awaited(): boolean {
    return this.#subscribers.length > 0;
  }

  emit(value: T): void {
    const subscribers = this.#subscribers;
    for (let i = 0; i < subscribers.length; i += 1) subscribers[i].next(value);
  }
}

/**
 * False if the subscriber's chain has an operator of another copy of RxJS: such operators take a
 * stream of this copy for one of theirs.
 */
function isOwn(subscriber: unknown): boolean {
  let one = subscriber as { readonly destination?: unknown } | undefined;
  while (one instanceof Object && 'isStopped' in one) {
    if (!(one instanceof Subscriber)) return false;
    one = (one as unknown as { readonly destination?: object }).destination;
  }
  return true;
}

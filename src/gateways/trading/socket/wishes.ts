import type { MillraceError } from '../../../model/errors.ts';
import { ServiceError } from '../../http/service-error.ts';
import type { Ask, Outcome } from './requests.ts';

/** Something to be told for as long as the socket is there. */
export interface Wish {
  readonly method: string;
  /** As the caller gave them. */
  readonly params: unknown;
  readonly frame: (id: number) => string;
  /** Each answer to it, also to the repeated ones. */
  answered?(result: unknown): void;
}

export interface WishesSetup {
  ask(ask: Ask, done: (outcome: Outcome) => void): void;
  /** Everything that was wished was granted on this connection. */
  granted(): void;
  /** A wish that nobody waits for was refused, and is wished no more. */
  refused(error: MillraceError): void;
  /** The connection does not give what was wished. */
  failed(error: MillraceError): void;
}

interface Waiter {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: MillraceError) => void;
}

/** What was subscribed, in the order in which it was asked for. */
export class Wishes {
  readonly #setup: WishesSetup;
  /** With who waits for the first answer. */
  readonly #wishes = new Map<Wish, Waiter | undefined>();
  /** How many were asked and not answered yet, on this connection. */
  #asked = 0;
  /** Counts connections, so that what became of an earlier one is known as such. */
  #connection = 0;
  #isConnected = false;
  #isGranted = false;

  constructor(setup: WishesSetup) {
    this.#setup = setup;
  }

  add(wish: Wish): Promise<unknown> {
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#wishes.set(wish, { resolve, reject });
    });
    if (this.#isConnected) this.#ask(wish);
    return answer;
  }

  remove(wish: Wish): void {
    const waiter = this.#wishes.get(wish);
    this.#wishes.delete(wish);
    // Whoever took it back has it: there is nothing left to wait for.
    waiter?.resolve(undefined);
  }

  /** There is a connection: asks for all. */
  ask(): void {
    this.#isConnected = true;
    this.#isGranted = false;
    this.#asked = 0;
    for (const wish of [...this.#wishes.keys()]) this.#ask(wish);
    this.#settle();
  }

  /** The connection is gone. */
  lose(): void {
    this.#isConnected = false;
    this.#connection += 1;
  }

  /** Nothing will be asked any more. */
  close(why: MillraceError): void {
    this.lose();
    for (const waiter of this.#wishes.values()) waiter?.reject(why);
    this.#wishes.clear();
  }

  #ask(wish: Wish): void {
    const connection = this.#connection;
    this.#asked += 1;
    this.#setup.ask({ ...wish, replies: 1, changes: false }, (outcome) => {
      if (connection !== this.#connection) return;
      this.#asked -= 1;
      if (outcome.kind === 'results') this.#grant(wish, outcome.results[0]);
      else this.#refuse(wish, outcome.error);
      this.#settle();
    });
  }

  #grant(wish: Wish, result: unknown): void {
    const waiter = this.#wishes.get(wish);
    if (this.#wishes.has(wish)) this.#wishes.set(wish, undefined);
    wish.answered?.(result);
    waiter?.resolve(result);
  }

  #refuse(wish: Wish, error: MillraceError): void {
    if (!isFinal(error)) {
      this.#setup.failed(error);
      return;
    }
    const waiter = this.#wishes.get(wish);
    this.#wishes.delete(wish);
    if (waiter === undefined) this.#setup.refused(error);
    else waiter.reject(error);
  }

  #settle(): void {
    if (!this.#isConnected || this.#isGranted || this.#asked > 0) return;
    this.#isGranted = true;
    this.#setup.granted();
  }
}

/** Whether the same wish would be refused again. */
const isFinal = (error: MillraceError): boolean =>
  error instanceof ServiceError && error.code === 'service-refused';

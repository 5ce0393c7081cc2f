import type { MillraceError } from '../../../model/errors.ts';
import { ServiceError } from '../../http/service-error.ts';
import type { RpcCall, RpcOutcome } from './requests.ts';

/** A subscription for as long as the socket exists. */
export interface SubscriptionRequest {
  readonly method: string;
  /** As the caller gave them. */
  readonly params: unknown;
  readonly frame: (id: number) => string;
  /** Each answer to it, also to the repeated ones. */
  answered?(result: unknown): void;
}

export interface SubscriptionsSetup {
  ask(ask: RpcCall, done: (outcome: RpcOutcome) => void): void;
  /** Every subscription was confirmed on this connection. */
  granted(): void;
  /** A subscription without a waiting caller was rejected and is no longer wanted. */
  rejected(error: MillraceError): void;
  /** The connection does not confirm the subscriptions. */
  failed(error: MillraceError): void;
}

interface Waiter {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: MillraceError) => void;
}

/** Subscriptions, in the order of their requests. */
export class SocketSubscriptions {
  readonly #setup: SubscriptionsSetup;
  /** With the caller that waits for the first answer. */
  readonly #managedOrders = new Map<SubscriptionRequest, Waiter | undefined>();
  /** Unanswered requests of this connection. */
  #asked = 0;
  /** Counts connections, to ignore results of an earlier one. */
  #connection = 0;
  #isConnected = false;
  #isGranted = false;

  constructor(setup: SubscriptionsSetup) {
    this.#setup = setup;
  }

  add(managedOrder: SubscriptionRequest): Promise<unknown> {
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#managedOrders.set(managedOrder, { resolve, reject });
    });
    if (this.#isConnected) this.#ask(managedOrder);
    return answer;
  }

  remove(managedOrder: SubscriptionRequest): void {
    const waiter = this.#managedOrders.get(managedOrder);
    this.#managedOrders.delete(managedOrder);
    // Whoever ended it has it: there is nothing left to wait for.
    waiter?.resolve(undefined);
  }

  /** There is a connection: subscribes to all. */
  ask(): void {
    this.#isConnected = true;
    this.#isGranted = false;
    this.#asked = 0;
    for (const managedOrder of [...this.#managedOrders.keys()]) this.#ask(managedOrder);
    this.#settle();
  }

  /** The connection is gone. */
  lose(): void {
    this.#isConnected = false;
    this.#connection += 1;
  }

  /** No more requests will be sent. */
  close(why: MillraceError): void {
    this.lose();
    for (const waiter of this.#managedOrders.values()) waiter?.reject(why);
    this.#managedOrders.clear();
  }

  #ask(managedOrder: SubscriptionRequest): void {
    const connection = this.#connection;
    this.#asked += 1;
    this.#setup.ask({ ...managedOrder, replies: 1, changes: false }, (outcome) => {
      if (connection !== this.#connection) return;
      this.#asked -= 1;
      if (outcome.kind === 'results') this.#grant(managedOrder, outcome.results[0]);
      else this.#refuse(managedOrder, outcome.error);
      this.#settle();
    });
  }

  #grant(managedOrder: SubscriptionRequest, result: unknown): void {
    const waiter = this.#managedOrders.get(managedOrder);
    if (this.#managedOrders.has(managedOrder)) this.#managedOrders.set(managedOrder, undefined);
    managedOrder.answered?.(result);
    waiter?.resolve(result);
  }

  #refuse(managedOrder: SubscriptionRequest, error: MillraceError): void {
    if (!isFinal(error)) {
      this.#setup.failed(error);
      return;
    }
    const waiter = this.#managedOrders.get(managedOrder);
    this.#managedOrders.delete(managedOrder);
    if (waiter === undefined) this.#setup.rejected(error);
    else waiter.reject(error);
  }

  #settle(): void {
    if (!this.#isConnected || this.#isGranted || this.#asked > 0) return;
    this.#isGranted = true;
    this.#setup.granted();
  }
}

/** Whether the same request would be refused again. */
const isFinal = (error: MillraceError): boolean =>
  error instanceof ServiceError && error.code === 'service-refused';

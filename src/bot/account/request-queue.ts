import type { AccountRequest, MarginRequest, OrderRequest } from '../../model/order-request.ts';
import type { Micros } from '../../platform/time.ts';
import { afterThis } from '../../platform/turn.ts';
import { UnsentOrders } from '../../risk/unsent-orders.ts';

/** A request about to leave an account. */
export interface Queued<Request extends AccountRequest> {
  readonly strategy: string;
  readonly request: Request;
  /** A margin account setting as the strategy requested it, if it is sent in another form. */
  readonly asked?: MarginRequest | undefined;
  readonly managed: boolean;
  /** True for a request of an operator, which no limit holds up. */
  readonly isOperators: boolean;
  /** When it was requested. */
  readonly at: Micros;
  /** When the market message that caused it was received, if one did. */
  readonly cause: Micros | undefined;
}

export type QueuedRequest = Queued<OrderRequest>;
export type AnyQueued = Queued<AccountRequest>;

/** True for a request that is about an order. */
export const isOfOrder = (queued: AnyQueued): queued is QueuedRequest =>
  queued.request.kind !== 'setMargin';

/** True for a request that is about a margin account. */
export const isOfMargin = (queued: AnyQueued): queued is Queued<MarginRequest> =>
  queued.request.kind === 'setMargin';

/** Collects the requests made during one market message; they leave together. */
export class RequestQueue {
  /** Orders of requests that have not passed the limits, or were rejected and not yet reported so. */
  readonly unsent = new UnsentOrders();
  readonly #flush: (requests: readonly AnyQueued[]) => void;
  #queued: AnyQueued[] = [];

  constructor(flush: (requests: readonly AnyQueued[]) => void) {
    this.#flush = flush;
  }

  push(queued: AnyQueued): void {
    if (isOfOrder(queued)) this.unsent.add(queued.request);
    this.#queued.push(queued);
    if (this.#queued.length > 1) return;
    afterThis(() => {
      const requests = this.#queued;
      this.#queued = [];
      this.#flush(requests);
    });
  }
}

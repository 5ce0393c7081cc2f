import type { AccountRequest, MarginRequest, OrderRequest } from '../../model/order-request.ts';
import type { Micros } from '../../platform/time.ts';
import { afterThis } from '../../platform/turn.ts';
import { UnsentOrders } from '../../risk/unsent-orders.ts';

/** A request on its way out of an account. */
export interface Queued<Request extends AccountRequest> {
  readonly strategy: string;
  readonly request: Request;
  /** A setting of a margin account as its strategy asked for it, where it leaves in other words. */
  readonly asked?: MarginRequest | undefined;
  readonly managed: boolean;
  /** True for a request of an operator, which no limit holds up. */
  readonly isOperators: boolean;
  /** When it was asked for. */
  readonly at: Micros;
  /** When the market message was received that it answers, if it answers one. */
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

/** Collects what is requested within one message of the market, which then leaves together. */
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

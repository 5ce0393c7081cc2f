import type { OrderRequest } from '../../model/order-request.ts';
import type { Micros } from '../../platform/time.ts';
import { afterThis } from '../../platform/turn.ts';
import { UnsentOrders } from '../../risk/unsent-orders.ts';

/** A request on its way out of an account. */
export interface QueuedRequest {
  readonly strategy: string;
  readonly request: OrderRequest;
  readonly managed: boolean;
  /** True for a request of an operator, which no limit holds up. */
  readonly isOperators: boolean;
  /** When it was asked for. */
  readonly at: Micros;
  /** When the market message was received that it answers, if it answers one. */
  readonly cause: Micros | undefined;
}

/** Collects what is requested within one message of the market, which then leaves together. */
export class RequestQueue {
  /** Orders of requests that have not passed the limits, or were rejected and not yet reported so. */
  readonly unsent = new UnsentOrders();
  readonly #flush: (requests: readonly QueuedRequest[]) => void;
  #queued: QueuedRequest[] = [];

  constructor(flush: (requests: readonly QueuedRequest[]) => void) {
    this.#flush = flush;
  }

  push(queued: QueuedRequest): void {
    this.unsent.add(queued.request);
    this.#queued.push(queued);
    if (this.#queued.length > 1) return;
    afterThis(() => {
      const requests = this.#queued;
      this.#queued = [];
      this.#flush(requests);
    });
  }
}

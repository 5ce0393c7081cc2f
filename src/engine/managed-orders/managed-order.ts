import type { Order } from '../../model/order.ts';
import { CANDLES, TOP, TRADED } from '../../model/instrument-state.ts';
import type { GridQuote, GridTarget } from './on-grid.ts';
import { QuoteSideKeeper } from './quote-side.ts';
import { TargetKeeper, type TargetHost } from './target-keeper.ts';

/** Market changes after which a waiting managed order is retried. */
export const RETRY_ON = TRADED | TOP | CANDLES;

/**
 * Maintains the one managed order of a market. A quote waits for the end of a target's market
 * order, a target for the end of a quote's orders, so that neither counts on what the other may
 * still do.
 */
export class ManagedOrder {
  readonly #host: TargetHost;
  readonly #bid: QuoteSideKeeper;
  readonly #ask: QuoteSideKeeper;
  readonly #taker: TargetKeeper;

  constructor(host: TargetHost) {
    const { instrument } = host.market;
    this.#host = host;
    const market = { symbol: instrument.symbol, margin: host.margin };
    this.#bid = new QuoteSideKeeper('buy', market, host.orderManager);
    this.#ask = new QuoteSideKeeper('sell', market, host.orderManager);
    this.#taker = new TargetKeeper(host);
  }

  start(managedOrder: GridTarget | GridQuote, now: number, awaited: readonly Order[]): void {
    if (managedOrder.kind === 'target') {
      this.#withdraw(now);
      this.#taker.start(managedOrder, awaited);
    } else {
      this.#taker.end();
      this.#bid.start(managedOrder.bid, now);
      this.#ask.start(managedOrder.ask, now);
    }
    this.#host.touch();
  }

  /** Ends the managed order and cancels its orders. */
  end(now: number): void {
    this.#taker.end();
    this.#withdraw(now);
    this.#host.touch();
  }

  /** Ends the managed order and leaves its orders unchanged. */
  abandon(): void {
    this.#taker.end();
    this.#bid.abandon();
    this.#ask.abandon();
    this.#host.market.await(this, RETRY_ON, false);
  }

  /** Sends the next requests for the managed order. */
  maintain(now: number): void {
    const { market } = this.#host;
    this.#taker.settle(now);
    if (this.#taker.isIdle) this.#keepSides(now);
    if (this.#bid.isIdle && this.#ask.isIdle) this.#taker.maintain(now);
    const isWaiting = this.#bid.isWaiting || this.#ask.isWaiting || this.#taker.isWaiting;
    market.await(this, RETRY_ON, isWaiting);
  }

  /** Applies a market change that may let a managed order succeed. */
  marketChanged(now: number): void {
    const bid = this.#bid.pause.market(now);
    const ask = this.#ask.pause.market(now);
    const taker = this.#taker.pause.market(now);
    if (bid || ask || taker) this.#host.touch();
  }

  /** The side that retreats goes first; the other waits until the two cannot meet. */
  #keepSides(now: number): void {
    const [first, second] = this.#bid.isAdvancing ? [this.#ask, this.#bid] : [this.#bid, this.#ask];
    first.maintain(second, now);
    second.maintain(first, now);
  }

  #withdraw(now: number): void {
    this.#bid.start(undefined, now);
    this.#ask.start(undefined, now);
  }
}

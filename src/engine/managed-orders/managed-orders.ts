import type { MarginMode } from '../../model/margin-terms.ts';
import type { Order } from '../../model/order.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { spotHoldRejection } from '../../rules/held.ts';
import type { OrderMarket, Quote, Target } from '../../strategy/commands.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import { unknownSymbol } from '../orders/requested.ts';
import type { ManagedOrder } from './managed-order.ts';
import { onGrid, type GridQuote, type GridTarget } from './on-grid.ts';

export interface ManagedOrdersHost {
  market(symbol: string): InstrumentMarket | undefined;
  /** Why nothing can be traded in this market. */
  placeRejection(market: InstrumentMarket, margin: MarginMode | undefined): Rejection | undefined;
  /** Makes the keeper of a market; it calls `touch` when it may have something to do. */
  keeper(market: InstrumentMarket, margin: MarginMode | undefined, touch: () => void): ManagedOrder;
  now(): number;
}

/** A keeper, its market, and whether it is in the queue. */
interface Kept {
  readonly symbol: string;
  readonly margin: MarginMode | undefined;
  readonly keeper: ManagedOrder;
  isQueued: boolean;
}

/**
 * Managed orders of a strategy: one at a time for each market, which is a symbol on spot or in a
 * margin mode.
 */
export class ManagedOrders {
  readonly #host: ManagedOrdersHost;
  readonly #kept: Kept[] = [];
  readonly #keptOf = new Map<string, Kept[]>();
  /** Keepers that may have something to do, in order. */
  readonly #queue: Kept[] = [];

  constructor(host: ManagedOrdersHost) {
    this.#host = host;
  }

  /** True if a managed order may have something to do. */
  get isTouched(): boolean {
    return this.#queue.length > 0;
  }

  /** Why a managed order is rejected. */
  rejection(managedOrder: Target | Quote): Rejection | undefined {
    const market = this.#host.market(managedOrder.symbol);
    if (market === undefined) return unknownSymbol(managedOrder.symbol);
    const { margin } = managedOrder;
    const request = onGrid(market.instrument, managedOrder);
    if (isRejection(request)) return request;
    return (
      (request.kind === 'quote' ? quoteRejection(request) : targetRejection(request, margin)) ??
      this.#host.placeRejection(market, margin)
    );
  }

  /** Starts a valid managed order once the `awaited` orders have ended. */
  start(managedOrder: Target | Quote, awaited: readonly Order[] = []): void {
    const market = this.#host.market(managedOrder.symbol);
    if (market === undefined) return;
    const request = onGrid(market.instrument, managedOrder);
    if (isRejection(request)) return;
    this.#keeper(market, managedOrder.margin).start(request, this.#host.now(), awaited);
  }

  /** Ends managed orders, of one market or all; their orders are canceled. */
  end(market?: OrderMarket): void {
    for (const kept of this.#kept) {
      if (market === undefined || isAt(kept, market)) kept.keeper.end(this.#host.now());
    }
  }

  /** Ends all managed orders and leaves their orders unchanged. */
  abandon(): void {
    for (const kept of this.#kept) {
      kept.keeper.abandon();
      kept.isQueued = false;
    }
    this.#queue.length = 0;
  }

  marketChanged({ instrument }: InstrumentMarket): void {
    for (const { keeper } of this.#of(instrument.symbol)) keeper.marketChanged(this.#host.now());
  }

  /** Applies a change of a managed order's order. */
  orderChanged(market: OrderMarket): void {
    for (const kept of this.#of(market.symbol)) if (isAt(kept, market)) this.#touch(kept);
  }

  /** Checks all managed orders after a change of the holdings. */
  holdingsChanged(): void {
    for (const kept of this.#kept) this.#touch(kept);
  }

  /** Runs the keepers in the queue; one that changes meanwhile is queued again. */
  maintain(): void {
    let done = 0;
    try {
      while (done < this.#queue.length) {
        const kept = this.#queue[done];
        done += 1;
        kept.isQueued = false;
        kept.keeper.maintain(this.#host.now());
      }
    } finally {
      this.#queue.splice(0, done);
    }
  }

  #touch(kept: Kept): void {
    if (kept.isQueued) return;
    kept.isQueued = true;
    this.#queue.push(kept);
  }

  #of(symbol: string): readonly Kept[] {
    return this.#keptOf.get(symbol) ?? NONE;
  }

  #keeper(market: InstrumentMarket, margin: MarginMode | undefined): ManagedOrder {
    const { symbol } = market.instrument;
    const known = this.#of(symbol).find((kept) => kept.margin === margin);
    if (known !== undefined) return known.keeper;
    const keeper = this.#host.keeper(market, margin, () => this.#touch(kept));
    const kept: Kept = { symbol, margin, keeper, isQueued: false };
    this.#kept.push(kept);
    this.#keptOf.set(symbol, [...this.#of(symbol), kept]);
    return keeper;
  }
}

const NONE: readonly Kept[] = [];

const isAt = (kept: Kept, { symbol, margin }: OrderMarket): boolean =>
  kept.symbol === symbol && kept.margin === margin;

/** Rejects a short on spot, and more than all of the equity. */
const targetRejection = (
  { hold }: GridTarget,
  margin: MarginMode | undefined,
): Rejection | undefined => (margin === undefined ? spotHoldRejection(hold) : undefined);

function quoteRejection({ bid, ask }: GridQuote): Rejection | undefined {
  if (bid === undefined || ask === undefined || bid.ticks < ask.ticks) return undefined;
  return {
    code: 'price-invalid',
    field: 'bid',
    message: `The quote bids ${bid.ticks} ticks and asks ${ask.ticks}; the bid must be below the ask.`,
    limit: String(ask.ticks),
  };
}

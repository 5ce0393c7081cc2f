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
  /** Why nothing can be traded there. */
  placeRejection(market: InstrumentMarket, margin: MarginMode | undefined): Rejection | undefined;
  /** Makes the keeper of a market; `touch` is to be called when it may have something to do. */
  keeper(market: InstrumentMarket, margin: MarginMode | undefined, touch: () => void): ManagedOrder;
  now(): number;
}

/** A keeper, the place that its managed order is for, and whether it stands in the queue of those that may have something to do. */
interface Kept {
  readonly symbol: string;
  readonly margin: MarginMode | undefined;
  readonly keeper: ManagedOrder;
  isQueued: boolean;
}

/** The managed orders of a strategy: one at a time for each place, which is a symbol on spot or on a margin. */
export class ManagedOrders {
  readonly #host: ManagedOrdersHost;
  readonly #kept: Kept[] = [];
  readonly #keptOf = new Map<string, Kept[]>();
  /** Those that may have something to do, in the order in which they came to. */
  readonly #queue: Kept[] = [];

  constructor(host: ManagedOrdersHost) {
    this.#host = host;
  }

  /** True when a managed order may have something to do. */
  get isTouched(): boolean {
    return this.#queue.length > 0;
  }

  /** Why a managed order cannot be taken up. */
  rejection(managedOrder: Target | Quote): Rejection | undefined {
    const market = this.#host.market(managedOrder.symbol);
    if (market === undefined) return unknownSymbol(managedOrder.symbol);
    const { margin } = managedOrder;
    const wanted = onGrid(market.instrument, managedOrder);
    if (isRejection(wanted)) return wanted;
    return (
      (wanted.kind === 'quote' ? quoteRejection(wanted) : targetRejection(wanted, margin)) ??
      this.#host.placeRejection(market, margin)
    );
  }

  /** Takes a managed order up that is not rejected, once the `awaited` orders have ended. */
  want(managedOrder: Target | Quote, awaited: readonly Order[] = []): void {
    const market = this.#host.market(managedOrder.symbol);
    if (market === undefined) return;
    const wanted = onGrid(market.instrument, managedOrder);
    if (isRejection(wanted)) return;
    this.#keeper(market, managedOrder.margin).want(wanted, this.#host.now(), awaited);
  }

  /** Ends managed orders, of one place or of all; their orders are canceled. */
  end(market?: OrderMarket): void {
    for (const kept of this.#kept) {
      if (market === undefined || isAt(kept, market)) kept.keeper.end(this.#host.now());
    }
  }

  /** Ends all managed orders and leaves their orders as they are. */
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

  /** An order changed that is kept for a managed order. */
  orderChanged(market: OrderMarket): void {
    for (const kept of this.#of(market.symbol)) if (isAt(kept, market)) this.#touch(kept);
  }

  /** The holdings changed, so any managed order may be off target. */
  holdingsChanged(): void {
    for (const kept of this.#kept) this.#touch(kept);
  }

  /** Works on managed orders that are off target; one that changes meanwhile comes again. */
  keep(): void {
    let done = 0;
    try {
      while (done < this.#queue.length) {
        const kept = this.#queue[done];
        done += 1;
        kept.isQueued = false;
        kept.keeper.keep(this.#host.now());
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

/** Spot has no shorts, and no more than all of the equity. */
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

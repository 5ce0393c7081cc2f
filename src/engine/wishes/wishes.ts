import type { MarginMode } from '../../model/margin-terms.ts';
import type { Order } from '../../model/order.ts';
import type { Refusal } from '../../model/refusals.ts';
import { spotHoldRefusal } from '../../rules/held.ts';
import type { Placed, Quote, Target } from '../../strategy/commands.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import { unknownSymbol } from '../orders/requested.ts';
import type { WishKeeper } from './keeper.ts';

export interface WishesHost {
  market(symbol: string): InstrumentMarket | undefined;
  /** Why nothing can be traded there. */
  placeRefusal(market: InstrumentMarket, margin: MarginMode | undefined): Refusal | undefined;
  /** Makes the keeper of a market; `touch` is to be called when it may have something to do. */
  keeper(market: InstrumentMarket, margin: MarginMode | undefined, touch: () => void): WishKeeper;
  now(): number;
}

/** A keeper and the place that its wish is for. */
interface Kept {
  readonly market: InstrumentMarket;
  readonly margin: MarginMode | undefined;
  readonly keeper: WishKeeper;
}

/** The wishes of a strategy: one at a time for each place, which is a symbol on spot or on a margin. */
export class Wishes {
  readonly #host: WishesHost;
  readonly #kept: Kept[] = [];
  /** Those that may have something to do, in the order in which they came to. */
  readonly #touched = new Set<WishKeeper>();

  constructor(host: WishesHost) {
    this.#host = host;
  }

  /** True when a wish may have something to do. */
  get isTouched(): boolean {
    return this.#touched.size > 0;
  }

  /** Takes a wish up once the `cleared` orders have ended, or gives the reason why not. */
  want(wish: Target | Quote, cleared: readonly Order[] = []): Refusal | undefined {
    const market = this.#host.market(wish.symbol);
    if (market === undefined) return unknownSymbol(wish.symbol);
    const refusal =
      (wish.kind === 'quote' ? quoteRefusal(wish) : targetRefusal(wish)) ??
      this.#host.placeRefusal(market, wish.margin);
    if (refusal === undefined) {
      this.#keeper(market, wish.margin).want(wish, this.#host.now(), cleared);
    }
    return refusal;
  }

  /** Ends wishes, of one place or of all; their orders are canceled. */
  end(place?: Placed): void {
    for (const kept of this.#kept) {
      if (place === undefined || isAt(kept, place)) kept.keeper.end(this.#host.now());
    }
  }

  /** Ends all wishes and leaves their orders as they are. */
  abandon(): void {
    for (const { keeper } of this.#kept) keeper.abandon();
    this.#touched.clear();
  }

  marketChanged(market: InstrumentMarket): void {
    for (const kept of this.#kept) {
      if (kept.market === market) kept.keeper.marketChanged(this.#host.now());
    }
  }

  /** An order changed that is kept for a wish. */
  orderChanged(place: Placed): void {
    for (const kept of this.#kept) if (isAt(kept, place)) this.#touched.add(kept.keeper);
  }

  /** The holdings changed, which may have made any wish untrue. */
  holdingsChanged(): void {
    for (const { keeper } of this.#kept) this.#touched.add(keeper);
  }

  /** Does what brings wishes nearer to being true. */
  keep(): void {
    for (const keeper of this.#touched) {
      this.#touched.delete(keeper);
      keeper.keep(this.#host.now());
    }
  }

  #keeper(market: InstrumentMarket, margin: MarginMode | undefined): WishKeeper {
    const known = this.#kept.find((kept) => kept.market === market && kept.margin === margin);
    if (known !== undefined) return known.keeper;
    const keeper: WishKeeper = this.#host.keeper(market, margin, () => this.#touched.add(keeper));
    this.#kept.push({ market, margin, keeper });
    return keeper;
  }
}

const isAt = ({ market, margin }: Kept, place: Placed): boolean =>
  market.instrument.symbol === place.symbol && margin === place.margin;

/** Spot has no shorts, and no more than all of the equity. */
const targetRefusal = ({ hold, margin }: Target): Refusal | undefined =>
  margin === undefined ? spotHoldRefusal(hold) : undefined;

function quoteRefusal({ bid, ask }: Quote): Refusal | undefined {
  if (bid === undefined || ask === undefined || bid.ticks < ask.ticks) return undefined;
  return {
    code: 'price-invalid',
    field: 'bid',
    message: `The quote bids ${bid.ticks} ticks and asks ${ask.ticks}; the bid must be below the ask.`,
    limit: String(ask.ticks),
  };
}

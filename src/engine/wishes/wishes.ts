import type { Instrument } from '../../model/instrument.ts';
import type { Order } from '../../model/order.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Quote, Target } from '../../strategy/commands.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import { unknownSymbol } from '../orders/requested.ts';
import type { WishKeeper } from './keeper.ts';

export interface WishesHost {
  market(symbol: string): InstrumentMarket | undefined;
  /** Makes the keeper of a market; `touch` is to be called when it may have something to do. */
  keeper(market: InstrumentMarket, touch: () => void): WishKeeper;
  now(): number;
}

/** The wishes of a strategy: one at a time for each symbol. */
export class Wishes {
  readonly #host: WishesHost;
  readonly #keepers = new Map<InstrumentMarket, WishKeeper>();
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
    const refusal = wish.kind === 'quote' ? quoteRefusal(wish) : undefined;
    if (refusal === undefined) this.#keeper(market).want(wish, this.#host.now(), cleared);
    return refusal;
  }

  /** Ends wishes, of one symbol or of all; their orders are canceled. */
  end(symbol?: string): void {
    for (const [{ instrument }, keeper] of this.#keepers) {
      if (isOf(instrument, symbol)) keeper.end(this.#host.now());
    }
  }

  /** Ends all wishes and leaves their orders as they are. */
  abandon(): void {
    for (const keeper of this.#keepers.values()) keeper.abandon();
    this.#touched.clear();
  }

  marketChanged(market: InstrumentMarket): void {
    this.#keepers.get(market)?.marketChanged(this.#host.now());
  }

  /** An order changed that is kept for a wish. */
  orderChanged(symbol: string): void {
    for (const [{ instrument }, keeper] of this.#keepers) {
      if (instrument.symbol === symbol) this.#touched.add(keeper);
    }
  }

  /** The holdings changed, which may have made any wish untrue. */
  holdingsChanged(): void {
    for (const keeper of this.#keepers.values()) this.#touched.add(keeper);
  }

  /** Does what brings wishes nearer to being true. */
  keep(): void {
    for (const keeper of this.#touched) {
      this.#touched.delete(keeper);
      keeper.keep(this.#host.now());
    }
  }

  #keeper(market: InstrumentMarket): WishKeeper {
    const known = this.#keepers.get(market);
    if (known !== undefined) return known;
    const keeper: WishKeeper = this.#host.keeper(market, () => this.#touched.add(keeper));
    this.#keepers.set(market, keeper);
    return keeper;
  }
}

const isOf = (instrument: Instrument, symbol: string | undefined): boolean =>
  symbol === undefined || instrument.symbol === symbol;

function quoteRefusal({ bid, ask }: Quote): Refusal | undefined {
  if (bid === undefined || ask === undefined || bid.ticks < ask.ticks) return undefined;
  return {
    code: 'price-invalid',
    field: 'bid',
    message: `The quote bids ${bid.ticks} ticks and asks ${ask.ticks}; the bid must be below the ask.`,
    limit: String(ask.ticks),
  };
}

import type { Instrument } from '../../model/instrument.ts';
import type { Order } from '../../model/order.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Quote, QuoteSide, Target } from '../../strategy/commands.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import { unknownSymbol } from '../orders/requested.ts';
import { priceRefusal, quantityRefusal } from '../../rules/order-shape.ts';
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
    const refusal = wish.kind === 'quote' ? quoteRefusal(wish) : targetRefusal(wish);
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

function targetRefusal({ hold }: Target): Refusal | undefined {
  if ('lots' in hold) {
    if (hold.lots < 0) {
      return outOfRange(
        'lots',
        `${hold.lots} lots; a spot market has no short positions, so a number of lots is 0 or more`,
      );
    }
    if (Number.isSafeInteger(hold.lots)) return undefined;
    return outOfRange('lots', `${hold.lots} lots; a number of lots is at most 2^53 - 1`);
  }
  const { share } = hold;
  if (share >= 0 && share <= 1) return undefined;
  return outOfRange(
    'share',
    share < 0
      ? `a share of ${share}; a spot market has no short positions, so a share of the equity is from 0 to 1`
      : `a share of ${share}; a share of the equity is from 0 to 1, and a number of lots is { lots: ${share} }`,
  );
}

function quoteRefusal({ bid, ask }: Quote): Refusal | undefined {
  const refusal = sideRefusal('bid', bid) ?? sideRefusal('ask', ask);
  if (refusal !== undefined || bid === undefined || ask === undefined) return refusal;
  if (bid.ticks < ask.ticks) return undefined;
  return {
    code: 'price-invalid',
    field: 'bid',
    message: `The quote bids ${bid.ticks} ticks and asks ${ask.ticks}; the bid must be below the ask.`,
    limit: String(ask.ticks),
  };
}

function sideRefusal(name: 'bid' | 'ask', side: QuoteSide | undefined): Refusal | undefined {
  if (side === undefined) return undefined;
  const refusal = quantityRefusal(side.lots) ?? priceRefusal('limit', side.ticks, undefined);
  return refusal && { ...refusal, field: `${name}.${refusal.field ?? ''}` };
}

const outOfRange = (field: string, what: string): Refusal => ({
  code: 'number-out-of-range',
  field,
  message: `The target asks for ${what}.`,
});

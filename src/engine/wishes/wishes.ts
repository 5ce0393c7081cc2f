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

/** A keeper, and whether it stands in the queue of those that may have something to do. */
interface Kept {
  readonly keeper: WishKeeper;
  readonly symbol: string;
  isQueued: boolean;
}

/** The wishes of a strategy: one at a time for each symbol. */
export class Wishes {
  readonly #host: WishesHost;
  readonly #kept = new Map<InstrumentMarket, Kept>();
  readonly #keptOf = new Map<string, Kept>();
  /** Those that may have something to do, in the order in which they came to. */
  readonly #queue: Kept[] = [];

  constructor(host: WishesHost) {
    this.#host = host;
  }

  /** True when a wish may have something to do. */
  get isTouched(): boolean {
    return this.#queue.length > 0;
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
    for (const one of this.#kept.values()) {
      if (symbol === undefined || one.symbol === symbol) one.keeper.end(this.#host.now());
    }
  }

  /** Ends all wishes and leaves their orders as they are. */
  abandon(): void {
    for (const kept of this.#kept.values()) {
      kept.keeper.abandon();
      kept.isQueued = false;
    }
    this.#queue.length = 0;
  }

  marketChanged(market: InstrumentMarket): void {
    this.#kept.get(market)?.keeper.marketChanged(this.#host.now());
  }

  /** An order changed that is kept for a wish. */
  orderChanged(symbol: string): void {
    const kept = this.#keptOf.get(symbol);
    if (kept !== undefined) this.#touch(kept);
  }

  /** The holdings changed, which may have made any wish untrue. */
  holdingsChanged(): void {
    for (const kept of this.#kept.values()) this.#touch(kept);
  }

  /** Does what brings wishes nearer to being true; a wish that is touched meanwhile comes again. */
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

  #keeper(market: InstrumentMarket): WishKeeper {
    const known = this.#kept.get(market);
    if (known !== undefined) return known.keeper;
    const { symbol } = market.instrument;
    const keeper = this.#host.keeper(market, () => this.#touch(kept));
    const kept: Kept = { keeper, symbol, isQueued: false };
    this.#kept.set(market, kept);
    this.#keptOf.set(symbol, kept);
    return keeper;
  }
}

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

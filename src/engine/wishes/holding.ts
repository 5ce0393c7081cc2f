import { Amount, NOTHING } from '../../model/amount.ts';
import { Decimal } from '../../model/decimal.ts';
import type { OrderTerms } from '../../model/order.ts';
import { priceAmount } from '../../model/prices.ts';
import type { AccountStreams } from '../account/account-streams.ts';
import type { MarginAccounts, MarginPlace } from '../account/margin-accounts.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import { affordableLots, sellableLots } from './affordable.ts';

/** What a target keeps at a number of lots: a holding of the spot account, or a position on margin. */
export interface Holding {
  /** Negative for a short. */
  readonly lots: number;
  /** The lots of a share of the equity, toward zero; `undefined` while a price is missing. */
  lotsOf(share: number): number | undefined;
  /** False while what it says is about to change: nothing is ordered by it meanwhile. */
  readonly isKnown: boolean;
  /** The most lots, `wanted` at most, that an order may ask for now. */
  most(side: 'buy' | 'sell', wanted: number): number;
  /** How many lots of a position on margin an order of a side would close. */
  closing(side: 'buy' | 'sell'): number;
  /** What of its means is free, to be told when more of it is. */
  readonly free: Amount;
  /** How an order for so many lots of a side is traded. */
  margin(side: 'buy' | 'sell', lots: number): OrderTerms['margin'];
}

/** What is held of a spot symbol's base currency. */
export class SpotHolding implements Holding {
  readonly #market: InstrumentMarket;
  readonly #account: AccountStreams;

  constructor(market: InstrumentMarket, account: AccountStreams) {
    this.#market = market;
    this.#account = account;
  }

  readonly isKnown = true;

  get lots(): number {
    return this.#account.keeper(this.#market.instrument.symbol).present.lots;
  }

  lotsOf(share: number): number | undefined {
    const { instrument, prices } = this.#market;
    return shareOf(
      share,
      this.#account.worth(instrument.quoteCurrency),
      priceAmount(instrument, prices.valuation),
      instrument.lotAmount,
    );
  }

  most(side: 'buy' | 'sell', wanted: number): number {
    const { holdings } = this.#account;
    return side === 'buy'
      ? affordableLots(this.#market, holdings, wanted)
      : sellableLots(this.#market, holdings, wanted);
  }

  get free(): Amount {
    return this.#account.holdings.available(this.#market.instrument.baseCurrency);
  }

  closing(): number {
    return 0;
  }

  margin(): undefined {
    return undefined;
  }
}

/** A position on margin, long or short. */
export class MarginHolding implements Holding {
  readonly #market: InstrumentMarket;
  readonly #accounts: MarginAccounts;
  readonly #place: MarginPlace;

  constructor(market: InstrumentMarket, accounts: MarginAccounts, place: MarginPlace) {
    this.#market = market;
    this.#accounts = accounts;
    this.#place = place;
  }

  get lots(): number {
    return this.#accounts.lots(this.#place);
  }

  /** The equity is that of the margin account, and leverage has no part in it. */
  lotsOf(share: number): number | undefined {
    const { instrument } = this.#market;
    const equity = this.#accounts.equity(this.#place);
    const price = this.#accounts.markPrice(this.#place);
    return shareOf(
      share,
      equity && Amount.of(equity),
      price && Amount.of(price),
      instrument.lotAmount,
    );
  }

  get isKnown(): boolean {
    return !this.#accounts.isBehind(this.#place);
  }

  /**
   * What closes a position is always there; what opens one is bounded by the free funds. A position that
   * turns around is closed first, which frees what it held for the other side.
   */
  most(side: 'buy' | 'sell', wanted: number): number {
    const closing = this.closing(side);
    if (closing > 0) return Math.min(wanted, closing);
    return this.#accounts.openable(this.#place, wanted);
  }

  get free(): Amount {
    const { available } = this.#accounts.account(this.#place);
    return available.isZero() ? NOTHING : Amount.of(available);
  }

  margin(side: 'buy' | 'sell', lots: number): OrderTerms['margin'] {
    const { mode } = this.#place;
    return lots <= this.closing(side) ? { mode, reduceOnly: true } : { mode };
  }

  /** How many lots an order of a side would close. */
  closing(side: 'buy' | 'sell'): number {
    const { lots } = this;
    return Math.max(0, side === 'sell' ? lots : -lots);
  }
}

/** A share of an equity in lots, toward zero. */
function shareOf(
  share: number,
  equity: Amount | undefined,
  price: Amount | undefined,
  lot: Amount,
): number | undefined {
  if (equity === undefined || price === undefined) return undefined;
  const amount = equity.times(Amount.of(new Decimal(Math.abs(share))));
  const lots = amount.sign <= 0 ? 0 : Number(amount.wholes(lot.times(price)));
  return Math.sign(share) * Math.min(lots, Number.MAX_SAFE_INTEGER) + 0;
}

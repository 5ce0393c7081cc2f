import { Amount, NOTHING } from '../../model/amount.ts';
import { Decimal } from '../../model/decimal.ts';
import type { OrderTerms } from '../../model/order.ts';
import { priceAmount } from '../../model/prices.ts';
import type { AccountStreams } from '../account/account-streams.ts';
import type { StrategyMarginAccounts, MarginMarket } from '../account/margin-accounts.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import { affordableLots, openableLots, sellableLots } from './affordable.ts';

/** A target's share of the equity or value, to be converted once there is a price. */
export type Judged = { readonly share: number } | { readonly notional: Decimal };

/** The holding of a target: a holding of the spot account, or a margin position. */
export interface Holding {
  /** Negative for a short. */
  readonly lots: number;
  /**
   * Lots of a share of the equity or of a value, toward zero; `undefined` while a price is missing.
   */
  lotsOf(hold: Judged): number | undefined;
  /** False while its lots are about to change: no order is sent then. */
  readonly isKnown: boolean;
  /** Most lots, up to `requested`, of an order now. */
  most(side: 'buy' | 'sell', requested: number): number;
  /** How many lots of a margin position an order of a side would close. */
  closing(side: 'buy' | 'sell'): number;
  /** Its free balance, to detect an increase. */
  readonly free: Amount;
  /** Margin terms of an order for these lots of a side. */
  margin(side: 'buy' | 'sell', lots: number): OrderTerms['margin'];
}

/** Holding of a spot symbol's base currency. */
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

  lotsOf(hold: Judged): number | undefined {
    const { instrument, prices } = this.#market;
    return lotsFor(hold, {
      equity: () => this.#account.priceOf(instrument.quoteCurrency),
      price: priceAmount(instrument, prices.valuation),
      lot: instrument.lotAmount,
    });
  }

  most(side: 'buy' | 'sell', requested: number): number {
    const { holdings } = this.#account;
    return side === 'buy'
      ? affordableLots(this.#market, holdings, requested)
      : sellableLots(this.#market, holdings, requested);
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

/** A margin position, long or short. */
export class MarginHolding implements Holding {
  readonly #market: InstrumentMarket;
  readonly #accounts: StrategyMarginAccounts;
  readonly #marginMarket: MarginMarket;

  constructor(
    market: InstrumentMarket,
    accounts: StrategyMarginAccounts,
    marginMarket: MarginMarket,
  ) {
    this.#market = market;
    this.#accounts = accounts;
    this.#marginMarket = marginMarket;
  }

  get lots(): number {
    return this.#accounts.lots(this.#marginMarket);
  }

  /** The equity is that of the margin account, regardless of leverage. */
  lotsOf(hold: Judged): number | undefined {
    const { instrument } = this.#market;
    const equity = this.#accounts.equity(this.#marginMarket);
    const price = this.#accounts.markPrice(this.#marginMarket);
    return lotsFor(hold, {
      equity: () => equity && Amount.of(equity),
      price: price && Amount.of(price),
      lot: instrument.lotAmount,
    });
  }

  get isKnown(): boolean {
    return !this.#accounts.isBehind(this.#marginMarket);
  }

  /**
   * A close is always possible; an opening order is limited by the free funds. A flip first closes
   * the position, which frees its margin for the other side.
   */
  most(side: 'buy' | 'sell', requested: number): number {
    const closing = this.closing(side);
    if (closing > 0) return Math.min(requested, closing);
    return openableLots(this.#market, side, {
      value: this.#accounts.openableValue(this.#marginMarket),
      mark: this.#accounts.markPrice(this.#marginMarket),
      requested,
    });
  }

  get free(): Amount {
    const { available } = this.#accounts.account(this.#marginMarket);
    return available.isZero() ? NOTHING : Amount.of(available);
  }

  margin(side: 'buy' | 'sell', lots: number): OrderTerms['margin'] {
    const { mode } = this.#marginMarket;
    return lots <= this.closing(side) ? { mode, reduceOnly: true } : { mode };
  }

  /** How many lots an order of a side would close. */
  closing(side: 'buy' | 'sell'): number {
    const { lots } = this;
    return Math.max(0, side === 'sell' ? lots : -lots);
  }
}

/** A share of an equity, or a value, in lots, toward zero. */
function lotsFor(
  hold: Judged,
  at: {
    readonly equity: () => Amount | undefined;
    readonly price: Amount | undefined;
    readonly lot: Amount;
  },
): number | undefined {
  const { price, lot } = at;
  if (price === undefined) return undefined;
  const isShort = 'share' in hold ? hold.share < 0 : hold.notional.isNegative();
  const amount =
    'share' in hold
      ? at.equity()?.times(Amount.of(new Decimal(Math.abs(hold.share))))
      : Amount.of(hold.notional.abs());
  if (amount === undefined) return undefined;
  const lots = amount.sign <= 0 ? 0 : Number(amount.floorDivide(lot.times(price)));
  return (isShort ? -1 : 1) * Math.min(lots, Number.MAX_SAFE_INTEGER) + 0;
}

import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { VenuePosition } from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { costShare } from '../../rules/margin/cost-share.ts';
import type { PositionValue } from '../../rules/margin/position-value.ts';
import { quotient, RATE_PLACES } from '../../rules/margin/quotient.ts';
import { NO_PRICE, type FinePrice } from './fine-price.ts';

/** Key of a margin account: a symbol's isolated one, or the cross one of a settlement currency. */
export interface MarginKey {
  readonly trader: number;
  readonly mode: MarginMode;
  /** True for futures, whose funds are in the derivatives ledger. */
  readonly isContract: boolean;
  /** Instrument of an isolated account, currency index of a cross account. */
  readonly subject: number;
}

/** A margin account of a trader: its funds and its positions. */
export class MarginAccount {
  readonly key: MarginKey;
  /** Index of its funds' currency: the quote currency of what it trades. */
  readonly currency: number;
  /** Undefined for a cross account if every symbol has its maximum. */
  leverage: Decimal | undefined;
  /** Funds with the PnL of closed positions, without that of open ones; exact. */
  balance: Decimal = ZERO;
  /** By instrument. */
  readonly positions = new Map<number, Position>();
  readonly createdAt: number;
  updatedAt: number;
  /** True while its effective leverage is at or above the margin call's. */
  isCalled = false;
  /** True for an account of a previous run until the prices of all its positions are known. */
  awaitsPrices = false;

  constructor(key: MarginKey, currency: number, leverage: Decimal | undefined, at: number) {
    this.key = key;
    this.currency = currency;
    this.leverage = leverage;
    this.createdAt = at;
    this.updatedAt = at;
  }
}

/** Lots bought or sold on margin and not closed yet, with their entry value; both exact. */
export class Position {
  /** Issued by the exchange, rising; a flip opens a new position. */
  readonly id: number;
  readonly account: MarginAccount;
  readonly instrument: number;
  readonly terms: Instrument;
  readonly openedAt: number;
  updatedAt: number;
  /** Positive for a long, negative for a short. */
  lots = 0;
  /** Entry value of the open lots in ticks × lots, positive for both sides. */
  cost = 0n;
  /** Largest size so far, in lots. */
  largest = 0;
  #closedLots = 0n;
  /** Exit value of the closed lots, in ticks × lots. */
  #closedCount = 0n;
  /** PnL of closed lots, before fees. */
  realized: Decimal = ZERO;
  fees: Decimal = ZERO;
  /** Funding received less funding and interest paid. */
  carry: Decimal = ZERO;
  /**
   * Margin call and liquidation price in an isolated account: at or below for a long, at or above
   * for a short.
   */
  callAt: FinePrice = NO_PRICE;
  liquidateAt: FinePrice = NO_PRICE;

  constructor(
    id: number,
    account: MarginAccount,
    instrument: number,
    terms: Instrument,
    at: number,
  ) {
    this.id = id;
    this.account = account;
    this.instrument = instrument;
    this.terms = terms;
    this.openedAt = at;
    this.updatedAt = at;
  }

  /**
   * A position restored from a previous run under a new id; `cost` is the entry value of its open
   * lots. Its closed lots and its former largest size are unknown.
   */
  static restored(
    { id, account, instrument, terms }: Pick<Position, 'id' | 'account' | 'instrument' | 'terms'>,
    { lots, realizedPnl, fees, carry, createdAt, updatedAt }: VenuePosition,
    cost: bigint,
  ): Position {
    const position = new Position(id, account, instrument, terms, createdAt);
    position.updatedAt = updatedAt;
    position.lots = lots;
    position.largest = position.size;
    position.cost = cost;
    position.realized = realizedPnl;
    position.fees = fees;
    position.carry = carry;
    return position;
  }

  /** Lots without sign. */
  get size(): number {
    return Math.abs(this.lots);
  }

  /** Entry value, as the formulas take it. */
  get value(): PositionValue {
    const { quantityIncrement, tickValue } = this.terms;
    return {
      quantity: quantityIncrement.times(this.lots),
      value: tickValue.times(this.cost.toString()),
    };
  }

  /** Closed lots at their exit value, as the formulas take it. */
  get closed(): PositionValue {
    const { quantityIncrement, tickValue } = this.terms;
    return {
      quantity: quantityIncrement.times(this.#closedLots.toString()),
      value: tickValue.times(this.#closedCount.toString()),
    };
  }

  /** Entry price to 18 decimals. */
  get entryPrice(): Decimal {
    const { quantity, value } = this.value;
    return quotient(value, quantity.abs(), RATE_PLACES, 'near');
  }

  /** Opens `lots` more; negative for a short. */
  open(lots: number, ticks: number): void {
    this.lots += lots;
    this.largest = Math.max(this.largest, this.size);
    this.cost += BigInt(ticks) * BigInt(Math.abs(lots));
  }

  /**
   * Closes `size` lots and returns the PnL in ticks × lots. They take their share of the cost,
   * rounded half up to a whole tick × lot, so that all shares add up to the cost.
   */
  close(size: number, ticks: number): bigint {
    const share = costShare(this.cost, size, this.size);
    const proceeds = BigInt(ticks) * BigInt(size);
    const result = this.lots > 0 ? proceeds - share : share - proceeds;
    this.cost -= share;
    this.#closedLots += BigInt(size);
    this.#closedCount += proceeds;
    this.lots -= this.lots > 0 ? size : -size;
    return result;
  }
}

/** An amount of ticks × lots in the quote currency. */
export const amountOf = (terms: Instrument, count: bigint): Decimal =>
  new Decimal(count.toString()).times(terms.tickValue);

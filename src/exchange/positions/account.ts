import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { VenuePosition } from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { costShare } from '../../rules/margin/cost-share.ts';
import type { PositionValue } from '../../rules/margin/position-value.ts';
import { quotient, RATE_PLACES } from '../../rules/margin/quotient.ts';
import { NO_PRICE, type FinePrice } from './fine-price.ts';

/** Which account: one symbol's isolated one, or the cross one of a settlement currency. */
export interface MarginKey {
  readonly trader: number;
  readonly mode: MarginMode;
  /** True for futures, whose funds are in the derivatives ledger. */
  readonly isContract: boolean;
  /** Of an isolated account its instrument, of a cross account the index of its currency. */
  readonly subject: number;
}

/** A margin account of a trader: funds of its own, and the positions that they bear. */
export class MarginAccount {
  readonly key: MarginKey;
  /** Index of the currency that its funds are in: the quote currency of what it trades. */
  readonly currency: number;
  /** Of a cross account undefined where every symbol has the most that it allows. */
  leverage: Decimal | undefined;
  /** Funds, results of closed positions included and of open ones not; exact. */
  balance: Decimal = ZERO;
  /** By instrument. */
  readonly positions = new Map<number, Position>();
  readonly createdAt: number;
  updatedAt: number;
  /** True while its effective leverage is at or above the margin call's. */
  isCalled = false;
  /** True for one of a previous run until prices of all of its positions are known, by which it is judged. */
  awaitsPrices = false;

  constructor(key: MarginKey, currency: number, leverage: Decimal | undefined, at: number) {
    this.key = key;
    this.currency = currency;
    this.leverage = leverage;
    this.createdAt = at;
    this.updatedAt = at;
  }
}

/** Lots bought or sold on margin and not closed yet, with what they cost; both exact. */
export class Position {
  /** Given by the exchange, rising; a flip opens a new one. */
  readonly id: number;
  readonly account: MarginAccount;
  readonly instrument: number;
  readonly terms: Instrument;
  readonly openedAt: number;
  updatedAt: number;
  /** Positive for a long, negative for a short. */
  lots = 0;
  /** What the open lots cost or brought, in ticks × lots, positive either way. */
  cost = 0n;
  /** The most lots that it had. */
  largest = 0;
  #closedLots = 0n;
  /** What its closed lots brought or cost, in ticks × lots. */
  #closedCount = 0n;
  /** Results of closed lots, before fees. */
  realised: Decimal = ZERO;
  fees: Decimal = ZERO;
  /** Funding received less funding and interest paid. */
  carry: Decimal = ZERO;
  /**
   * Of an isolated account: the prices at which the margin call and the liquidation come, at or below
   * for a long and at or above for a short.
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
   * A position of a previous run with another number: `cost` is what its open lots cost. What it had closed
   * is not known any more, and of its sizes the present one.
   */
  static resumed(
    { id, account, instrument, terms }: Pick<Position, 'id' | 'account' | 'instrument' | 'terms'>,
    { lots, realizedPnl, fees, carry, createdAt, updatedAt }: VenuePosition,
    cost: bigint,
  ): Position {
    const position = new Position(id, account, instrument, terms, createdAt);
    position.updatedAt = updatedAt;
    position.lots = lots;
    position.largest = position.size;
    position.cost = cost;
    position.realised = realizedPnl;
    position.fees = fees;
    position.carry = carry;
    return position;
  }

  /** Lots without their sign. */
  get size(): number {
    return Math.abs(this.lots);
  }

  /** As the formulas see it. */
  get value(): PositionValue {
    const { quantityIncrement, quantum } = this.terms;
    return {
      quantity: quantityIncrement.times(this.lots),
      value: quantum.times(this.cost.toString()),
    };
  }

  /** What of it is closed, at the prices at which it was, as the formulas see it. */
  get closed(): PositionValue {
    const { quantityIncrement, quantum } = this.terms;
    return {
      quantity: quantityIncrement.times(this.#closedLots.toString()),
      value: quantum.times(this.#closedCount.toString()),
    };
  }

  /** The exact entry price to 18 decimals: what its lots cost each. */
  get entryPrice(): Decimal {
    const { quantity, value } = this.value;
    return quotient(value, quantity.abs(), RATE_PLACES, 'near');
  }

  /** Opens so many lots more; negative ones of a short. */
  open(lots: number, ticks: number): void {
    this.lots += lots;
    this.largest = Math.max(this.largest, this.size);
    this.cost += BigInt(ticks) * BigInt(Math.abs(lots));
  }

  /**
   * Closes so many of its lots and gives the result in ticks × lots. They take their share of the
   * cost with them, rounded half up to a whole tick × lot, so that all shares add up to the cost.
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
  new Decimal(count.toString()).times(terms.quantum);

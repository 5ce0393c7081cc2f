import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Position } from './position.ts';

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
  /** True from the moment when it was found beyond the limit until it is safe again. */
  isLiquidating = false;

  constructor(key: MarginKey, currency: number, leverage: Decimal | undefined, at: number) {
    this.key = key;
    this.currency = currency;
    this.leverage = leverage;
    this.createdAt = at;
    this.updatedAt = at;
  }
}

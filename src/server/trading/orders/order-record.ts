import type { OrderMarket } from '../../../exchange/positions/flags.ts';
import type { Decimal } from '../../../model/decimal.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { MarginMode } from '../../../model/margin-terms.ts';
import type { Side, VenueOrder } from '../../../model/order.ts';
import type { Lots, Ticks } from '../../../model/units.ts';
import type { Micros } from '../../../platform/time.ts';

/** All members are present, undefined if they may be absent. */
type Whole<T> = { readonly [K in keyof Required<T>]: T[K] };

/** State of an order at one moment. */
export interface OrderRecord extends Whole<VenueOrder> {
  readonly account: number;
  readonly instrument: Instrument;
  readonly market: OrderMarket;
  /** Ticks times lots of all its trades together, those of orders that it replaced among them. */
  readonly filledValue: bigint;
  /** How it is traded on margin; undefined for a spot order. */
  readonly margin: OrderMarginRecord | undefined;
}

export interface OrderMarginRecord {
  readonly mode: MarginMode;
  readonly reduceOnly: boolean;
  readonly closePosition: boolean;
  /** The position of its latest trade; absent before the first. */
  readonly positionId?: number;
}

/** A trade of an order of an account. */
export interface TradeRecord {
  readonly id: number;
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly account: number;
  readonly instrument: Instrument;
  readonly market: OrderMarket;
  readonly side: Side;
  readonly ticks: Ticks;
  readonly lots: Lots;
  /** In the fee currency; negative for a rebate. */
  readonly fee: Decimal;
  readonly taker: boolean;
  readonly at: Micros;
  readonly margin: TradeMarginRecord | undefined;
}

/** Effect of a trade on a position. */
export interface TradeMarginRecord {
  readonly mode: MarginMode;
  /** The position that its result and its fee count to. */
  readonly positionId: number;
  /** The position that it opened by flipping that one. */
  readonly turnedId?: number;
  /** Of what it closed, before fees, in the quote currency. */
  readonly pnl: Decimal;
  /** The fee for a liquidation included. */
  readonly fee: Decimal;
  readonly liquidation: boolean;
}

/** An event of an order, and its state after it. */
export interface OrderReport {
  readonly kind: 'new' | 'suspended' | 'trade' | 'canceled' | 'expired' | 'replaced' | 'status';
  readonly at: Micros;
  readonly order: OrderRecord;
  /** Of kind `trade`. */
  readonly trade?: TradeRecord;
}

import type { Decimal } from '../../../model/decimal.ts';
import { fee } from '../../../rules/funds.ts';
import type { OrderRecord, TradeMarginRecord, TradeRecord } from './order-record.ts';

/** A trade of an order, as reported. */
interface Fill {
  readonly id: number;
  readonly ticks: TradeRecord['ticks'];
  readonly lots: TradeRecord['lots'];
  readonly taker: boolean;
  readonly at: TradeRecord['at'];
  /** The rate that it pays, by which its fee is reckoned. */
  readonly rate: Decimal;
  readonly margin: TradeMarginRecord | undefined;
}

/**
 * A trade as the history stores it. Its fee is computed on request, as few trades are shown more than once
 * and many never.
 */
export class OwnTrade implements TradeRecord {
  readonly id: number;
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly account: number;
  readonly instrument: TradeRecord['instrument'];
  readonly market: TradeRecord['market'];
  readonly side: TradeRecord['side'];
  readonly ticks: TradeRecord['ticks'];
  readonly lots: TradeRecord['lots'];
  readonly taker: boolean;
  readonly at: TradeRecord['at'];
  readonly margin: TradeMarginRecord | undefined;
  readonly #rate: Decimal;

  constructor(order: OrderRecord, fill: Fill) {
    this.id = fill.id;
    this.orderId = order.id;
    this.clientOrderId = order.clientOrderId;
    this.account = order.account;
    this.instrument = order.instrument;
    this.market = order.market;
    this.side = order.side;
    this.ticks = fill.ticks;
    this.lots = fill.lots;
    this.taker = fill.taker;
    this.at = fill.at;
    this.margin = fill.margin;
    this.#rate = fill.rate;
  }

  get fee(): Decimal {
    return this.margin?.fee ?? fee(this.instrument, this.ticks, this.lots, this.#rate);
  }
}

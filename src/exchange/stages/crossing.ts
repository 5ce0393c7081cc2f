import type { Settlement } from './settle.ts';
import type { FeeSchedule } from '../ledger/fee-schedule.ts';
import type { ExchangeListener } from '../state/listener.ts';
import type { Orders } from '../orders/orders.ts';
import { FIELD } from '../orders/record.ts';
import type { OrderIndex } from '../orders/order-index.ts';
import type { StopBook } from '../book/stop-book.ts';
import { BUY as BUY_SIDE, SELL as SELL_SIDE } from '../orders/side.ts';
import type { BookSide } from '../book/book.ts';
import type { Trades } from '../state/trades.ts';

/** Constants of this file become part of the code that V8 makes; those of others are read each time. */
const BUY = BUY_SIDE;
const SELL = SELL_SIDE;
const { LEFT, TICKS, ACCOUNT, TARIFF } = FIELD;

/**
 * The short way of an incoming spot order through the orders that rest, where nothing else can come
 * into it: no tape, no lists, nobody who may not trade with himself. Most takers have it so, and it
 * is what the slowest operations consist of. It tells what `Matching` would, in the same order, and
 * settles the taker when it ends.
 */
export class Crossing {
  declare private readonly orders: Orders;
  declare private readonly tariffs: readonly FeeSchedule[];
  declare private readonly register: OrderIndex;
  declare private readonly settlement: Settlement;
  declare private readonly triggers: StopBook;
  declare private readonly listener: ExchangeListener;
  declare private readonly trades: Trades;

  constructor(setup: {
    readonly orders: Orders;
    readonly tariffs: readonly FeeSchedule[];
    readonly register: OrderIndex;
    readonly settlement: Settlement;
    readonly triggers: StopBook;
    readonly listener: ExchangeListener;
    readonly trades: Trades;
  }) {
    this.orders = setup.orders;
    this.tariffs = setup.tariffs;
    this.register = setup.register;
    this.settlement = setup.settlement;
    this.triggers = setup.triggers;
    this.listener = setup.listener;
    this.trades = setup.trades;
  }

  /**
   * Executes an order of an instrument against what rests in `book` at a key of `reach` or better; it
   * ends before a margin order, and before a sum that is no exact number.
   */
  cross(taker: number, instrument: number, book: BookSide, reach: number, now: number): void {
    const { orders, trades, settlement, listener } = this;
    const takes = book.sign > 0 ? SELL : BUY;
    const wanted = orders.left(taker);
    let left = wanted;
    let value = 0;
    // Most makers pay by one tariff, and what they owe the house is paid for all at once.
    const usual = this.tariffs[instrument];
    let otherValue = 0;
    let otherLots = 0;
    while (left > 0 && book.bestKey >= reach) {
      const { doubles, integers } = orders;
      const maker = book.head(book.best());
      const room = doubles[(maker << 4) | LEFT];
      const ticks = doubles[(maker << 4) | TICKS];
      const lots = left < room ? left : room;
      const sum = value + ticks * lots;
      if (orders.margin(maker) !== 0 || sum > Number.MAX_SAFE_INTEGER) break;
      trades.count += 1;
      orders.setLeft(maker, room - lots, now);
      const account = integers[(maker << 5) | ACCOUNT];
      const number = integers[(maker << 5) | TARIFF];
      const tariff = number === instrument ? usual : this.tariffs[number];
      if (takes === SELL) settlement.makerBuys(account, tariff, ticks, lots);
      else settlement.makerSells(account, tariff, ticks, lots);
      if (tariff !== usual) {
        settlement.makersOwe(tariff, ticks, lots, lots);
        otherValue += ticks * lots;
        otherLots += lots;
      }
      listener.fill(maker, trades.count, ticks, lots, false);
      book.shrinkFirst(maker, lots, lots === room);
      // Its balances are noted with the first trade, and change when all are settled at once.
      if (value === 0) settlement.noteTaker(taker);
      left -= lots;
      value = sum;
      orders.setLeft(taker, left, now);
      listener.fill(taker, trades.count, ticks, lots, true);
      trades.publish(instrument, ticks, lots, takes, now);
      if (lots === room) this.register.retire(maker);
      this.triggers.traded(instrument, ticks);
    }
    const taken = wanted - left;
    if (taken === 0) return;
    settlement.makersOwe(usual, value - otherValue, 1, taken - otherLots);
    settlement.payTaker(taker, value, taken);
  }
}

import type { OrderMarket } from '../../../../exchange/positions/flags.ts';
import type { Trader } from '../../orders/actions.ts';
import type { TradingService } from '../../service.ts';
import { OrderFeed } from '../order-feed.ts';
import type { Desk, Seat } from '../part.ts';
import { BalanceFeed } from './balance-feed.ts';
import { v3Voice } from './voice.ts';

/** What one trading socket follows for the account that has logged in on it. */
export class TradingDesk implements Desk {
  readonly seat: Seat;
  readonly service: TradingService;
  readonly orders: OrderFeed;
  readonly spotBalances: BalanceFeed;
  readonly futuresBalances: BalanceFeed;
  /** The account as a trader of each market. */
  readonly trader: Readonly<Record<OrderMarket, Trader>>;

  constructor(seat: Seat) {
    this.seat = seat;
    this.service = seat.service;
    this.orders = new OrderFeed(seat, v3Voice);
    this.trader = this.orders.trader;
    this.spotBalances = new BalanceFeed(seat, 'spot');
    this.futuresBalances = new BalanceFeed(seat, 'futures');
  }

  close(): void {
    this.orders.stop();
    this.spotBalances.stop();
    this.futuresBalances.stop();
  }
}

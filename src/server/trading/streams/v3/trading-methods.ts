import type { OrderMarket } from '../../../../exchange/positions/flags.ts';
import type { RequestContext } from '../../orders/actions.ts';
import type { TradingService } from '../../service.ts';
import { OrderFeed } from '../order-feed.ts';
import type { SessionMethods, ClientSession } from '../part.ts';
import { BalanceFeed } from './balance-feed.ts';
import { v3Listener } from './order-listener.ts';

/** Subscriptions of one trading socket. */
export class TradingMethodsV3 implements SessionMethods {
  readonly session: ClientSession;
  readonly service: TradingService;
  readonly orders: OrderFeed;
  readonly spotBalances: BalanceFeed;
  readonly futuresBalances: BalanceFeed;
  /** The account as a trader of each market. */
  readonly trader: Readonly<Record<OrderMarket, RequestContext>>;

  constructor(session: ClientSession) {
    this.session = session;
    this.service = session.service;
    this.orders = new OrderFeed(session, v3Listener);
    this.trader = this.orders.trader;
    this.spotBalances = new BalanceFeed(session, 'spot');
    this.futuresBalances = new BalanceFeed(session, 'futures');
  }

  close(): void {
    this.orders.stop();
    this.spotBalances.stop();
    this.futuresBalances.stop();
  }
}

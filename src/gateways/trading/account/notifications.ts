import type { Balance } from '../../../strategy/context.ts';
import type { Micros } from '../../../platform/time.ts';
import type { TRADING_NOTIFICATIONS } from '../../../wire/trading/v3/streams/trading.ts';
import type { Notified } from '../socket/rpc-socket.ts';
import type { Notice, WireAccountReport } from './margin/book.ts';
import type { MarginMarket, AccountMarketApi } from './market.ts';
import type { WireReport } from './records.ts';

/** Notifications of the trading socket. */
export type Notification = Notified<typeof TRADING_NOTIFICATIONS>;

/** An account's handlers. */
export interface NotificationHandlers {
  report(given: WireReport, market: AccountMarketApi): void;
  balances(balances: readonly Balance[], at: Micros): void;
  derivatives(
    balances: Extract<Notification, ['futures_balance', ...unknown[]]>[1],
    at: Micros,
  ): void;
  /** All active orders of a market, at the beginning of a connection. */
  orders(orders: readonly WireReport[], market: MarginMarket): void;
  /** All accounts of a market, at the beginning of a connection. */
  accounts(accounts: readonly WireAccountReport[], market: MarginMarket, at: Micros): void;
  account(notice: Notice, market: MarginMarket): void;
}

/** Passes a notification to its handler. Active spot orders have none. */
export function handle([method, params, at]: Notification, to: NotificationHandlers): void {
  switch (method) {
    case 'spot_order':
      to.report(params, 'spot');
      return;
    case 'margin_order':
      to.report(params, 'margin');
      return;
    case 'futures_order':
      to.report(params, 'futures');
      return;
    case 'spot_balance':
      to.balances(params, at);
      return;
    case 'margin_orders':
      to.orders(params, 'margin');
      return;
    case 'futures_orders':
      to.orders(params, 'futures');
      return;
    case 'margin_accounts':
      to.accounts(params, 'margin', at);
      return;
    case 'futures_accounts':
      to.accounts(params, 'futures', at);
      return;
    case 'margin_account':
      to.account(params, 'margin');
      return;
    case 'futures_account':
      to.account(params, 'futures');
      return;
    case 'futures_balance':
      to.derivatives(params, at);
      return;
    case 'spot_orders':
  }
}

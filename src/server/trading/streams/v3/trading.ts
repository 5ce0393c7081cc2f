import { TRADING_METHODS } from '../../../../wire/trading/v3/streams/trading.ts';
import { part } from '../part.ts';
import { balanceMethods } from './balance-methods.ts';
import { orderMethods } from './order-methods.ts';
import { TradingDesk } from './trading-desk.ts';

const {
  margin_get_accounts: _1,
  margin_set_account: _2,
  margin_close_position: _3,
  futures_get_accounts: _4,
  futures_set_account: _5,
  futures_close_position: _6,
  ...methods
} = TRADING_METHODS;

/** The trading socket of version 3. */
export const v3Trading = part({
  methods,
  handlers: {
    ...orderMethods('spot'),
    ...balanceMethods('spot'),
    ...orderMethods('margin'),
    ...orderMethods('futures'),
    ...balanceMethods('futures'),
  },
  Desk: TradingDesk,
});

import { TRADING_METHODS } from '../../../../wire/trading/v3/streams/trading.ts';
import { part } from '../part.ts';
import { accountMethods } from './account-methods.ts';
import { balanceMethods } from './balance-methods.ts';
import { orderMethods } from './order-methods.ts';
import { TradingMethodsV3 } from './trading-methods.ts';

/** The trading socket of version 3. */
export const v3Trading = part({
  methods: TRADING_METHODS,
  handlers: {
    ...orderMethods('spot'),
    ...balanceMethods('spot'),
    ...orderMethods('margin'),
    ...accountMethods('margin'),
    ...orderMethods('futures'),
    ...accountMethods('futures'),
    ...balanceMethods('futures'),
  },
  Handler: TradingMethodsV3,
});

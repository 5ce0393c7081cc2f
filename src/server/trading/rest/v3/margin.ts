import type { marginCalls } from '../../../../wire/trading/v3/calls/margin.ts';
import type { RestHandlers } from '../handler.ts';
import { accountHandlers } from './margin-accounts.ts';
import { getClearingHistory, getConfig, getPositionHistory } from './margin-histories.ts';
import { settingHandlers } from './margin-settings.ts';
import { orderHandlers } from './orders.ts';

const orders = orderHandlers('margin');
const accounts = accountHandlers('margin');

/** Handlers of the margin calls. */
export const marginHandlers: RestHandlers<typeof marginCalls> = {
  getMarginOrders: orders.getOrders,
  getMarginOrder: orders.getOrder,
  createMarginOrder: orders.createOrder,
  createMarginOrderList: orders.createOrderList,
  replaceMarginOrder: orders.replaceOrder,
  cancelMarginOrders: orders.cancelOrders,
  cancelMarginOrder: orders.cancelOrder,
  getMarginAccounts: accounts.getAccounts,
  getIsolatedMarginAccount: accounts.getIsolatedAccount,
  getCrossMarginAccount: accounts.getCrossAccount,
  setIsolatedMarginAccount: accounts.setIsolatedAccount,
  setCrossMarginAccount: accounts.setCrossAccount,
  closeMarginPositions: accounts.closePositions,
  closeIsolatedMarginPosition: accounts.closePosition('isolated'),
  closeCrossMarginPosition: accounts.closePosition('cross'),
  getMarginConfig: getConfig('margin'),
  getMarginOrderHistory: orders.getOrderHistory,
  getMarginTradeHistory: orders.getTradeHistory,
  getMarginPositionHistory: getPositionHistory('margin'),
  getMarginClearingHistory: getClearingHistory('margin'),
  ...settingHandlers,
};

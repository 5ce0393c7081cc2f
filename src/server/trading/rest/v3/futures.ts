import type { futuresCalls } from '../../../../wire/trading/v3/calls/futures.ts';
import { balanceOf, balanceViews } from '../../views/v3/balance.ts';
import { answer, type RestHandlers } from '../handler.ts';
import { accountHandlers } from './margin.ts';
import { orderHandlers } from './orders.ts';

const orders = orderHandlers('futures');
const accounts = accountHandlers('futures');
const closing = {
  isolated: accounts.closePosition('isolated'),
  cross: accounts.closePosition('cross'),
} as const;

/** Handlers of the futures calls. */
export const futuresHandlers: RestHandlers<typeof futuresCalls> = {
  getFuturesOrders: orders.getOrders,
  getFuturesOrder: orders.getOrder,
  createFuturesOrder: orders.createOrder,
  createFuturesOrderList: orders.createOrderList,
  replaceFuturesOrder: orders.replaceOrder,
  cancelFuturesOrders: orders.cancelOrders,
  cancelFuturesOrder: orders.cancelOrder,

  getFuturesBalances: (service, { account }) =>
    answer(service.act(({ derivatives }) => balanceViews(derivatives, account))),

  getFuturesBalance: (service, { account, path }) =>
    service.act(({ derivatives }) => balanceOf(derivatives, account, path.currency)),

  getFuturesAccounts: accounts.getAccounts,
  getIsolatedFuturesAccount: accounts.getIsolatedAccount,
  getCrossFuturesAccount: accounts.getCrossAccount,
  setIsolatedFuturesAccount: accounts.setIsolatedAccount,
  setCrossFuturesAccount: accounts.setCrossAccount,
  closeFuturesPositions: accounts.closePositions,

  // The wire takes no other word for the mode.
  closeFuturesPosition: (service, request) =>
    closing[request.path.margin_mode === 'cross' ? 'cross' : 'isolated'](service, request),

  getFuturesConfig: accounts.getConfig,
  getFuturesFees: orders.getFees,
  getFuturesFee: orders.getFee,
  getFuturesOrderHistory: orders.getOrderHistory,
  getFuturesTradeHistory: orders.getTradeHistory,
  getFuturesPositionHistory: accounts.getPositionHistory,
  getFuturesClearingHistory: accounts.getClearingHistory,
};

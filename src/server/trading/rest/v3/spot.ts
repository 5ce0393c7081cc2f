import type { spotCalls } from '../../../../wire/trading/v3/calls/spot.ts';
import { balanceOf, balanceViews } from '../../views/v3/balance.ts';
import { answer, type RestHandlers } from '../handler.ts';
import { orderHandlers } from './orders.ts';

const orders = orderHandlers('spot');

/** Handlers of the spot trading calls. */
export const spotHandlers: RestHandlers<typeof spotCalls> = {
  getSpotBalances: (service, { account }) =>
    answer(service.act(({ ledger }) => balanceViews(ledger, account))),

  getSpotBalance: (service, { account, path }) =>
    service.act(({ ledger }) => balanceOf(ledger, account, path.currency)),

  getSpotOrders: orders.getOrders,
  getSpotOrder: orders.getOrder,
  createSpotOrder: orders.createOrder,
  createSpotOrderList: orders.createOrderList,
  replaceSpotOrder: orders.replaceOrder,
  cancelSpotOrders: orders.cancelOrders,
  cancelSpotOrder: orders.cancelOrder,
  getSpotFees: orders.getFees,
  getSpotFee: orders.getFee,
  getSpotOrderHistory: orders.getOrderHistory,
  getSpotTradeHistory: orders.getTradeHistory,
};

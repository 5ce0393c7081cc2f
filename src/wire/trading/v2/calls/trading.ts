import { z } from 'zod';
import { del, get, patch, post, put } from '../../call.ts';
import {
  choice,
  code,
  flag,
  numeric,
  optional,
  withDefault,
  text,
  unsigned,
  whole,
} from '../../fields.ts';
import { limit, offset, paged, sort, timeBounds } from '../../paging.ts';
import * as trading from '../records/trading.ts';
import * as params from './order-params.ts';

const orders = z.array(trading.order);
const trades = z.array(trading.trade);
const codes = params.ORDER_CODES;

const WAIT_MS_MAX = 60_000;

/** The order calls, once for spot and, below `/margin`, for margin. */
const orderCalls = {
  getOrders: get('/order', {
    access: 'read',
    summary: 'Active orders',
    params: params.ofOneSymbol,
    response: orders,
  }),
  getOrder: get('/order/{clientOrderId}', {
    access: 'read',
    summary: 'An active order; with wait, as soon as it ends or the time is over',
    params: z.object({ wait: optional(whole({ max: WAIT_MS_MAX })) }),
    response: trading.order,
  }),
  createOrder: post('/order', {
    access: 'trade',
    summary: 'Place an order',
    params: params.newOrder,
    response: trading.order,
    codes,
  }),
  createOrderAtId: put('/order/{clientOrderId}', {
    access: 'trade',
    summary: 'Place an order of that id',
    params: params.newOrderAtId,
    response: trading.order,
    codes,
  }),
  replaceOrder: patch('/order/{clientOrderId}', {
    access: 'trade',
    summary: 'Replace an order',
    params: params.replacement,
    response: trading.order,
    codes,
  }),
  cancelOrders: del('/order', {
    access: 'trade',
    summary: 'Cancel all orders, or those of a symbol',
    params: params.ofOneSymbol,
    response: orders,
  }),
  cancelOrder: del('/order/{clientOrderId}', {
    access: 'trade',
    summary: 'Cancel an order',
    response: trading.order,
  }),
} as const;

const historyCalls = {
  getTradingBalances: get('/trading/balance', {
    access: 'read',
    summary: 'Trading balances',
    response: z.array(trading.balance),
  }),
  getFee: get('/trading/fee/{symbol}', {
    access: 'read',
    summary: 'Fee rates of the account for a symbol',
    response: trading.fee,
  }),
  getOrderHistory: get('/history/order', {
    access: 'read',
    summary: 'Orders, active ones included',
    params: z.object({
      symbol: optional(code),
      clientOrderId: optional(text),
      ...timeBounds,
      limit: limit(100, 0),
      offset,
    }),
    overriding: 'clientOrderId',
    response: orders,
  }),
  getTradeHistory: get('/history/trades', {
    access: 'read',
    summary: 'Own trades',
    params: paged(['timestamp', 'id'], 'id', {
      symbol: optional(code),
      sort: sort('DESC'),
      limit: limit(100, 0),
      offset,
      margin: withDefault(choice(['include', 'only', 'ignore']), 'include'),
    }),
    response: trades,
  }),
  getTradesOfOrder: get('/history/order/{orderId}/trades', {
    access: 'read',
    summary: 'Trades of an order',
    response: trades,
  }),
} as const;

/** How much of the funds an isolated account binds; 0 closes it. */
export const setMarginAccount = z.object({
  marginBalance: unsigned,
  strictValidate: withDefault(flag, false),
});

/** Price at which a position is closed; at market without one. */
export const closing = z.object({
  price: optional(numeric),
  strictValidate: withDefault(flag, false),
});

const accountCalls = {
  getMarginAccounts: get('/margin/account', {
    access: 'read',
    summary: 'Margin accounts',
    response: z.array(trading.marginAccount),
  }),
  getMarginAccount: get('/margin/account/{symbol}', {
    access: 'read',
    summary: 'The margin account of a symbol',
    response: trading.marginAccount,
  }),
  setMarginAccount: put('/margin/account/{symbol}', {
    access: 'trade',
    summary: 'Set what a margin account binds',
    params: setMarginAccount,
    response: trading.marginAccount,
  }),
  closeMarginAccounts: del('/margin/account', {
    access: 'trade',
    summary: 'Close all margin accounts',
    response: z.array(trading.marginAccount),
  }),
  closeMarginAccount: del('/margin/account/{symbol}', {
    access: 'trade',
    summary: 'Close the margin account of a symbol',
    response: trading.marginAccount,
  }),
  getPositions: get('/margin/position', {
    access: 'read',
    summary: 'Positions',
    response: z.array(trading.position),
  }),
  getPosition: get('/margin/position/{symbol}', {
    access: 'read',
    summary: 'The position of a symbol',
    response: trading.position,
  }),
  closePositions: del('/margin/position', {
    access: 'trade',
    summary: 'Close all positions',
    response: z.array(trading.position),
  }),
  closePosition: del('/margin/position/{symbol}', {
    access: 'trade',
    summary: 'Close the position of a symbol',
    params: closing,
    response: trading.position,
    codes,
  }),
} as const;

/** The calls for orders below `/margin`. */
const marginOrderCalls = {
  getMarginOrders: { ...orderCalls.getOrders, path: '/margin/order' },
  getMarginOrder: { ...orderCalls.getOrder, path: '/margin/order/{clientOrderId}' },
  createMarginOrder: { ...orderCalls.createOrder, path: '/margin/order' },
  createMarginOrderAtId: { ...orderCalls.createOrderAtId, path: '/margin/order/{clientOrderId}' },
  replaceMarginOrder: { ...orderCalls.replaceOrder, path: '/margin/order/{clientOrderId}' },
  cancelMarginOrders: { ...orderCalls.cancelOrders, path: '/margin/order' },
  cancelMarginOrder: { ...orderCalls.cancelOrder, path: '/margin/order/{clientOrderId}' },
} as const;

/** Orders, trades, balances and margin. */
export const tradingCalls = {
  ...orderCalls,
  ...historyCalls,
  ...accountCalls,
  ...marginOrderCalls,
} as const;

import { z } from 'zod';
import { del, get, patch, post } from '../../call.ts';
import { balance, balanceOfCurrency, fee, feeOfSymbol } from '../records/balance.ts';
import { order, trade } from '../records/order.ts';
import * as params from './order-params.ts';

const orders = z.array(order);
const codes = params.ORDER_CODES;

/** Trading on the spot market. */
export const spotCalls = {
  getSpotBalances: get('/spot/balance', {
    access: 'read',
    summary: 'Trading balances',
    response: z.array(balance),
  }),
  getSpotBalance: get('/spot/balance/{currency}', {
    access: 'read',
    summary: 'The trading balance of a currency',
    response: balanceOfCurrency,
  }),
  getSpotOrders: get('/spot/order', {
    access: 'read',
    summary: 'Active orders, suspended ones included',
    params: params.ofOneSymbol,
    response: orders,
  }),
  getSpotOrder: get('/spot/order/{client_order_id}', {
    access: 'read',
    summary: 'An active order',
    response: order,
  }),
  createSpotOrder: post('/spot/order', {
    access: 'trade',
    summary: 'Place an order',
    params: params.newOrder,
    response: order,
    codes,
  }),
  createSpotOrderList: post('/spot/order/list', {
    access: 'trade',
    summary: 'Place orders that depend on each other',
    params: params.newOrderList,
    response: orders,
    codes,
  }),
  replaceSpotOrder: patch('/spot/order/{client_order_id}', {
    access: 'trade',
    summary: 'Replace an order',
    params: params.replacement,
    response: order,
    codes,
  }),
  cancelSpotOrders: del('/spot/order', {
    access: 'trade',
    summary: 'Cancel all orders, or those of a symbol',
    params: params.ofOneSymbol,
    response: orders,
  }),
  cancelSpotOrder: del('/spot/order/{client_order_id}', {
    access: 'trade',
    summary: 'Cancel an order',
    response: order,
  }),
  getSpotFees: get('/spot/fee', {
    access: 'read',
    summary: 'Fee rates of the account',
    response: z.array(fee),
  }),
  getSpotFee: get('/spot/fee/{symbol}', {
    access: 'read',
    summary: 'Fee rates of the account for a symbol',
    response: feeOfSymbol,
  }),
  getSpotOrderHistory: get('/spot/history/order', {
    access: 'read',
    summary: 'Orders, active ones included',
    params: params.orderHistory('timestamp'),
    overriding: 'client_order_id',
    response: orders,
  }),
  getSpotTradeHistory: get('/spot/history/trade', {
    access: 'read',
    summary: 'Own trades',
    params: params.tradeHistory('timestamp'),
    response: z.array(trade),
  }),
} as const;

import { z } from 'zod';
import { del, get, patch, post, put } from '../../call.ts';
import { unsigned } from '../../fields.ts';
import { balance, balanceOfCurrency, fee, feeOfSymbol } from '../records/balance.ts';
import * as margin from '../records/margin.ts';
import { marginOrder, marginTrade } from '../records/order.ts';
import { closing, setMarginAccount } from './margin.ts';
import * as params from './order-params.ts';

const orders = z.array(marginOrder);
const codes = params.ORDER_CODES;

const orderCalls = {
  getFuturesOrders: get('/futures/order', {
    access: 'read',
    summary: 'Active futures orders',
    params: params.ofOneSymbol,
    response: orders,
  }),
  getFuturesOrder: get('/futures/order/{client_order_id}', {
    access: 'read',
    summary: 'An active futures order',
    response: marginOrder,
  }),
  createFuturesOrder: post('/futures/order', {
    access: 'trade',
    summary: 'Place a futures order',
    params: params.newMarginOrder,
    response: marginOrder,
    codes,
  }),
  createFuturesOrderList: post('/futures/order/list', {
    access: 'trade',
    summary: 'Place futures orders that depend on each other',
    params: params.newMarginOrderList,
    response: orders,
    codes,
  }),
  replaceFuturesOrder: patch('/futures/order/{client_order_id}', {
    access: 'trade',
    summary: 'Replace a futures order',
    params: params.replacement,
    response: marginOrder,
    codes,
  }),
  cancelFuturesOrders: del('/futures/order', {
    access: 'trade',
    summary: 'Cancel all futures orders, or those of a symbol',
    params: params.ofOneSymbol,
    response: orders,
  }),
  cancelFuturesOrder: del('/futures/order/{client_order_id}', {
    access: 'trade',
    summary: 'Cancel a futures order',
    response: marginOrder,
  }),
} as const;

const accountCalls = {
  getFuturesBalances: get('/futures/balance', {
    access: 'read',
    summary: 'Balances for futures',
    response: z.array(balance),
  }),
  getFuturesBalance: get('/futures/balance/{currency}', {
    access: 'read',
    summary: 'The balance of a currency for futures',
    response: balanceOfCurrency,
  }),
  getFuturesAccounts: get('/futures/account', {
    access: 'read',
    summary: 'Futures accounts and their positions',
    response: z.array(margin.marginAccount),
  }),
  getIsolatedFuturesAccount: get('/futures/account/isolated/{symbol}', {
    access: 'read',
    summary: 'The futures account of a contract',
    response: margin.marginAccount,
  }),
  getCrossFuturesAccount: get('/futures/account/cross/{currency}', {
    access: 'read',
    summary: 'The cross-margin futures account of a settlement currency',
    response: margin.marginAccount,
  }),
  setIsolatedFuturesAccount: put('/futures/account/isolated/{symbol}', {
    access: 'trade',
    summary: 'Set what a futures account binds, and its leverage',
    params: setMarginAccount.extend({ leverage: unsigned }),
    response: margin.marginAccount,
  }),
  setCrossFuturesAccount: put('/futures/account/cross/{currency}', {
    access: 'trade',
    summary: 'Set what the cross-margin futures account of a settlement currency binds',
    params: setMarginAccount,
    response: margin.marginAccountSet,
  }),
  closeFuturesPositions: del('/futures/position', {
    access: 'trade',
    summary: 'Close all futures positions',
    params: closing,
    response: z.array(margin.position),
  }),
  closeFuturesPosition: del('/futures/position/{margin_mode}/{symbol}', {
    access: 'trade',
    summary: 'Close the position of a contract',
    params: closing,
    response: margin.position,
    codes,
  }),
} as const;

const readingCalls = {
  getFuturesConfig: get('/futures/config', {
    access: 'read',
    summary: 'On what terms contracts are traded',
    response: margin.marginConfig,
  }),
  getFuturesFees: get('/futures/fee', {
    access: 'read',
    summary: 'Fee rates of the account',
    response: z.array(fee),
  }),
  getFuturesFee: get('/futures/fee/{symbol}', {
    access: 'read',
    summary: 'Fee rates of the account for a contract',
    response: feeOfSymbol,
  }),
  getFuturesOrderHistory: get('/futures/history/order', {
    access: 'read',
    summary: 'Futures orders',
    params: params.orderHistory('timestamp'),
    overriding: 'client_order_id',
    response: orders,
  }),
  getFuturesTradeHistory: get('/futures/history/trade', {
    access: 'read',
    summary: 'Own futures trades',
    params: params.tradeHistory('timestamp'),
    response: z.array(marginTrade),
  }),
  getFuturesPositionHistory: get('/futures/history/positions', {
    access: 'read',
    summary: 'Closed positions',
    params: params.positionHistory,
    response: z.array(margin.closedPosition),
  }),
  getFuturesClearingHistory: get('/futures/history/clearing', {
    access: 'read',
    summary: 'What fundings and settlements took and gave',
    params: params.positionHistory,
    response: z.array(margin.clearing),
  }),
} as const;

/** Trading of futures. */
export const futuresCalls = { ...orderCalls, ...accountCalls, ...readingCalls } as const;

import { z } from 'zod';
import { del, get, patch, post, put } from '../../call.ts';
import { flag, numeric, optional, withDefault, unsigned } from '../../fields.ts';
import * as margin from '../records/margin.ts';
import { marginOrder, marginTrade } from '../records/order.ts';
import * as params from './order-params.ts';

const orders = z.array(marginOrder);
const codes = params.ORDER_CODES;

/** How much of the funds an account binds; 0 closes it. */
export const setMarginAccount = z.object({
  margin_balance: unsigned,
  leverage: optional(unsigned),
  strict_validate: withDefault(flag, false),
});

/** Price at which a position is closed; at market without one. */
export const closing = z.object({
  price: optional(numeric),
  strict_validate: withDefault(flag, false),
});

const orderCalls = {
  getMarginOrders: get('/margin/order', {
    access: 'read',
    summary: 'Active margin orders',
    params: params.ofOneSymbol,
    response: orders,
  }),
  getMarginOrder: get('/margin/order/{client_order_id}', {
    access: 'read',
    summary: 'An active margin order',
    response: marginOrder,
  }),
  createMarginOrder: post('/margin/order', {
    access: 'trade',
    summary: 'Place an order on margin',
    params: params.newMarginOrder,
    response: marginOrder,
    codes,
  }),
  createMarginOrderList: post('/margin/order/list', {
    access: 'trade',
    summary: 'Place margin orders that depend on each other',
    params: params.newMarginOrderList,
    response: orders,
    codes,
  }),
  replaceMarginOrder: patch('/margin/order/{client_order_id}', {
    access: 'trade',
    summary: 'Replace a margin order',
    params: params.replacement,
    response: marginOrder,
    codes,
  }),
  cancelMarginOrders: del('/margin/order', {
    access: 'trade',
    summary: 'Cancel all margin orders, or those of a symbol',
    params: params.ofOneSymbol,
    response: orders,
  }),
  cancelMarginOrder: del('/margin/order/{client_order_id}', {
    access: 'trade',
    summary: 'Cancel a margin order',
    response: marginOrder,
  }),
} as const;

const accountCalls = {
  getMarginAccounts: get('/margin/account', {
    access: 'read',
    summary: 'Margin accounts and their positions',
    response: z.array(margin.marginAccount),
  }),
  getIsolatedMarginAccount: get('/margin/account/isolated/{symbol}', {
    access: 'read',
    summary: 'The margin account of a symbol',
    response: margin.marginAccount,
  }),
  getCrossMarginAccount: get('/margin/account/cross/{currency}', {
    access: 'read',
    summary: 'The cross-margin account of a currency',
    response: margin.marginAccount,
  }),
  setIsolatedMarginAccount: put('/margin/account/isolated/{symbol}', {
    access: 'trade',
    summary: 'Set what a margin account binds',
    params: setMarginAccount,
    response: margin.marginAccount,
  }),
  setCrossMarginAccount: put('/margin/account/cross/{currency}', {
    access: 'trade',
    summary: 'Set what the cross-margin account of a currency binds',
    params: setMarginAccount,
    response: margin.marginAccountSet,
  }),
} as const;

const positionCalls = {
  closeMarginPositions: del('/margin/position', {
    access: 'trade',
    summary: 'Close all margin positions',
    params: closing,
    response: z.array(margin.position),
  }),
  closeIsolatedMarginPosition: del('/margin/position/isolated/{symbol}', {
    access: 'trade',
    summary: 'Close the margin position of a symbol',
    params: closing,
    response: margin.position,
    codes,
  }),
  closeCrossMarginPosition: del('/margin/position/cross/{symbol}', {
    access: 'trade',
    summary: 'Close the cross-margin position of a symbol',
    params: closing,
    response: margin.position,
    codes,
  }),
} as const;

const historyCalls = {
  getMarginConfig: get('/margin/config', {
    access: 'read',
    summary: 'On what terms symbols are traded on margin',
    response: margin.marginConfig,
  }),
  getMarginOrderHistory: get('/margin/history/order', {
    access: 'read',
    summary: 'Margin orders; those without executions for 24 hours',
    params: params.orderHistory('id'),
    overriding: 'client_order_id',
    response: orders,
  }),
  getMarginTradeHistory: get('/margin/history/trade', {
    access: 'read',
    summary: 'Own margin trades',
    params: params.tradeHistory('id'),
    response: z.array(marginTrade),
  }),
  getMarginPositionHistory: get('/margin/history/positions', {
    access: 'read',
    summary: 'Closed margin positions',
    params: params.positionHistory,
    response: z.array(margin.closedPosition),
  }),
  getMarginClearingHistory: get('/margin/history/clearing', {
    access: 'read',
    summary: 'What interest and liquidations took',
    params: params.positionHistory,
    response: z.array(margin.clearing),
  }),
} as const;

/** Settings of the account. */
const settings = z.object({ auto_margin_replenishment: flag, auto_margin_management: flag });
const settingsChange = z.object({ enabled: flag });

const settingCalls = {
  getMarginSettings: get('/margin-settings', {
    access: 'read',
    summary: 'Whether margin is managed or replenished without asking',
    response: settings,
  }),
  getFuturesSettings: get('/futures/margin-settings', {
    access: 'read',
    summary: 'The same of futures',
    response: settings,
  }),
  setMarginManagement: put('/margin-settings/amm', {
    access: 'trade',
    summary: 'Whether margin is managed without asking',
    params: settingsChange,
    response: settings,
  }),
  setMarginReplenishment: put('/margin/margin-settings/amr', {
    access: 'trade',
    summary: 'Whether margin is replenished without asking',
    params: settingsChange,
    response: settings,
  }),
  setFuturesReplenishment: put('/futures/margin-settings/amr', {
    access: 'trade',
    summary: 'Whether the margin of futures is replenished without asking',
    params: settingsChange,
    response: settings,
  }),
} as const;

/** Trading on margin. */
export const marginCalls = {
  ...orderCalls,
  ...accountCalls,
  ...positionCalls,
  ...historyCalls,
  ...settingCalls,
} as const;

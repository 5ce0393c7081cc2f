import { z } from 'zod';
import { code, text } from '../../fields.ts';
import { method } from '../../rpc.ts';
import {
  clientOrderId,
  newOrderOfSocket,
  ofOneSymbol,
  ORDER_CODES as codes,
  replacement,
} from '../calls/order-params.ts';
import { closing, setMarginAccount } from '../calls/trading.ts';
import {
  balance,
  marginAccount,
  marginAccountReport,
  position,
  report,
} from '../records/trading.ts';

const done = z.literal(true);
const cancellation = z.object({ clientOrderId: text });
const replacing = replacement.extend({ clientOrderId: text, requestClientId: clientOrderId });
const reports = z.array(report);

const getOrders = { access: 'read', params: ofOneSymbol, result: reports } as const;
const newOrder = { access: 'trade', params: newOrderOfSocket, result: report, codes } as const;
const cancelOrder = { access: 'trade', params: cancellation, result: report } as const;
const replaceOrder = { access: 'trade', params: replacing, result: report, codes } as const;
const cancelOrders = { access: 'trade', params: ofOneSymbol, result: reports } as const;

/** Every method of the trading socket of version 2, `login` apart. */
export const TRADING_METHODS = {
  subscribeReports: method({ access: 'read', summary: 'Follow orders', result: done }),
  unsubscribeReports: method({ access: 'read', summary: 'Stop to follow orders', result: done }),
  getOrders: method({ ...getOrders, summary: 'Active orders' }),
  newOrder: method({ ...newOrder, summary: 'Place an order' }),
  cancelOrder: method({ ...cancelOrder, summary: 'Cancel an order' }),
  cancelOrders: method({ ...cancelOrders, summary: 'Cancel all orders, or those of a symbol' }),
  cancelReplaceOrder: method({ ...replaceOrder, summary: 'Replace an order' }),
  getTradingBalance: method({
    access: 'read',
    summary: 'Trading balances',
    result: z.array(balance),
  }),
  marginSubscribe: method({ access: 'read', summary: 'Follow margin', result: done }),
  marginUnsubscribe: method({ access: 'read', summary: 'Stop to follow margin', result: done }),
  marginAccountsGet: method({
    access: 'read',
    summary: 'Margin accounts',
    result: z.array(marginAccount),
  }),
  marginAccountSet: method({
    access: 'trade',
    summary: 'Set what a margin account binds',
    params: setMarginAccount.extend({ symbol: code }),
    result: marginAccount,
  }),
  marginPositionClose: method({
    access: 'trade',
    summary: 'Close the position of a symbol',
    params: closing.extend({ symbol: code }),
    result: position,
    codes,
  }),
  marginOrdersGet: method({ ...getOrders, summary: 'Active margin orders' }),
  marginOrderNew: method({ ...newOrder, summary: 'Place an order on margin' }),
  marginOrderCancel: method({ ...cancelOrder, summary: 'Cancel a margin order' }),
  marginOrdersCancel: method({ ...cancelOrders, summary: 'Cancel all margin orders' }),
  marginOrderCancelReplace: method({ ...replaceOrder, summary: 'Replace a margin order' }),
} as const;

/** Notifications of the trading socket of version 2, by method. */
export const TRADING_NOTIFICATIONS = {
  activeOrders: reports,
  report,
  marginOrders: reports,
  marginOrderReport: report,
  marginAccounts: z.array(marginAccountReport),
  marginAccountReport,
} as const;

import { z } from 'zod';
import { choice, code, optional, withDefault, text, unsigned } from '../../fields.ts';
import { method, ofMarket } from '../../rpc.ts';
import { closing, setMarginAccount } from '../calls/margin.ts';
import * as params from '../calls/order-params.ts';
import { balance, balanceOfCurrency, fee, feeOfSymbol } from '../records/balance.ts';
import {
  marginAccount,
  marginAccountNotice,
  marginAccountReport,
  marginAccountSet,
  position,
} from '../records/margin.ts';
import { MARGIN_MODES } from '../records/order.ts';
import { marginReport, report } from '../records/report.ts';

const codes = params.ORDER_CODES;
const done = z.literal(true);
const ofCurrency = z.object({ currency: code });
const ofSymbol = z.object({ symbol: code });
const cancellation = z.object({ client_order_id: text });
const replacing = params.replacement.extend({ client_order_id: text });
/** An account or a position of a symbol; of a cross account any symbol that it trades names it. */
const onMargin = {
  ...ofSymbol.shape,
  margin_mode: withDefault(choice(MARGIN_MODES), 'isolated'),
} as const;
const closingSymbol = closing.extend(onMargin);

/** `updates` sends each change at once, `batches` collects changes of a short time. */
const balanceMode = z.object({ mode: withDefault(choice(['updates', 'batches']), 'updates') });
const anyMode = z.object({ mode: optional(text) });

/** The methods that every market has, under its name. */
const marketMethods = <
  const M extends string,
  Report extends z.ZodType,
  Order extends z.ZodType,
  List extends z.ZodType,
>(
  market: M,
  one: Report,
  order: Order,
  list: List,
) =>
  ofMarket(market, {
    subscribe: method({ access: 'read', summary: `Follow ${market} orders`, result: done }),
    unsubscribe: method({
      access: 'read',
      summary: `Stop to follow ${market} orders`,
      result: done,
    }),
    get_orders: method({
      access: 'read',
      summary: `Active ${market} orders`,
      params: params.ofOneSymbol,
      result: z.array(one),
    }),
    new_order: method({
      access: 'trade',
      summary: `Place a ${market} order`,
      params: order,
      result: one,
      codes,
    }),
    new_order_list: method({
      access: 'trade',
      summary: `Place ${market} orders that depend on each other`,
      params: list,
      result: one,
      replies: 'each',
      codes,
    }),
    replace_order: method({
      access: 'trade',
      summary: `Replace a ${market} order`,
      params: replacing,
      result: one,
      codes,
    }),
    cancel_order: method({
      access: 'trade',
      summary: `Cancel a ${market} order`,
      params: cancellation,
      result: one,
    }),
    cancel_orders: method({
      access: 'trade',
      summary: `Cancel all ${market} orders, or those of a symbol`,
      params: params.ofOneSymbol,
      result: z.array(one),
    }),
  });

const balanceMethods = <const M extends string>(market: M) =>
  ofMarket(market, {
    balance_subscribe: method({
      access: 'read',
      summary: `Follow ${market} balances`,
      params: balanceMode,
      result: done,
    }),
    balance_unsubscribe: method({
      access: 'read',
      summary: `Stop to follow ${market} balances`,
      params: anyMode,
      result: done,
    }),
    balances: method({ access: 'read', summary: `${market} balances`, result: z.array(balance) }),
    balance: method({
      access: 'read',
      summary: `The ${market} balance of a currency`,
      params: ofCurrency,
      result: balanceOfCurrency,
    }),
    fees: method({ access: 'read', summary: `${market} fee rates`, result: z.array(fee) }),
    fee: method({
      access: 'read',
      summary: `${market} fee rates of a symbol`,
      params: ofSymbol,
      result: feeOfSymbol,
    }),
  });

const accounts = z.array(marginAccount);

/** Every method of the trading socket, `login` apart. */
export const TRADING_METHODS = {
  ...marketMethods('spot', report, params.newOrder, params.newOrderList),
  ...balanceMethods('spot'),
  ...marketMethods('margin', marginReport, params.newMarginOrder, params.newMarginOrderList),
  margin_get_accounts: method({ access: 'read', summary: 'Margin accounts', result: accounts }),
  margin_set_account: method({
    access: 'trade',
    summary: 'Set what a margin account binds',
    params: setMarginAccount.extend(onMargin),
    result: marginAccountSet,
  }),
  margin_close_position: method({
    access: 'trade',
    summary: 'Close the margin position of a symbol',
    params: closingSymbol,
    result: position,
    codes,
  }),
  ...marketMethods('futures', marginReport, params.newMarginOrder, params.newMarginOrderList),
  ...balanceMethods('futures'),
  futures_get_accounts: method({ access: 'read', summary: 'Futures accounts', result: accounts }),
  futures_set_account: method({
    access: 'trade',
    summary: 'Set what a futures account binds, and its leverage',
    params: setMarginAccount.extend({ ...onMargin, leverage: unsigned }),
    result: marginAccountSet,
  }),
  futures_close_position: method({
    access: 'trade',
    summary: 'Close the position of a contract',
    params: closingSymbol,
    result: position,
    codes,
  }),
} as const;

/** Notifications of the trading socket, by method. */
export const TRADING_NOTIFICATIONS = {
  /** All active orders, once after the subscription. */
  spot_orders: z.array(report),
  spot_order: report,
  /** First all that are not zero, then those that changed. */
  spot_balance: z.array(balance),
  margin_orders: z.array(marginReport),
  margin_order: marginReport,
  margin_accounts: z.array(marginAccountReport),
  margin_account: marginAccountNotice,
  futures_orders: z.array(marginReport),
  futures_order: marginReport,
  futures_balance: z.array(balance),
  futures_accounts: z.array(marginAccountReport),
  futures_account: marginAccountNotice,
} as const;

import type { tradingCalls } from '../../../../wire/trading/v2/calls/trading.ts';
import { feesOfSymbol } from '../../orders/fees.ts';
import { orderIdOf, ordersQuery, tradesQuery } from '../../orders/v2-queries.ts';
import { balanceViews } from '../../views/v2/balance.ts';
import { pastOrderView } from '../../views/v2/order.ts';
import { tradeView } from '../../views/v2/trade.ts';
import { answer, answerWith, type RestHandlers } from '../handler.ts';
import { marginHandlers } from './margin.ts';
import { orderHandlers } from './orders.ts';

const historyHandlers = {
  getTradingBalances: (service, { account }) =>
    answer(service.act(({ ledger }) => balanceViews(ledger, account))),

  getFee: (service, { account, path }) =>
    answerWith(feesOfSymbol(service, account, 'spot', path.symbol), ({ takeRate, makeRate }) => ({
      takeLiquidityRate: takeRate,
      provideLiquidityRate: makeRate,
    })),

  getOrderHistory: (service, { account, params }) =>
    answerWith(ordersQuery(service, account, params), (orders) => orders.map(pastOrderView)),

  getTradeHistory: (service, { account, params }) =>
    answerWith(tradesQuery(service, account, params), (trades) => trades.map(tradeView)),

  getTradesOfOrder: (service, { account, path }) =>
    answerWith(orderIdOf(service, account, path.orderId), ({ id }) =>
      service.past(account).tradesOf(id).map(tradeView),
    ),
} satisfies Partial<RestHandlers<typeof tradingCalls>>;

/** Orders, balances, fees, and the history of spot and margin. */
export const tradingHandlers: RestHandlers<typeof tradingCalls> = {
  ...orderHandlers('spot'),
  ...historyHandlers,
  ...marginHandlers,
};

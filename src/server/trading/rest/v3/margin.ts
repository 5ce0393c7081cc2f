import type { z } from 'zod';
import type { MarginAccountView } from '../../../../exchange/margin/views.ts';
import type { MarginMode } from '../../../../model/margin-terms.ts';
import type { Decoded } from '../../../../wire/trading/faults.ts';
import type {
  closing,
  marginCalls,
  setMarginAccount,
} from '../../../../wire/trading/v3/calls/margin.ts';
import { symbolsOf } from '../../../../wire/trading/v3/calls/order-params.ts';
import * as actions from '../../margin/actions.ts';
import type { RequestContext } from '../../orders/actions.ts';
import { historyQuery } from '../../orders/query.ts';
import type { TradingService } from '../../service.ts';
import * as views from '../../views/v3/margin.ts';
import { answer, answerWith, refuse, type RestHandler, type RestHandlers } from '../handler.ts';
import { orderHandlers } from './orders.ts';

type Calls = typeof marginCalls;
type Handler<Name extends keyof Calls> = RestHandler<Calls[Name]>;
type Market = 'margin' | 'futures';

const settingOf = (params: z.output<typeof setMarginAccount>): actions.MarginAccountRequest => ({
  marginBalance: params.margin_balance,
  leverage: params.leverage,
  strictValidate: params.strict_validate,
});

const closingOf = (params: z.output<typeof closing>): actions.ClosePositionRequest => ({
  price: params.price,
  strictValidate: params.strict_validate,
});

const isolated = (symbol: string): actions.MarginAccountRef => ({ mode: 'isolated', symbol });
const cross = (currency: string): actions.MarginAccountRef => ({ mode: 'cross', currency });

const shown = ({ exchange }: TradingService, found: Decoded<MarginAccountView>) =>
  answerWith(found, (one) => views.accountView(exchange, one));

/** What is done alike for margin and for futures. */
interface MarketHandlers {
  readonly getAccounts: Handler<'getMarginAccounts'>;
  readonly getIsolatedAccount: Handler<'getIsolatedMarginAccount'>;
  readonly getCrossAccount: Handler<'getCrossMarginAccount'>;
  readonly setIsolatedAccount: Handler<'setIsolatedMarginAccount'>;
  readonly setCrossAccount: Handler<'setCrossMarginAccount'>;
  readonly closePositions: Handler<'closeMarginPositions'>;
  /** Closes a position of a symbol in a mode. */
  readonly closePosition: (mode: MarginMode) => Handler<'closeIsolatedMarginPosition'>;
  readonly getConfig: Handler<'getMarginConfig'>;
  /** Positions that have ended, latest first unless asked otherwise. */
  readonly getPositionHistory: Handler<'getMarginPositionHistory'>;
  /** What accounts paid and received without their holders' doing. */
  readonly getClearingHistory: Handler<'getMarginClearingHistory'>;
  readonly getSettings: Handler<'getMarginSettings'>;
  readonly setReplenishment: Handler<'setMarginReplenishment'>;
}

/** The calls for accounts, positions and settings of a market. */
export function accountHandlers(market: Market): MarketHandlers {
  const trader = (account: number): RequestContext => ({ account, market, version: 3 });
  return {
    getAccounts: (service, { account }) =>
      answer(
        actions
          .marginAccounts(service, trader(account))
          .map((one) => views.accountView(service.exchange, one)),
      ),
    getIsolatedAccount: (service, { account, path }) =>
      shown(service, actions.marginAccount(service, trader(account), isolated(path.symbol))),
    getCrossAccount: (service, { account, path }) =>
      shown(service, actions.marginAccount(service, trader(account), cross(path.currency))),
    setIsolatedAccount: (service, { account, path, params }) => {
      const name = isolated(path.symbol);
      const set = actions.setMarginAccount(service, trader(account), name, settingOf(params));
      return shown(service, set);
    },
    setCrossAccount: (service, { account, path, params }) => {
      const name = cross(path.currency);
      const set = actions.setMarginAccount(service, trader(account), name, settingOf(params));
      return shown(service, set);
    },
    closePositions: (service, { account, params }) =>
      params.price === undefined
        ? answerWith(actions.closePositions(service, trader(account)), (all) =>
            all.map(views.positionView),
          )
        : refuse(10001, 'price closes one position at a time; name its symbol', 'price'),
    closePosition:
      (mode) =>
      (service, { account, path: { symbol }, params }) =>
        answerWith(
          actions.closePosition(service, trader(account), { symbol, mode }, closingOf(params)),
          views.positionView,
        ),
    getConfig: (service) => answer(service.act((exchange) => views.configView(exchange, market))),
    getPositionHistory: (service, { account, params }) =>
      answerWith(historyQuery(service, [market], symbolsOf(params), params), (query) =>
        actions.closedPositions(service, trader(account), query).map(views.closedPositionView),
      ),
    getClearingHistory: (service, { account, params }) =>
      answerWith(historyQuery(service, [market], symbolsOf(params), params), (query) =>
        service.clearings.of(account, market, query).map(views.clearingView),
      ),
    getSettings: (service, { account }) => answer(settings(service, account, market)),
    setReplenishment: (service, { account, params }) => {
      service.act(({ margin }) => {
        margin.replenish(account, market, params.enabled);
      });
      return answer(settings(service, account, market));
    },
  };
}

/** Funds are added by themselves where that is wanted; nothing else is done by itself here. */
const settings = ({ exchange }: TradingService, account: number, market: Market) => ({
  auto_margin_replenishment: exchange.margin.isReplenished(account, market),
  auto_margin_management: false,
});

const orders = orderHandlers('margin');
const accounts = accountHandlers('margin');

/** What does each call of trading on margin. */
export const marginHandlers: RestHandlers<Calls> = {
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
  getMarginConfig: accounts.getConfig,
  getMarginOrderHistory: orders.getOrderHistory,
  getMarginTradeHistory: orders.getTradeHistory,
  getMarginPositionHistory: accounts.getPositionHistory,
  getMarginClearingHistory: accounts.getClearingHistory,
  getMarginSettings: accounts.getSettings,
  setMarginReplenishment: accounts.setReplenishment,
  setMarginManagement: (service, { account, params }) =>
    params.enabled
      ? refuse(600, 'Margin is not managed without asking here; it can be replenished', 'enabled')
      : answer(settings(service, account, 'margin')),
  getFuturesSettings: accountHandlers('futures').getSettings,
  setFuturesReplenishment: accountHandlers('futures').setReplenishment,
};

import type { MarginAccountView } from '../../../../exchange/margin/views.ts';
import { ZERO } from '../../../../model/decimal.ts';
import type { tradingCalls } from '../../../../wire/trading/v2/calls/trading.ts';
import type { Decoded } from '../../../../wire/trading/faults.ts';
import {
  closePosition,
  closePositions,
  marginAccount,
  marginAccounts,
  positions,
  setMarginAccount,
  type MarginAccountRef,
} from '../../margin/actions.ts';
import type { RequestContext } from '../../orders/actions.ts';
import type { TradingService } from '../../service.ts';
import { accountView, isShown, positionView } from '../../views/v2/margin.ts';
import { answer, answerWith, refuse, type RestHandlers } from '../handler.ts';
import { orderHandlers } from './orders.ts';

const orders = orderHandlers('margin');
const trader = (account: number): RequestContext => ({ account, market: 'margin', version: 2 });
const named = (symbol: string): MarginAccountRef => ({ mode: 'isolated', symbol });

const isolatedAccounts = (service: TradingService, account: number) =>
  marginAccounts(service, trader(account)).filter(isShown);

const isolatedPositions = (service: TradingService, account: number) =>
  positions(service, trader(account)).filter(({ mode }) => mode === 'isolated');

const shown = ({ exchange }: TradingService, found: Decoded<MarginAccountView>) =>
  answerWith(found, (one) => accountView(exchange, one));

const close = (service: TradingService, account: number, name: MarginAccountRef) =>
  setMarginAccount(service, trader(account), name, { marginBalance: ZERO, strictValidate: false });

/** Closes all isolated accounts, or none: what holds a position cannot be closed, and is tried first. */
function closeAll(service: TradingService, account: number): Decoded<readonly MarginAccountView[]> {
  const closed: MarginAccountView[] = [];
  const holding = (one: MarginAccountView): number => one.positions.length;
  const all = isolatedAccounts(service, account);
  for (const { symbol = '' } of all.toSorted((a, b) => holding(b) - holding(a))) {
    const one = close(service, account, named(symbol));
    if (one.kind === 'fault') return one;
    closed.push(one.value);
  }
  return answer(closed);
}

/** What does each call of trading on margin. */
export const marginHandlers = {
  getMarginAccounts: (service, { account }) =>
    answer(isolatedAccounts(service, account).map((one) => accountView(service.exchange, one))),

  getMarginAccount: (service, { account, path }) =>
    shown(service, marginAccount(service, trader(account), named(path.symbol))),

  setMarginAccount: (service, { account, path, params }) =>
    shown(service, setMarginAccount(service, trader(account), named(path.symbol), params)),

  closeMarginAccounts: (service, { account }) =>
    answerWith(closeAll(service, account), (all) =>
      all.map((one) => accountView(service.exchange, one)),
    ),

  closeMarginAccount: (service, { account, path }) =>
    shown(service, close(service, account, named(path.symbol))),

  getPositions: (service, { account }) =>
    answer(isolatedPositions(service, account).map(positionView)),

  getPosition: (service, { account, path }) => {
    const { symbol } = path;
    const known = marginAccount(service, trader(account), named(symbol));
    if (known.kind === 'fault') return known;
    const found = isolatedPositions(service, account).find(
      ({ instrument }) => instrument.symbol === symbol,
    );
    return found === undefined
      ? refuse(20032, `There is no position in ${symbol}`, 'symbol')
      : answer(positionView(found));
  },

  closePositions: (service, { account }) =>
    answerWith(closePositions(service, trader(account), 'isolated'), (all) =>
      all.map(positionView),
    ),

  closePosition: (service, { account, path, params }) =>
    answerWith(
      closePosition(service, trader(account), { symbol: path.symbol, mode: 'isolated' }, params),
      positionView,
    ),

  getMarginOrders: orders.getOrders,
  getMarginOrder: orders.getOrder,
  createMarginOrder: orders.createOrder,
  createMarginOrderAtId: orders.createOrderAtId,
  replaceMarginOrder: orders.replaceOrder,
  cancelMarginOrders: orders.cancelOrders,
  cancelMarginOrder: orders.cancelOrder,
} satisfies Partial<RestHandlers<typeof tradingCalls>>;

import type { MarginMode } from '../../../../model/margin-terms.ts';
import type { marginCalls } from '../../../../wire/trading/v3/calls/margin.ts';
import {
  closePosition,
  closePositions,
  marginAccount,
  marginAccounts,
  setMarginAccount,
  type MarginAccountRef,
  type MarginAccountRequest,
  type ClosePositionRequest,
} from '../../margin/actions.ts';
import type { RequestContext } from '../../orders/actions.ts';
import { accountView, positionView } from '../../views/v3/margin.ts';
import { answer, answerWith, refuse, type RestHandler } from '../handler.ts';

type Calls = typeof marginCalls;
type Handler<Name extends keyof Calls> = RestHandler<Calls[Name]>;

interface SettingParams {
  readonly margin_balance: MarginAccountRequest['marginBalance'];
  readonly leverage?: MarginAccountRequest['leverage'];
  readonly strict_validate: boolean;
}

const settingOf = (params: SettingParams): MarginAccountRequest => ({
  marginBalance: params.margin_balance,
  leverage: params.leverage,
  strictValidate: params.strict_validate,
});

interface ClosingParams {
  readonly price?: ClosePositionRequest['price'];
  readonly strict_validate: boolean;
}

const isolated = (symbol: string): MarginAccountRef => ({ mode: 'isolated', symbol });
const cross = (currency: string): MarginAccountRef => ({ mode: 'cross', currency });

/** Handlers shared by margin and futures. */
interface MarketHandlers {
  readonly getAccounts: Handler<'getMarginAccounts'>;
  readonly getIsolatedAccount: Handler<'getIsolatedMarginAccount'>;
  readonly getCrossAccount: Handler<'getCrossMarginAccount'>;
  readonly setIsolatedAccount: Handler<'setIsolatedMarginAccount'>;
  readonly setCrossAccount: Handler<'setCrossMarginAccount'>;
  readonly closePositions: Handler<'closeMarginPositions'>;
  /** Closes a position of a symbol in a mode. */
  readonly closePosition: (mode: MarginMode) => Handler<'closeIsolatedMarginPosition'>;
}

/** The calls for accounts and positions of a market. */
export function accountHandlers(market: 'margin' | 'futures'): MarketHandlers {
  const trader = (account: number): RequestContext => ({ account, market, version: 3 });
  return {
    getAccounts: (service, { account }) =>
      answer(
        marginAccounts(service, trader(account)).map((one) => accountView(service.exchange, one)),
      ),

    getIsolatedAccount: (service, { account, path }) =>
      answerWith(marginAccount(service, trader(account), isolated(path.symbol)), (one) =>
        accountView(service.exchange, one),
      ),

    getCrossAccount: (service, { account, path }) =>
      answerWith(marginAccount(service, trader(account), cross(path.currency)), (one) =>
        accountView(service.exchange, one),
      ),

    setIsolatedAccount: (service, { account, path, params }) =>
      answerWith(
        setMarginAccount(service, trader(account), isolated(path.symbol), settingOf(params)),
        (one) => accountView(service.exchange, one),
      ),

    setCrossAccount: (service, { account, path, params }) =>
      answerWith(
        setMarginAccount(service, trader(account), cross(path.currency), settingOf(params)),
        (one) => accountView(service.exchange, one),
      ),

    closePositions: (service, { account, params }) =>
      params.price === undefined
        ? answerWith(closePositions(service, trader(account)), (all) => all.map(positionView))
        : refuse(10001, 'price closes one position at a time; name its symbol', 'price'),

    closePosition:
      (mode) =>
      (service, { account, path, params }) =>
        answerWith(
          closePosition(service, trader(account), { symbol: path.symbol, mode }, closingOf(params)),
          positionView,
        ),
  };
}

const closingOf = (params: ClosingParams): ClosePositionRequest => ({
  price: params.price,
  strictValidate: params.strict_validate,
});

import type { Decimal } from '../../../../model/decimal.ts';
import type { MarginMode } from '../../../../model/margin-terms.ts';
import { closePosition, marginAccounts, setMarginAccount } from '../../margin/actions.ts';
import { accountView, positionView } from '../../views/v3/margin.ts';
import { reply } from '../part.ts';
import type { TradingMethodsV3 } from './trading-methods.ts';

type Market = 'margin' | 'futures';

interface AccountParams {
  readonly symbol: string;
  readonly margin_balance: Decimal;
  readonly leverage?: Decimal | undefined;
  readonly strict_validate: boolean;
  readonly margin_mode: MarginMode;
}

interface ClosingParams {
  readonly symbol: string;
  readonly price?: Decimal | undefined;
  readonly strict_validate: boolean;
  readonly margin_mode: MarginMode;
}

/** Handlers of a market's margin account methods. A cross account is named by any symbol of it. */
const rows = (market: Market) => ({
  get_accounts: ({ service, trader }: TradingMethodsV3) =>
    reply(marginAccounts(service, trader[market]).map((one) => accountView(service.exchange, one))),
  set_account: ({ service, trader }: TradingMethodsV3, params: AccountParams) => {
    const { symbol, margin_balance: marginBalance, leverage } = params;
    const { strict_validate: strict, margin_mode: mode } = params;
    const done = setMarginAccount(
      service,
      trader[market],
      { mode, symbol },
      { marginBalance, leverage, strictValidate: strict },
    );
    return done.kind === 'fault' ? done : reply(accountView(service.exchange, done.value));
  },
  close_position: ({ service, trader }: TradingMethodsV3, params: ClosingParams) => {
    const { symbol, price, strict_validate: strict, margin_mode: mode } = params;
    const done = closePosition(
      service,
      trader[market],
      { symbol, mode },
      { price, strictValidate: strict },
    );
    return done.kind === 'fault' ? done : reply(positionView(done.value));
  },
});

type Rows = ReturnType<typeof rows>;

/** Margin account methods of a market, under their names there. */
export const accountMethods = <const M extends Market>(market: M) =>
  Object.fromEntries(
    Object.entries(rows(market)).map(([name, handler]) => [`${market}_${name}`, handler]),
  ) as { readonly [K in keyof Rows as `${M}_${K}`]: Rows[K] };

import type { MarketUse } from '../../engine/market/use.ts';
import { MARGIN_MODES } from '../../model/margin-terms.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { RiskSettings } from '../settings/settings.ts';
import type { Account } from './account.ts';

/** Market data that the bot itself needs of a symbol, by the current limits and orders of its account. */
export function marketNeeds(account: Account, symbol: string, isPaper: boolean): MarketUse {
  const traders = account.strategies.all.filter((strategyAccount) =>
    strategyAccount.trades(symbol),
  );
  return botNeeds(account.instruments.get(symbol), {
    isPaper,
    limits: [account.risk.limits, ...traders.map(({ limits }) => limits)],
    isBudgeted: traders.some(({ budget }) => budget.amounts !== undefined),
    hasOrders: account.openOrders().some((order) => order.symbol === symbol),
    isOnMargin: MARGIN_MODES.some((mode) => account.margin.isUsed(symbol, mode)),
  });
}

/** The strategies that may send orders in an instrument, and their limits. */
export interface Traders {
  /** True if the exchange of this process fills the orders. */
  readonly isPaper: boolean;
  /** Of the account, and of each of its strategies that trades the instrument. */
  readonly limits: readonly RiskSettings[];
  /** True if one of the strategies has a budget, which values market buys at the best ask. */
  readonly isBudgeted: boolean;
  /** True while an order of the account is open, which the book must show. */
  readonly hasOrders: boolean;
  /** True while a margin account that uses the mark price trades there. */
  readonly isOnMargin?: boolean;
}

/**
 * What a bot itself needs of the market of an instrument, whatever its strategies listen to:
 *
 * - on paper trades and the whole book, by which the exchange of this process fills orders, and of a contract
 *   what the venue says beside its market, by which it judges positions and pays funding
 * - trades where a limit watches the equity, which a candle would follow a minute late
 * - the best bid and ask where a limit of orders is measured by them, and while an order is open
 * - the mark price where a margin account bears the instrument: of a spot symbol the middle of its book
 */
export function botNeeds(
  { quoteCurrency, isContract }: Instrument,
  { isPaper, limits, isBudgeted, hasOrders, isOnMargin = false }: Traders,
): MarketUse {
  if (isPaper) {
    const market = { trades: true, book: 'full', candles: false } as const;
    return isContract ? { ...market, derivatives: true } : market;
  }
  const watchesEquity = limits.some(
    ({ maxDailyLoss, maxDrawdown }) => maxDailyLoss.size > 0 || maxDrawdown !== undefined,
  );
  const isMeasured = limits.some(
    ({ priceCollar, maxNotional, maxExposure, maxNetExposure }) =>
      priceCollar !== undefined ||
      maxNotional.has(quoteCurrency) ||
      maxExposure.has(quoteCurrency) ||
      maxNetExposure?.has(quoteCurrency) === true,
  );
  const needsBest = isMeasured || isBudgeted || hasOrders || (isOnMargin && !isContract);
  return {
    trades: watchesEquity,
    book: needsBest ? 'top' : 'none',
    candles: false,
    ...(isOnMargin && isContract ? { derivatives: true } : {}),
  };
}

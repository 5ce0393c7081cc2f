import { MillraceError } from '../model/errors.ts';
import { candlePeriodOf } from '../model/period.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import type { AccountType } from '../model/non-spot-balance.ts';
import type { Account, Context, Log, Market } from '../strategy/context.ts';
import type { Portfolio } from '../strategy/portfolio.ts';
import type { MarginSymbol, Where } from '../strategy/where.ts';
import type { AccountStreams } from './account/account-streams.ts';
import type { MarginStreams } from './account/margin-streams.ts';
import type { NonSpotBalanceStreams } from './account/non-spot-balance-streams.ts';
import type { Emit } from './audit.ts';
import { valueText } from './commands/shown.ts';
import { FUNDED, INDEXED, MARKED, OPENED } from '../model/derivative-state.ts';
import { needBook, needDerivative, needTop, needTrades } from './market/feed-contents.ts';
import type { DerivativeStreams } from './market/derivative-streams.ts';
import type { Markets } from './market/markets.ts';

export interface ContextParts {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly markets: Markets;
  readonly account: AccountStreams;
  readonly margin: MarginStreams;
  readonly nonSpotBalances: NonSpotBalanceStreams;
  readonly portfolio: Portfolio;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly emit: Emit;
}

/** Everything a strategy can use, and no access to the engine. */
export function strategyContext(parts: ContextParts): Context<Readonly<Record<string, unknown>>> {
  const { parameters, markets, account, margin, nonSpotBalances, portfolio, scheduler, log, emit } =
    parts;
  return Object.freeze({
    parameters,
    market: marketStreams(markets),
    account: Object.freeze({
      orders: (symbol?: string) => account.orders(symbol),
      lists: (symbol?: string) => account.lists(symbol),
      algoOrders: () => account.algoOrders(),
      fills: (symbol?: string) => account.fills(symbol),
      position: ((where: Where) =>
        typeof where === 'string'
          ? account.position(where)
          : margin.position(where)) as Account['position'],
      margin: (where: MarginSymbol) => margin.margin(where),
      marginEvents: (where?: MarginSymbol) => margin.events(where),
      balances: ((currency: string, accountType: AccountType = 'spot') => {
        account.checkCurrency(currency);
        return accountType === 'spot'
          ? account.balances(currency)
          : nonSpotBalances.balances(currency, accountType);
      }) as Account['balances'],
      equity: (symbol: string) => account.equity(symbol),
    }),
    portfolio: Object.freeze({
      holdings: () => portfolio.holdings(),
      rebalances: () => portfolio.rebalances(),
    }),
    clock: Object.freeze({ now: () => scheduler.now() }),
    log,
    instrument: (symbol: string) => markets.get(symbol).instrument,
    plot: (name: string, value: number) => {
      if (typeof name !== 'string' || typeof value !== 'number') {
        throw new MillraceError(
          'strategy-failed',
          `plot(${valueText(name)}, ${valueText(value)}) was called; it takes the name of a line as text and a number.`,
        );
      }
      emit({ kind: 'plot', name, value });
    },
  });
}

function marketStreams(markets: Markets): Market {
  const derivative = (symbol: string, which: number): DerivativeStreams => {
    const { reported, isModelled, derivatives } = markets.get(symbol);
    needDerivative(symbol, reported, isModelled, which);
    return derivatives;
  };
  return Object.freeze<Market>({
    trades: (symbol) => {
      const market = markets.get(symbol);
      needTrades(symbol, market.contents);
      return market.trades.$;
    },
    book: (symbol) => {
      const market = markets.get(symbol);
      needBook(symbol, market.contents);
      return market.book.$;
    },
    bbo: (symbol) => {
      const market = markets.get(symbol);
      needTop(symbol, market.contents);
      return market.top.$;
    },
    candles: (symbol, period) => markets.get(symbol).candles(candlePeriodOf(period)).topic.$,
    mark: (symbol) => derivative(symbol, MARKED).mark.$,
    index: (symbol) => derivative(symbol, INDEXED).index.$,
    funding: (symbol) => derivative(symbol, FUNDED).funding.$,
    openInterest: (symbol) => derivative(symbol, OPENED).openInterest.$,
  });
}

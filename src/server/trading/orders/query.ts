import type { OrderMarket } from '../../../exchange/margin/flags.ts';
import { decoded, type Decoded } from '../../../wire/trading/faults.ts';
import type { TradingService } from '../service.ts';
import { pageOf, type PageParams } from './page.ts';
import type { HistoryQuery } from './series.ts';
import { isTradedOn, symbolNotTraded } from './symbols.ts';

/**
 * What the parameters of a call ask of a history. A symbol that none of the markets has is an error,
 * so that nobody takes a slip of the pen for an empty history.
 */
export function historyQuery(
  service: TradingService,
  markets: readonly OrderMarket[],
  symbols: readonly string[],
  params: PageParams,
): Decoded<HistoryQuery> {
  const { exchange } = service;
  for (const symbol of symbols) {
    const instrument = exchange.instruments[exchange.instrument(symbol)];
    if (instrument !== undefined && markets.some((market) => isTradedOn(market, instrument)))
      continue;
    return symbolNotTraded(exchange.instruments, markets[0], symbol);
  }
  const page = pageOf(params);
  return page.kind === 'fault' ? page : decoded({ markets, symbols, page: page.value });
}

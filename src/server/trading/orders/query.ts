import type { OrderMarket } from '../../../exchange/positions/flags.ts';
import { decoded, type Decoded } from '../../../wire/trading/faults.ts';
import type { TradingService } from '../service.ts';
import { pageOf, type PageParams } from './page.ts';
import type { HistoryQuery } from './series.ts';
import { isTradedOn, symbolNotTraded } from './symbols.ts';

/**
 * The history query of a call's parameters. A symbol of no market is left out, and if all are such it is an
 * error, so that a typing mistake does not look like an empty history.
 */
export function historyQuery(
  { exchange }: TradingService,
  markets: readonly OrderMarket[],
  symbols: readonly string[],
  params: PageParams,
): Decoded<HistoryQuery> {
  const known = symbols.filter((symbol) => {
    const index = exchange.instrument(symbol);
    return index >= 0 && markets.some((one) => isTradedOn(one, exchange.instruments[index]));
  });
  const [unknown] = symbols;
  if (unknown !== undefined && known.length === 0) {
    return symbolNotTraded(exchange.instruments, markets[0], unknown);
  }
  const page = pageOf(params);
  return page.kind === 'fault' ? page : decoded({ markets, symbols: known, page: page.value });
}

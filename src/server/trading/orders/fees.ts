import type { SymbolFees } from '../../../exchange/ledger/fees.ts';
import type { OrderMarket } from '../../../exchange/positions/flags.ts';
import { decoded, type Decoded } from '../../../wire/trading/faults.ts';
import type { TradingService } from '../service.ts';
import { isTradedOn, symbolNotTraded } from './symbols.ts';

/** Fee rates of an account for each symbol of a market. */
export const feesOf = (
  { exchange }: TradingService,
  account: number,
  market: OrderMarket,
): readonly SymbolFees[] =>
  exchange.fees
    .symbolFees(account)
    .filter((_, instrument) => isTradedOn(market, exchange.instruments[instrument]));

/** Its fee rates for one symbol. */
export function feesOfSymbol(
  service: TradingService,
  account: number,
  market: OrderMarket,
  symbol: string,
): Decoded<SymbolFees> {
  const found = feesOf(service, account, market).find((fees) => fees.symbol === symbol);
  return found === undefined
    ? symbolNotTraded(service.exchange.instruments, market, symbol)
    : decoded(found);
}
